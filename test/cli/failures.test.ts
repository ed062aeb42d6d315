import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

const token = "llk_secret-that-nobody-may-see";

let place: Awaited<ReturnType<typeof commandLine>>;
beforeAll(async () => {
	place = await commandLine();
	await mkdir(join(place.folder, ".pi/agent/sessions"), { recursive: true });
});
afterAll(() => place.close());

/** Every command, as far as it talks to a service. */
const commandLines = [
	["push"],
	["pull"],
	["ls"],
	["tree", "s"],
	["cat", "s"],
	["export", "s"],
	["fork", "s", "e"],
	["watch", "s", "--after", "0"],
	["fsck"],
];

async function answering(listener: RequestListener): Promise<{ readonly url: string; close(): void }> {
	const server = createServer(listener);
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** What each command says of a service, as text and as JSON; the token is in none of it. */
async function told(
	url: string,
	commands = commandLines,
): Promise<{ text: string; json: Record<string, unknown> }[]> {
	const env = { LEAFLOG_URL: url, LEAFLOG_TOKEN: token, HOME: place.folder };
	const each = async (command: string[]) => {
		const [text, json] = await Promise.all([
			place.leafWith({ env }, ...command),
			place.leafWith({ env }, "--json", ...command),
		]);
		expect([command, text.status, json.status]).toEqual([command, 1, 1]);
		expect(JSON.stringify([text, json])).not.toContain(token);
		return { text: text.err, json: JSON.parse(json.err) };
	};
	return Promise.all(commands.map(each));
}

describe("what goes wrong is told in a sentence", () => {
	it("nobody answers", { timeout: 120_000 }, async () => {
		const { url, close } = await answering(() => {});
		close();
		const commands = commandLines.filter(([name]) => name !== "watch");
		for (const { text, json } of await told(url, commands)) {
			expect(text).toBe(
				`leaflog: No answer from ${url} (ECONNREFUSED). Is it running, and is --url or LEAFLOG_URL right?\n`,
			);
			expect(json).toMatchObject({ code: "unreachable" });
		}
	});

	it("the token is refused", async () => {
		const problem = {
			title: "Unauthorized",
			status: 401,
			detail: "The token is not known",
			code: "unauthorized",
		};
		const server = await answering((_request, response) => {
			response.writeHead(401, { "Content-Type": "application/problem+json" }).end(JSON.stringify(problem));
		});
		for (const { text, json } of await told(server.url)) {
			expect(text).toBe(
				"leaflog: The token is not known. Set LEAFLOG_TOKEN to an API key or a JWT of this service.\n",
			);
			expect(json).toMatchObject({ code: "unauthorized", status: 401 });
		}
		server.close();
	});

	it("what answers is something else", async () => {
		for (const status of [200, 404]) {
			const server = await answering((_request, response) => {
				response.writeHead(status, { "Content-Type": "text/html" }).end("<h1>\u001b[2JIt works!</h1>");
			});
			const commands = commandLines.filter(
				([name]) => status !== 200 || !["export", "watch"].includes(name ?? ""),
			);
			for (const { text } of await told(server.url, commands)) {
				expect(text).toMatch(
					/^leaflog: What answers at http:\/\/127\.0\.0\.1:\d+ is no Leaflog service.*\n$/,
				);
			}
			server.close();
		}
	});

	it("a command line, an address or a token that can't be meant: 2, and nothing is asked", async () => {
		const secret = `${token}\nX-Injected: 1`;
		const wrong: [string[], Record<string, string>, RegExp][] = [
			[["ls", "--url", "sessions.example.com:x"], {}, /--url or LEAFLOG_URL: expected/],
			[["ls", "--url", "ftp://example.com"], {}, /expected http/],
			[["ls", "--url", "https://me:pass@example.com"], {}, /without a user's name/],
			[["ls"], { LEAFLOG_TOKEN: secret }, /no token has such characters/],
			[["ls", "-n", "many"], {}, /Expected a number from 1/],
			[["watch", "s", "--after", "-1"], {}, /Expected a number from 0/],
			[["tree"], {}, /missing required argument/],
			[["nonsense"], {}, /unknown command/],
			[["ls", "--nonsense"], {}, /unknown option/],
		];
		place.server.world.lines.length = 0;
		for (const [command, env, expected] of wrong) {
			const ran = await place.leafWith({ env: { LEAFLOG_URL: place.server.url, ...env } }, ...command);
			expect([command, ran.status]).toEqual([command, 2]);
			expect(ran.err).toMatch(expected);
			expect(ran.err).not.toMatch(/llk_|pass@/);
		}
		expect(place.server.world.lines).toEqual([]);
	});

	it("each command has a help with examples", async () => {
		for (const name of ["push", "pull", "ls", "tree", "cat", "export", "fork", "watch", "fsck"]) {
			const { status, out } = await place.leaf(name, "--help");
			expect([name, status]).toEqual([name, 0]);
			expect(out).toContain(`Examples:\n  $ leaflog ${name}`);
		}
	});

	it("files that are no sessions, among good ones: each is told with its line, the others are sent", async () => {
		const folder = join(place.folder, "mixed");
		await mkdir(folder);
		const header = (id: string) =>
			`${JSON.stringify({ type: "session", version: 3, id, timestamp: "2026-01-02T03:04:05.000Z", cwd: "/" })}\n`;
		const entry = (id: string, parentId: string | null, text = "hello") =>
			`${JSON.stringify({ type: "message", id, parentId, timestamp: "2026-01-02T03:04:05.000Z", message: { role: "user", content: text } })}\n`;
		const files: Record<string, [string, string]> = {
			"empty.jsonl": ["", "failed empty.jsonl: not a pi session: the file is empty"],
			"text.jsonl": ["hello\n", "failed text.jsonl: not a pi session: line 1 is no session header"],
			"list.jsonl": [
				`${header("list")}${entry("a", null)}[1]\n${entry("b", "a")}`,
				"failed list.jsonl: line 3 is no JSON object",
			],
			"torn.jsonl": [
				`${header("torn")}${entry("a", null)}{"type":"mess`,
				"failed torn.jsonl: line 3 is cut off in the middle",
			],
			"orphan.jsonl": [
				`${header("orphan")}${entry("a", null)}${entry("b", "x")}`,
				"failed orphan.jsonl: line 3: there is no parent x",
			],
			"twice.jsonl": [
				`${header("twice")}${entry("a", null)}${entry("a", null, "other")}`,
				"failed twice.jsonl: line 3: entry a is already on line 2",
			],
			"wide.jsonl": [
				`${header("wide")}${entry("a", null)}${entry("b", "a", "x".repeat(5_000_000))}`,
				"failed wide.jsonl: line 3: An entry has at most 4194304 bytes",
			],
			"good.jsonl": [`${header("good")}${entry("a", null)}`, "created good.jsonl (1 entry)"],
		};
		for (const [name, [text]] of Object.entries(files)) await writeFile(join(folder, name), text);
		const first = await place.leaf("push", folder);
		expect(first.status).toBe(1);
		for (const [, line] of Object.values(files)) expect(first.out.split("\n")).toContain(line);
		const again = await place.leaf("push", folder, "--repair");
		for (const name of ["list", "torn", "orphan", "twice"])
			expect(again.out).toContain(`created ${name}.jsonl`);
		expect((await place.leaflog.session("torn").get()).seq).toBe(1);
	});
});
