import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

const fixtures = join(import.meta.dirname, "../fixtures/sessions");
let place: Awaited<ReturnType<typeof commandLine>>;
let here: string;
let there: string;
beforeAll(async () => {
	place = await commandLine({ config: { limits: {} } });
	here = await mkdtemp(join(place.folder, "here-"));
	there = await mkdtemp(join(place.folder, "there-"));
	await cp(fixtures, here, { recursive: true });
});
afterAll(() => place.close());

/** The files of a folder by the id of their session. */
async function filesOf(folder: string): Promise<Map<string, string>> {
	const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
	const files = new Map<string, string>();
	for (const name of names) {
		const [first = ""] = (await readFile(join(folder, name), "utf8")).split("\n", 1);
		try {
			files.set(JSON.parse(first).id, join(folder, name));
		} catch {
			// Broken on purpose.
		}
	}
	return files;
}

/** What pi makes of a file: where it is, and what the model would see. */
function asPi(file: string) {
	const session = SessionManager.open(file);
	return { leaf: session.getLeafId(), path: session.getBranch(), context: session.buildSessionContext() };
}

describe("one person's sessions on two machines", () => {
	it("pi opens what was pulled at the same leaf, with the same context; and what it adds comes back", async () => {
		await place.leaf("push", here);
		const stored = new Set<string>();
		for await (const { id } of place.leaflog.sessions()) stored.add(id);
		expect(stored.size).toBeGreaterThan(3);
		expect((await place.leaf("pull", there)).status).toBe(0);
		const originals = await filesOf(here);
		const copies = await filesOf(there);
		expect(new Set(copies.keys())).toEqual(stored);
		for (const [id, copy] of copies) {
			const original = originals.get(id);
			if (original === undefined) throw new Error(`${id} came from nowhere`);
			// pi brings files of old versions up to date where they are, with ids of its own.
			const { version = 1 } = JSON.parse((await readFile(original, "utf8")).split("\n", 1)[0] ?? "");
			if (version === 3) expect(asPi(copy), id).toEqual(asPi(original));
			else expect(asPi(copy).context, id).toEqual(asPi(original).context);
		}

		const [id = "", copy = ""] = [...copies].find(([one]) => one.includes("-")) ?? [];
		const there1 = SessionManager.open(copy);
		const added = there1.appendMessage({ role: "user", content: "from the other machine", timestamp: 1 });
		expect((await place.leaf("push", there)).status).toBe(0);
		expect((await place.leaflog.session(id).leaf()).leafId).toBe(added);
		await rm(join(here, ".leaflog-sync"), { force: true });
		await place.leaf("pull", here);
		expect(asPi(originals.get(id) ?? "")).toEqual(asPi(copy));
	}, 60_000);

	it("a file of version 1: pull writes what was stored, and then pi's additions are pushed", async () => {
		const folder = await mkdtemp(join(place.folder, "old-"));
		const file = join(folder, "old.jsonl");
		const text = await readFile(join(fixtures, "01-v1-large-session.jsonl"), "utf8");
		await writeFile(file, text.replace(/"id":"[^"]+"/, '"id":"old"'));
		const copy = join(folder, "copy of it");
		await cp(file, copy);
		const before = SessionManager.open(copy).buildSessionContext();
		expect((await place.leaf("push", folder)).out).toContain("pull writes the file as it is stored");
		expect((await place.leaf("push", folder)).out).toBe("1 session: 1 unchanged\n");
		expect(await readFile(file, "utf8")).toBe(text.replace(/"id":"[^"]+"/, '"id":"old"'));
		const { out } = await place.leaf("pull", folder);
		expect(out).toContain("updated old.jsonl");
		const session = SessionManager.open(file);
		expect(session.buildSessionContext()).toEqual(before);
		const added = session.appendMessage({ role: "user", content: "and now", timestamp: 1 });
		expect((await place.leaf("push", folder)).out).toContain("updated old.jsonl (1 entry)");
		expect((await place.leaflog.session("old").leaf()).leafId).toBe(added);
	}, 60_000);

	it("a folder that pi was told of: files lie right in it, and pi finds them", async () => {
		const folder = join(place.folder, "own sessions");
		await place.leaflog.createSession({ id: "flat", cwd: "/home/me/rome" });
		await place.leaflog
			.session("flat")
			.append({ type: "message", message: { role: "user", content: "Ciao" } });
		const env = { LEAFLOG_URL: place.server.url, HOME: place.folder, PI_CODING_AGENT_SESSION_DIR: folder };
		await place.leafWith({ env }, "pull", "--cwd", "/home/me/rome");
		const found = await SessionManager.list("/home/me/rome", folder);
		expect(found.map(({ id }) => id)).toEqual(["flat"]);
		expect(await place.leafWith({ env }, "push")).toMatchObject({
			status: 0,
			out: "1 session: 1 unchanged\n",
		});
	});
});
