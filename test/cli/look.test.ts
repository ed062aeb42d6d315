import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cut } from "../../cli/plain.ts";
import { treePicture } from "../../cli/tree-picture.ts";
import { says } from "../client/service.ts";
import { commandLine } from "./command-line.ts";

const root = join(import.meta.dirname, "../..");
let place: Awaited<ReturnType<typeof commandLine>>;
beforeAll(async () => {
	place = await commandLine();
	const { leaflog } = place;
	await leaflog.createSession({ id: "s", cwd: "/work", entries: [says("hello", { id: "a" })] });
	const session = leaflog.session("s");
	await session.append({
		type: "message",
		id: "b",
		message: {
			role: "assistant",
			content: [
				{ type: "text", text: "two\nlines\u001b[31m" },
				{ type: "toolCall", id: "t", name: "ls", arguments: { path: "/" } },
			],
		},
	});
	await session.append([says("left", { id: "c", parentId: "b" }), says("right", { id: "d", parentId: "b" })]);
	await session.append({ type: "label", targetId: "c", label: "best\u001b]0;x\u0007" });
	await session.setLeaf("c");
	await session.update({ name: "A \u001b[2Jname" });
	await session.setLeaf("c");
});
afterAll(() => place.close());

describe("looking at sessions", () => {
	it("tree: branches, labels, the leaf; no control character of a session reaches the terminal", async () => {
		const { out, status } = await place.leaf("tree", "s", "--filter", "message");
		expect(status).toBe(0);
		expect(out.split("\n")).toEqual([
			"• a user: hello",
			"• b assistant: two lines [31m",
			"├─ ● c user: left [best ]0;x]  ← leaf",
			"└─   d user: right",
			"",
		]);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
		expect((await place.leaf("ls")).out + out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
	});

	it("tree: ten thousand entries deep, and folded", () => {
		const nodes = Array.from({ length: 10_000 }, (_, at) => ({
			id: `n${at}`,
			parentId: at === 0 ? null : `n${at - 1}`,
			type: "message",
			role: "user",
			timestamp: "",
			preview: "x",
			children: at === 9999 ? [] : [`n${at + 1}`],
			...(at === 5000 && { label: "middle" }),
		}));
		const tree = { roots: ["n0"], nodes, leafId: "n9999", seq: 10_000 };
		expect([...treePicture(tree)]).toHaveLength(10_000);
		expect([...treePicture(tree, { fold: true })]).toEqual([
			"• n0 user: x",
			"  ⋯ 4999 entries",
			"• n5000 user: x [middle]",
			"  ⋯ 4998 entries",
			"● n9999 user: x  ← leaf",
		]);
	});

	it("tree on a screen: no line is wider than it, whatever is in it", async () => {
		expect(cut("hello", 5)).toBe("hello");
		expect(cut("hello", 4)).toBe("hel…");
		expect(cut("日本語", 6)).toBe("日本語");
		expect(cut("日本語", 5)).toBe("日本…");
		expect(cut("e\u0301e\u0301e\u0301", 3)).toBe("e\u0301e\u0301e\u0301");
		const { out } = await place.leafWith({ columns: 14 }, "tree", "s", "--filter", "message");
		expect(out.split("\n").map((line) => line.length <= 14)).not.toContain(false);
		expect(out).toContain("• b assistant…\n");
	});

	it("ls, cat, export and fork, as text and as JSON", async () => {
		const list = await place.leaf("ls", "-q", "name");
		expect(list.out).toMatch(/^s {2}\d{4}-\d\d-\d\d \d\d:\d\d +4 {2}A \[2Jname\n$/);
		expect(JSON.parse((await place.leaf("ls", "--json", "--cwd", "/nowhere")).out)).toEqual([]);
		const cat = await place.leaf("cat", "s");
		expect(cat.out).toBe(
			'user:\n  hello\nassistant:\n  two\n  lines [31m\n  → ls {"path":"/"}\nuser:\n  left\n',
		);
		const lines = (await place.leaf("--json", "cat", "s", "--from", "d")).out.trim().split("\n");
		expect(lines.map((line) => JSON.parse(line).id)).toEqual(["a", "b", "d"]);
		const file = join(place.folder, "s.jsonl");
		expect((await place.leaf("export", "s", "-o", file)).status).toBe(0);
		expect(await readFile(file, "utf8")).toBe((await place.leaf("export", "s")).out);
		expect((await place.leaf("export", "s", "--log")).out).toContain('"type":"leaf"');
		expect((await place.leaf("fork", "s", "d", "--id", "forked")).out).toBe("forked\n");
		expect(JSON.parse((await place.leaf("fork", "s", "d", "--at", "--json")).out).session.entryCount).toBe(3);
	});

	it("what goes wrong: a sentence, a status, and JSON where it was asked for", async () => {
		expect(await place.leaf("tree", "none")).toEqual({
			status: 1,
			out: "",
			err: "leaflog: There is no session with this id\n",
		});
		const { err } = await place.leaf("--json", "cat", "none");
		expect(JSON.parse(err)).toMatchObject({ code: "not_found", status: 404 });
		expect((await place.leaf("nonsense")).status).toBe(2);
		expect((await place.leaf("tree")).err).toContain("missing required argument");
		expect((await place.leaf("--help")).out).toContain("push");
	});

	it("watch: prints what comes, and ends with the session", async () => {
		await place.leaflog.createSession({ id: "live", entries: [says("before")] });
		const watching = place.leaf("watch", "live", "--after", "0");
		await place.leaflog.session("live").append(says("after"));
		await new Promise((resolve) => setTimeout(resolve, 100));
		await place.leaflog.session("live").delete();
		expect((await watching).out).toBe("user:\n  before\nuser:\n  after\nthe session was deleted\n");
	});
});

describe("the program", () => {
	it("runs from the repository, and leaves when it is told to", { timeout: 60_000 }, async () => {
		await place.leaflog.createSession({ id: "quiet", entries: [says("hello")] });
		const child = spawn("node", [join(root, "cli/main.ts"), "watch", "quiet", "--after", "0"], {
			env: { ...process.env, LEAFLOG_URL: place.server.url },
		});
		await new Promise<void>((resolve) => child.stdout.on("data", () => resolve()));
		const ended = new Promise((resolve) => child.once("exit", resolve));
		child.kill("SIGINT");
		expect(await ended).toBe(0);
	});
});
