import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cut, plain, plainJson } from "../../cli/plain.ts";
import { treePicture } from "../../cli/tree-picture.ts";
import { commandLine } from "./command-line.ts";

let place: Awaited<ReturnType<typeof commandLine>>;
beforeAll(async () => {
	place = await commandLine({ config: { limits: {} } });
});
afterAll(() => place.close());

/** Whatever a terminal obeys, or that turns the text around it; line feeds are the program's own. */
const commands = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const obeyed = (text: string) => commands.test(text.replaceAll("\n", ""));

const hostile = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				"\u001b[2J",
				"\u001b]0;title\u0007",
				"\u009b31m",
				"\r",
				"\b",
				"\u202e",
				"\u2066",
				"\u2028",
			),
			fc.constantFrom("\n", "\t", "日本", "🌧️", "👩‍👩‍👧", "e\u0301", "\u0000", "\u007f", "\ud800", "[31m"),
			fc.string({ unit: "binary" }),
		),
		{ maxLength: 12 },
	)
	.map((parts) => parts.join(""));

describe("what reaches the terminal", () => {
	it("no command looks at a session and passes on a control character of it", {
		timeout: 60_000,
	}, async () => {
		let number = 0;
		const property = fc.asyncProperty(hostile, hostile, async (one, other) => {
			const id = `hostile-${number++}`;
			const text = `a${one}`;
			const message = (role: string, more: object) =>
				({ type: "message", message: { role, ...more } }) as never;
			await place.leaflog.createSession({
				id,
				name: `n${other.slice(0, 100)}`,
				entries: [
					message("user", { content: text }),
					message("assistant", {
						content: [
							{ type: "text", text: other },
							{ type: "thinking", thinking: one },
							{ type: "toolCall", id: one, name: other, arguments: { [one]: other } },
						],
					}),
					message("bashExecution", { command: one, output: other, cancelled: false, truncated: false }),
					message(`role${one}`, { content: other }),
					{ type: "custom_message", customType: one, content: other, display: true },
					{ type: "custom", customType: other, data: one },
				],
			});
			const session = place.leaflog.session(id);
			const { leafId } = await session.append({ type: "branch_summary", fromId: "x", summary: other });
			await session.append({ type: "label", targetId: leafId, label: text } as never);
			const watched = place.leafWith({ columns: 30 }, "watch", id, "--after", "0");
			for (const json of [[], ["--json"]]) {
				for (const command of ["tree", "cat", "export", "fsck"]) {
					const { status, out, err } = await place.leafWith({ columns: 30 }, ...json, command, id);
					expect([command, status, obeyed(out + err)]).toEqual([command, 0, false]);
				}
				const list = await place.leafWith({ columns: 30 }, ...json, "ls", "-n", "3");
				expect([list.status, obeyed(list.out)]).toEqual([0, false]);
			}
			const file = join(place.folder, `${id}.jsonl`);
			await place.leaf("export", id, "-o", file);
			expect(await readFile(file, "utf8")).toBe((await place.leaf("export", id)).out);
			await session.delete();
			expect(obeyed((await watched).out)).toBe(false);
		});
		await fc.assert(property, { numRuns: 25, seed: 7 });
	});

	it("any text: JSON keeps its value, and a line its width", () => {
		const columns = fc.integer({ min: 1, max: 40 });
		const property = fc.property(hostile, columns, (text, most) => {
			expect(obeyed(plain(text))).toBe(false);
			const json = JSON.stringify({ [text]: [text] });
			expect(obeyed(plainJson(json))).toBe(false);
			expect(JSON.parse(plainJson(json))).toEqual(JSON.parse(json));
			const line = plain(text);
			expect(stringWidth(cut(line, most))).toBeLessThanOrEqual(most);
			if (stringWidth(line) <= most) expect(cut(line, most)).toBe(line);
		});
		fc.assert(property, { numRuns: 2000, seed: 7 });
	});

	it("a tree that branches at each of 10,000 steps is no wider than the terminal, and no line is lost", () => {
		const steps = 10_000;
		const node = (id: string, parentId: string | null, children: string[]) => ({
			...{
				id,
				parentId,
				type: "message" as const,
				role: "user",
				timestamp: "",
				preview: "日本語 text",
				children,
			},
			...(id === `n${steps - 1}` && { label: "the last one" }),
		});
		const nodes = Array.from({ length: steps }, (_, at) => [
			node(`n${at}`, at === 0 ? null : `n${at - 1}`, at === steps - 1 ? [] : [`n${at + 1}`, `x${at}`]),
			...(at === steps - 1 ? [] : [node(`x${at}`, `n${at}`, [])]),
		]).flat();
		const tree = { roots: ["n0"], nodes, leafId: `n${steps - 1}`, seq: nodes.length };
		for (const columns of [20, 80, undefined]) {
			const lines = [...treePicture(tree, { columns })];
			expect(lines).toHaveLength(nodes.length);
			expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns ?? 120);
		}
		const [, ...rest] = [...treePicture(tree, { columns: 120 })];
		expect(rest.find((line) => line.includes("●"))).toMatch(
			/^… .*● n9999 user: .*\[the last one\] {2}← leaf$/,
		);
	});

	it("a real terminal sees a bar, what is no terminal doesn't", { timeout: 60_000 }, async () => {
		const folder = join(place.folder, "sessions");
		await mkdir(folder);
		const header = {
			type: "session",
			version: 3,
			id: "bar",
			timestamp: "2026-01-02T03:04:05.000Z",
			cwd: "/",
		};
		await writeFile(join(folder, "bar.jsonl"), `${JSON.stringify(header)}\n`);
		const program = join(import.meta.dirname, "../../cli/main.ts");
		const env = { ...process.env, LEAFLOG_URL: place.server.url, FOLDER: folder };
		const run = promisify(execFile);
		const command = `'${process.execPath}' '${program}' push "$FOLDER"`;
		const seen = await run("script", ["-qec", command, "/dev/null"], { env });
		expect(seen.stdout).toContain("[####################] 1/1");
		const piped = await run(process.execPath, [program, "push", folder], { env });
		expect(piped).toEqual({ stdout: "1 session: 1 unchanged\n", stderr: "" });
	});
});
