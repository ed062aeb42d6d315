import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../cli/program.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { Leaflog } from "../../client/src/client.ts";
import { startServer } from "../client/service.ts";
import type { WorldOptions } from "../http/world.ts";

/** A server, a folder, and the command line between them. */
export async function commandLine(options: WorldOptions = {}) {
	const server = await startServer(options);
	const folder = await mkdtemp(join(tmpdir(), "leaflog-cli-"));
	const leaflog = new Leaflog({ baseUrl: server.url });
	const leafWith = async (terminal: Partial<Terminal>, ...args: string[]) => {
		const [out, err]: [string[], string[]] = [[], []];
		const status = await run(args, {
			env: { LEAFLOG_URL: server.url, HOME: folder },
			out: (text) => out.push(text),
			err: (text) => err.push(text),
			interactive: false,
			untilStopped: () => new AbortController().signal,
			...terminal,
		});
		return { status, out: out.join(""), err: err.join("") };
	};
	return {
		server,
		folder,
		leaflog,
		leafWith,
		leaf: (...args: string[]) => leafWith({}, ...args),
		async close() {
			await server.close();
			await rm(folder, { recursive: true });
		},
	};
}
