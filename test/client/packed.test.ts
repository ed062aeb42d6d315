import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "./service.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const modules = join(root, "node_modules");

describe("the packed client", () => {
	let folder: string;
	let server: Awaited<ReturnType<typeof startServer>>;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "leaflog-client-"));
		server = await startServer();
	});
	afterAll(async () => {
		await server.close();
		await rm(folder, { recursive: true });
	});

	it("works in a project that knows nothing else of us, with its types", { timeout: 120_000 }, async () => {
		const env = { ...process.env, PATH: `${modules}/.bin:${process.env.PATH}` };
		const packed = await run("npm", ["pack", "--json", "--pack-destination", folder], {
			cwd: join(root, "client"),
			env,
		});
		const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("[")));
		expect(files.map((file: { path: string }) => file.path)).toContain("dist/index.d.ts");
		await writeFile(join(folder, "package.json"), JSON.stringify({ name: "scratch", type: "module" }));
		await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], {
			cwd: folder,
			env,
		});
		await writeFile(
			join(folder, "use.ts"),
			`import { type Entry, Leaflog, LeaflogError } from "leaflog-client";
			const leaflog = new Leaflog({ baseUrl: ${JSON.stringify(server.url)} });
			const { id } = await leaflog.createSession({ name: "Packed" });
			const session = leaflog.session(id);
			await session.append({ type: "message", message: { role: "user", content: "hi" } });
			const entries: Entry[] = [];
			for await (const event of session.watch({ after: 0 })) {
				if (event.type === "entry") entries.push(event.entry);
				if (entries.length === 2) break;
			}
			const refused = await leaflog.session("none").get().catch((error: unknown) => error);
			console.log(JSON.stringify([entries.map(({ type }) => type), refused instanceof LeaflogError && refused.code]));
			// @ts-expect-error a session has no such call
			session.nonsense;
			// @ts-expect-error an entry has a type
			() => session.append({ message: { role: "user", content: "hi" } });
			`,
		);
		const options = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom", "--strict"];
		await run("tsc", ["--noEmit", ...options, "--types", "", "use.ts"], { cwd: folder, env }).catch(
			({ stdout }) => expect(stdout).toBe(""),
		);
		const { stdout } = await run("node", ["use.ts"], { cwd: folder, env });
		expect(JSON.parse(stdout)).toEqual([["session_info", "message"], "not_found"]);
	});
});
