import { spawn } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../http/world.ts";
import { commandLine } from "./command-line.ts";

let place: Awaited<ReturnType<typeof commandLine>>;
beforeEach(async () => {
	place = await commandLine({ config: { limits: {} } });
});
afterEach(() => place.close());

const calls = () => place.server.world.lines.map(({ method, route }) => `${method} ${route}`);

const json = async (...args: string[]) => {
	const { status, out } = await place.leaf("--json", ...args);
	return { status, ...(JSON.parse(out) as { results: Record<string, unknown>[]; counts: object }) };
};

function lineOf(id: string, parentId: string | null, text: string): string {
	const timestamp = "2026-01-02T03:04:05.000Z";
	const message = { role: "user", content: text, timestamp: Date.parse(timestamp) };
	return `${JSON.stringify({ type: "message", id, parentId, timestamp, message })}\n`;
}

function headerOf(id: string, cwd = "/home/me/project"): string {
	return `${JSON.stringify({ type: "session", version: 3, id, timestamp: "2026-01-02T03:04:05.000Z", cwd })}\n`;
}

/** A folder as pi leaves it, with some sessions. */
async function sessions(count: number): Promise<string> {
	const folder = join(place.folder, "sessions");
	for (let at = 0; at < count; at++) {
		const project = join(folder, `--home-me-project-${at % 2}--`);
		await mkdir(project, { recursive: true });
		const text = headerOf(`session-${at}`, `/home/me/project-${at % 2}`);
		await writeFile(
			join(project, `2026-01-02T03-04-05-000Z_session-${at}.jsonl`),
			`${text}${lineOf("a", null, `hello ${at}`)}${lineOf("b", "a", "more")}`,
		);
	}
	return folder;
}

const fileOf = (folder: string, at: number) =>
	join(folder, `--home-me-project-${at % 2}--`, `2026-01-02T03-04-05-000Z_session-${at}.jsonl`);

describe("push", () => {
	it("every session of the folder, then only what changed", async () => {
		const folder = await sessions(3);
		expect(await json("push", folder)).toMatchObject({ status: 0, counts: { created: 3 } });
		expect((await place.leaflog.session("session-1").branch()).entries).toMatchObject([
			{ id: "a", message: { content: "hello 1" } },
			{ id: "b", parentId: "a" },
		]);
		place.server.world.lines.length = 0;
		expect((await json("push", folder)).counts).toEqual({ unchanged: 3 });
		expect(calls()).toEqual(["GET /v1/sessions"]);
		await appendFile(fileOf(folder, 1), lineOf("c", "a", "another branch"));
		const { results, counts } = await json("push", folder);
		expect(counts).toEqual({ unchanged: 2, updated: 1 });
		expect(results.find(({ outcome }) => outcome === "updated")).toMatchObject({
			session: "session-1",
			entries: 1,
		});
		expect((await place.leaflog.session("session-1").leaf()).leafId).toBe("c");
		await appendFile(fileOf(folder, 1), lineOf("d", "c", "and one more"));
		place.server.world.lines.length = 0;
		expect((await json("push", folder)).counts).toEqual({ unchanged: 2, updated: 1 });
		// What both had in common is not read again.
		expect(calls().filter((call) => call.endsWith("/entries"))).toEqual([
			"GET /v1/sessions/:id/entries",
			"POST /v1/sessions/:id/entries",
		]);
	});

	it("shows somebody who looks how far it is, and nobody else", async () => {
		const folder = await sessions(4);
		const { err, out } = await place.leafWith({ interactive: true }, "push", folder);
		const shown = err.split("\r\u001b[K").filter((text) => text !== "");
		expect(shown).toEqual([
			"[#####               ] 1/4",
			"[##########          ] 2/4",
			"[###############     ] 3/4",
			"[####################] 4/4",
		]);
		expect(out).toContain("4 sessions: 4 created");
		expect((await place.leaf("push", folder)).err).toBe("");
	});

	it("a file larger than an import may be: there as a whole, and again nothing to do", async () => {
		const folder = await sessions(1);
		const text = "large ".repeat(50_000);
		const lines = Array.from({ length: 120 }, (_, at) =>
			lineOf(`x${at}`, at === 0 ? "b" : `x${at - 1}`, text),
		);
		await appendFile(fileOf(folder, 0), lines.join(""));
		expect(await json("push", folder)).toMatchObject({
			status: 0,
			results: [{ outcome: "created", entries: 122 }],
		});
		expect(await place.leaflog.session("session-0").leaf()).toEqual({ leafId: "x119", seq: 122 });
		expect((await json("push", folder)).counts).toEqual({ unchanged: 1 });
		await place.leaf("export", "session-0", "-o", join(place.folder, "out.jsonl"));
		expect(await readFile(join(place.folder, "out.jsonl"), "utf8")).toBe(
			await readFile(fileOf(folder, 0), "utf8"),
		);
	}, 180_000);

	it("a service that takes less at once, and a line that it refuses: all before that line is there", async () => {
		const modest = await commandLine({ config: { limits: { importBytes: 20_000, appendBytes: 6_000 } } });
		const folder = join(modest.folder, "sessions");
		await mkdir(folder);
		const lines = Array.from({ length: 300 }, (_, at) =>
			lineOf(`x${at}`, at === 0 ? null : `x${at - 1}`, "text"),
		);
		await writeFile(join(folder, "large.jsonl"), headerOf("large") + lines.join(""));
		expect((await modest.leaf("push", folder)).out).toContain("created large.jsonl (300 entries)");
		expect(await modest.leaflog.session("large").export()).toBe(headerOf("large") + lines.join(""));
		expect((await modest.leaf("push", folder)).out).toBe("1 session: 1 unchanged\n");

		const unknown = lineOf("later", "y0", "?").replace('"message"', '"of_a_later_pi"');
		await appendFile(
			join(folder, "large.jsonl"),
			lineOf("y0", "x299", "y") + unknown + lineOf("y1", "later", "z"),
		);
		for (let run = 0; run < 2; run++) {
			const { status, out } = await modest.leaf("push", folder);
			expect([status, out]).toEqual([1, expect.stringContaining("failed large.jsonl: line 303: ")]);
			expect(await modest.leaflog.session("large").leaf()).toEqual({ leafId: "y0", seq: 301 });
		}
		await modest.close();
	});

	it("killed anywhere: the next run goes on, and nothing is there twice", async () => {
		const random = seededRandom("killed");
		const folder = await sessions(8);
		const program = join(import.meta.dirname, "../../cli/main.ts");
		const env = { ...process.env, LEAFLOG_URL: place.server.url };
		for (let round = 0; round < 4; round++) {
			for (let at = 0; at < 8; at++) await appendFile(fileOf(folder, at), lineOf(`r${round}`, "b", "branch"));
			const child = spawn(process.execPath, [program, "push", folder], { env, stdio: "ignore" });
			const ended = new Promise((resolve) => child.once("exit", resolve));
			// Some while after the first request of this run; the start of a process takes much longer than a request.
			const { lines } = place.server.world;
			const from = lines.length;
			while (lines.length <= from + Math.floor(random.fraction() * 12)) {
				await new Promise((resolve) => setTimeout(resolve, 1));
			}
			child.kill("SIGKILL");
			await ended;
		}
		expect((await json("push", folder)).status).toBe(0);
		for (let at = 0; at < 8; at++) {
			expect((await place.leaflog.session(`session-${at}`).get()).seq).toBe(6);
		}
	}, 180_000);

	it("interrupted anywhere: the next run goes on, and nothing is there twice", async () => {
		const random = seededRandom("interrupted");
		const folder = await sessions(6);
		const { server } = place;
		const app = server.world.fetch.bind(server.world);
		let left = 0;
		server.world.fetch = async (request) => {
			const response = await app(request);
			if (left-- > 0) return response;
			// The answer is lost after the write took effect.
			return new Response(null, { status: 401 });
		};
		for (let round = 0; round < 40; round++) {
			left = Math.floor(random.fraction() * 4);
			await place.leaf("push", folder);
		}
		left = Number.POSITIVE_INFINITY;
		expect((await json("push", folder)).status).toBe(0);
		for (let at = 0; at < 6; at++) {
			expect((await place.leaflog.session(`session-${at}`).get()).seq).toBe(2);
		}
	});

	it("where both sides went on: told, and kept apart until --merge makes branches of them", async () => {
		const folder = await sessions(1);
		await place.leaf("push", folder);
		const session = place.leaflog.session("session-0");
		await session.append({ type: "message", id: "there", message: { role: "user", content: "there" } });
		await appendFile(fileOf(folder, 0), lineOf("here", "b", "here"));
		const told = await place.leaf("push", folder);
		expect(told.status).toBe(1);
		expect(told.out).toContain("went on in both places: 1 entries here, 1 there");
		expect((await session.get()).seq).toBe(3);
		expect((await json("pull", folder)).counts).toEqual({ conflict: 1 });
		expect(await readFile(fileOf(folder, 0), "utf8")).not.toContain('"there"');
		expect((await json("push", folder, "--merge")).counts).toEqual({ updated: 1 });
		const { nodes } = await session.tree();
		expect(nodes.find(({ id }) => id === "b")?.children.toSorted()).toEqual(["here", "there"]);
		expect((await json("pull", folder)).counts).toEqual({ updated: 1 });
		expect(await readFile(fileOf(folder, 0), "utf8")).toContain('"there"');
	});

	it("an entry that means something else there, and files that are none: told, the rest is sent", async () => {
		const folder = await sessions(2);
		await place.leaf("push", folder);
		await writeFile(fileOf(folder, 0), `${headerOf("session-0")}${lineOf("a", null, "rewritten")}`);
		await writeFile(join(folder, "broken.jsonl"), `${headerOf("broken")}{"type":"mess`);
		await writeFile(join(folder, "cycle.jsonl"), `${headerOf("cycle")}${lineOf("x", "missing", "?")}`);
		await appendFile(fileOf(folder, 1), lineOf("c", "b", "fine"));
		const { status, results } = await json("push", folder);
		expect(status).toBe(1);
		const outcome = (path: string) => results.find((result) => String(result.path).includes(path));
		expect(outcome("session-0")).toMatchObject({
			outcome: "conflict",
			detail: "entry a is another one there",
		});
		expect(outcome("broken")).toMatchObject({ outcome: "failed", detail: "line 2 is cut off in the middle" });
		expect(outcome("cycle")).toMatchObject({ outcome: "failed", detail: expect.stringContaining("2:") });
		expect(outcome("session-1")).toMatchObject({ outcome: "updated", entries: 1 });
		expect((await json("push", folder, "--repair")).results).toContainEqual(
			expect.objectContaining({ path: "cycle.jsonl", outcome: "created" }),
		);
	});
});

describe("pull", () => {
	it("every session to where pi looks for it, then only what changed", async () => {
		const folder = join(place.folder, "empty");
		const { leaflog } = place;
		await leaflog.createSession({ id: "one", cwd: "/home/me/project" });
		await leaflog.createSession({ id: "two", cwd: "/../../etc" });
		const one = leaflog.session("one");
		await one.append([
			{ type: "message", id: "a", message: { role: "user", content: "hi" } },
			{ type: "message", id: "b", message: { role: "user", content: "ho" } },
		]);
		await one.setLeaf("a");
		expect((await json("pull", folder)).counts).toEqual({ created: 2 });
		expect((await readdir(folder)).filter((name) => !name.startsWith(".")).sort()).toEqual([
			"--..-..-etc--",
			"--home-me-project--",
		]);
		const [file = ""] = await readdir(join(folder, "--home-me-project--"));
		expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_one\.jsonl$/);
		const path = join(folder, "--home-me-project--", file);
		const opened = SessionManager.open(path);
		expect(opened.getBranch().map(({ id }) => id)[0]).toBe("a");
		expect(opened.buildSessionContext().messages).toMatchObject([{ content: "hi" }]);

		place.server.world.lines.length = 0;
		expect((await json("pull", folder)).counts).toEqual({ unchanged: 2 });
		// Two sessions, each asked for itself: the list is behind.
		expect(calls().sort()).toEqual(["GET /v1/sessions", "GET /v1/sessions/:id", "GET /v1/sessions/:id"]);
		place.server.world.lines.length = 0;
		expect((await json("pull", folder, "--quick")).counts).toEqual({ unchanged: 2 });
		expect(calls()).toEqual(["GET /v1/sessions"]);
		await one.append({ type: "message", id: "c", message: { role: "user", content: "new" } });
		expect((await json("pull", folder)).counts).toEqual({ unchanged: 1, updated: 1 });
		expect(await readFile(path, "utf8")).toContain('"new"');
	});

	it("there and back: what pi goes on with is pushed, what was pulled is not pushed again", async () => {
		const folder = await sessions(2);
		await place.leaf("push", folder);
		const other = join(place.folder, "another machine");
		expect((await json("pull", other)).counts).toEqual({ created: 2 });
		expect((await json("push", other)).counts).toEqual({ unchanged: 2 });
		const [file = ""] = await readdir(join(other, "--home-me-project-0--"));
		const path = join(other, "--home-me-project-0--", file);
		await appendFile(path, lineOf("c", "b", "from the other machine"));
		expect((await json("push", other)).counts).toEqual({ unchanged: 1, updated: 1 });
		expect((await json("pull", folder)).counts).toEqual({ unchanged: 1, updated: 1 });
		expect(await readFile(fileOf(folder, 0), "utf8")).toContain("from the other machine");
		// Without its memory, and with new times, it compares and finds nothing to do.
		await writeFile(join(other, ".leaflog-sync"), "broken");
		await utimes(path, 1, 1);
		expect((await json("push", other)).counts).toEqual({ unchanged: 2 });
	});

	it("a file with entries of its own is not written over", async () => {
		const folder = await sessions(1);
		await place.leaf("push", folder);
		const session = place.leaflog.session("session-0");
		await session.append({ type: "message", message: { role: "user", content: "there" } });
		await appendFile(fileOf(folder, 0), lineOf("mine", "b", "mine"));
		const { out, status } = await place.leaf("pull", folder);
		expect(status).toBe(1);
		expect(out).toContain("went on in both places: 1 entries here that were not pushed, 1 there");
		expect(await readFile(fileOf(folder, 0), "utf8")).toContain('"mine"');
	});
});
