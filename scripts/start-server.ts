import { spawn } from "node:child_process";
import { createServer } from "node:net";

/** A running `npm start`. */
export interface RunningServer {
	/** Its address, without a path. */
	readonly url: string;
	stop(): Promise<void>;
}

/**
 * Runs `npm start` of a folder on a free loopback port, and waits until it answers.
 * @throws Error where it doesn't within a minute
 */
export async function startServer(
	folder: string,
	environment: Readonly<Record<string, string>>,
): Promise<RunningServer> {
	const port = await freePort();
	const server = spawn("npm", ["start"], {
		cwd: folder,
		env: { ...process.env, PORT: String(port), ...environment },
		stdio: ["ignore", "ignore", "inherit"],
	});
	const running: RunningServer = {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			const ended = new Promise((resolve) => server.once("exit", resolve));
			server.kill("SIGTERM");
			await ended;
		},
	};
	try {
		await untilServing(running.url, 60);
	} catch (error) {
		await running.stop();
		throw error;
	}
	return running;
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as { port: number };
	await new Promise((resolve) => server.close(resolve));
	return port;
}

async function untilServing(url: string, seconds: number): Promise<void> {
	for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; ) {
		try {
			if ((await fetch(`${url}/healthz`)).ok) return;
		} catch {
			// not yet
		}
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
	throw new Error(`nothing answers at ${url} after ${seconds} s`);
}
