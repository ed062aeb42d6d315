import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branch, branchPage, siblings } from "../../src/session/branch.ts";
import type { Entry } from "../../src/session/entry.ts";
import { labels } from "../../src/session/labels.ts";
import { sessionInfo } from "../../src/session/name.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { sessionTree } from "../../src/session/tree.ts";
import { childIds, parentIdIn } from "../../src/session/tree-shape.ts";
import { entriesOfFile } from "./files.ts";
import { expectSame, fixture, fixtureNames, piSession, runs } from "./pi.ts";
import { flat, walked } from "./pi-tree.ts";
import { randomSession } from "./random-session.ts";

function compare(header: object, entries: readonly Entry[]): void {
	const session = piSession(header, entries);
	const index = indexOfEntries(entries);
	expectSame(walked(sessionTree(index)), flat(session.getTree()));
	for (const { id } of entries) {
		const path = branch(index, id) ?? [];
		expectSame(
			path.map((seq) => index.id(seq)),
			session.getBranch(id).map((entry: Entry) => entry.id),
		);
		expect(labels(index).get(id)?.label).toBe(session.getLabel(id));
		expectSame(
			new Set(childIds(index, id)),
			new Set(session.getChildren(id).map((child: Entry) => child.id)),
		);
	}
	expect(sessionInfo(index).name).toBe(session.getSessionName());
}

describe("tree, branch, labels, name: as in pi", () => {
	it("of random sessions", () => {
		fc.assert(
			fc.property(randomSession(), ({ header, entries }) => compare(header, entries)),
			runs,
		);
	});
	for (const name of fixtureNames.slice(1)) {
		it(`of ${name}`, () => {
			const { header, entries } = entriesOfFile(fixture(name));
			compare(header, entries);
		});
	}
	it(`of ${fixtureNames[0]}, but for each entry's children`, () => {
		const { header, entries } = entriesOfFile(fixture(fixtureNames[0] as string));
		const session = piSession(header, entries);
		const index = indexOfEntries(entries);
		expectSame(walked(sessionTree(index)), flat(session.getTree()));
		expect(branch(index)).toHaveLength(session.getBranch().length);
	});
});

function custom(id: string, parentId: string | null, second = 0): Entry {
	const timestamp = new Date(Date.UTC(2025, 0, 1) + second * 1000).toISOString();
	return { type: "custom", id, parentId, timestamp, customType: "x" };
}

describe("leaf entries: nobody's parent", () => {
	it("what hangs below one reads as hanging below its parent", () => {
		fc.assert(
			fc.property(
				randomSession(40),
				fc.array(fc.nat(39), { maxLength: 10 }),
				({ header, entries }, places) => {
					const hung: Entry[] = [];
					for (const [place, entry] of entries.entries()) {
						// Up to three leaf entries, one below the other, between an entry and its parent.
						let parentId = entry.parentId;
						for (const [count] of places
							.filter((at) => at === place)
							.slice(0, 3)
							.entries()) {
							const id = `leaf-${place}-${count}`;
							const { timestamp } = entry;
							hung.push({ type: "leaf", id, parentId, timestamp, targetId: null });
							parentId = id;
						}
						hung.push({ ...entry, parentId });
					}
					const index = indexOfEntries(hung);
					const session = piSession(header, entries);
					expectSame(walked(sessionTree(index)), flat(session.getTree()));
					for (const entry of entries) {
						expectSame(
							branch(index, entry.id)?.map((seq) => index.id(seq)),
							session.getBranch(entry.id).map((on: Entry) => on.id),
						);
						const seq = index.seqOf(entry.id) as number;
						const known = entries.some((other) => other.id === entry.parentId);
						if (known) expect(parentIdIn(index, seq)).toBe(entry.parentId);
					}
				},
			),
			runs,
		);
	});

	it("a circle of them hangs nowhere", () => {
		const leaf = (id: string, parentId: string): Entry => ({
			...custom(id, parentId),
			type: "leaf",
			targetId: null,
		});
		const index = indexOfEntries([leaf("a", "b"), leaf("b", "a"), custom("c", "b"), custom("d", "c")]);
		expect(sessionTree(index).roots).toEqual(["c"]);
		expect(branch(index, "d")).toEqual([3, 4]);
	});
});

describe("walks: end, whatever the parents are", () => {
	const circle = [
		custom("a", "c"),
		custom("b", "a"),
		custom("c", "b"),
		custom("d", "c"),
		custom("self", "self"),
	];
	it("a path stops before an entry would come again", () => {
		const index = indexOfEntries(circle);
		expect(branch(index, "d")).toEqual([1, 2, 3, 4]);
		expect(branch(index, "c")).toEqual([1, 2, 3]);
		expect(branch(index, "self")).toEqual([5]);
	});
	it("the tree shows every entry of a circle, and an entry that is its own parent as a root", () => {
		const tree = sessionTree(indexOfEntries(circle));
		expect(tree.nodes.map((node) => node.id)).toEqual(["a", "b", "c", "d", "self"]);
		expect(tree.roots).toEqual(["self"]);
	});
	it("siblings, filters and children come back", () => {
		const index = indexOfEntries(circle);
		expect(siblings(index, [1, 4])).toEqual(
			new Map([
				["a", ["a", "d"]],
				["d", ["a", "d"]],
			]),
		);
		expect(sessionTree(index, { q: "d" }).nodes.map((node) => node.id)).toEqual(["a", "b", "c", "d"]);
		expect(childIds(index, "c")).toEqual(["a", "d"]);
	});
});

describe("branch pages: newest first, then strictly older ones", () => {
	const line = Array.from({ length: 10 }, (_, place) =>
		custom(`e${place}`, place === 0 ? null : `e${place - 1}`),
	);
	const index = indexOfEntries([...line, custom("off", "e3")], "e9");
	const path = branch(index) as number[];
	it("pages meet without gap and without repeat", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 12 }), (limit) => {
				let seqs: number[] = [];
				let before: string | undefined;
				do {
					const page = branchPage(index, path, { limit, ...(before === undefined ? {} : { before }) });
					if (page === undefined) throw new Error("no such page");
					expect(page.seqs.length).toBeLessThanOrEqual(limit);
					seqs = [...page.seqs, ...seqs];
					before = page.nextBefore;
				} while (before !== undefined);
				expect(seqs).toEqual(path);
			}),
		);
	});
	it("before an entry that isn't on the path: no page", () => {
		expect(branchPage(index, path, { before: "off" })).toBeUndefined();
		expect(branchPage(index, path, { before: "nowhere" })).toBeUndefined();
		expect(branchPage(index, path, { before: "e0" })).toEqual({ seqs: [] });
	});
	it("an unknown entry has no path, null an empty one", () => {
		expect(branch(index, "nowhere")).toBeUndefined();
		expect(branch(index, null)).toEqual([]);
	});
});

describe("siblings: all children of the parent, in tree order", () => {
	it("by time, then log order, roots in log order", () => {
		const index = indexOfEntries([
			custom("r1", null, 9),
			custom("r2", "missing", 1),
			custom("b", "r1", 5),
			custom("a", "r1", 5),
			custom("first", "r1", 1),
			custom("only", "a", 2),
		]);
		expect(siblings(index, branch(index, "only") ?? [])).toEqual(
			new Map([
				["r1", ["r1", "r2"]],
				["a", ["first", "b", "a"]],
			]),
		);
	});
});

describe("tree filters: what matches, and its ancestors", () => {
	const entries: Entry[] = [
		{ ...custom("root", null), type: "message", message: { role: "user", content: "Grüße", timestamp: 0 } },
		{
			...custom("tool", "root"),
			type: "message",
			message: { role: "toolResult", toolCallId: "call-1", content: [] },
		},
		custom("plain", "tool"),
		{ ...custom("mark", "plain"), type: "label", targetId: "tool", label: "Checkpoint" },
		custom("side", "root"),
	];
	const index = indexOfEntries(entries);
	const ids = (filter: object) => sessionTree(index, filter).nodes.map((node) => node.id);
	it("by type", () => expect(ids({ types: ["custom"] })).toEqual(["root", "tool", "plain", "side"]));
	it("by text in the preview", () => expect(ids({ q: "grüSSE".replace("SS", "ß") })).toEqual(["root"]));
	it("by text in the label", () => expect(ids({ q: "CHECK" })).toEqual(["root", "tool", "plain", "mark"]));
	it("by text in the id", () => expect(ids({ q: "side" })).toEqual(["root", "side"]));
	it("by label", () => expect(ids({ labeled: true })).toEqual(["root", "tool"]));
	it("all at once", () => expect(ids({ labeled: true, types: ["label"] })).toEqual([]));
	it("children and roots are those that are shown", () => {
		const tree = sessionTree(index, { labeled: true });
		expect(tree.roots).toEqual(["root"]);
		expect(tree.nodes.map((node) => node.children)).toEqual([["tool"], []]);
	});
	it("a tool message tells its role and call, so that it can be folded", () => {
		const [, tool] = sessionTree(index).nodes;
		expect(tool).toMatchObject({
			type: "message",
			role: "toolResult",
			toolCallId: "call-1",
			label: "Checkpoint",
		});
	});
});

describe("labels: plain names, whatever they are", () => {
	it("__proto__, constructor and toString are targets and labels like any other", () => {
		const names = ["__proto__", "constructor", "toString"];
		const entries = names.flatMap((name) => [
			custom(name, null),
			{ ...custom(`label-of-${name}`, name), type: "label", targetId: name, label: name },
		]);
		const index = indexOfEntries(entries);
		expect([...labels(index).values()].map((mark) => [mark.targetId, mark.label])).toEqual(
			names.map((name) => [name, name]),
		);
		expect(sessionTree(index).nodes.filter((node) => node.label !== undefined)).toHaveLength(3);
		expect(branch(index, "__proto__")).toEqual([1]);
	});
	it("empty, absent and blank ones clear, and a label set again goes to the end", () => {
		const label = (id: string, targetId: string, text?: string): Entry => ({
			...custom(id, null),
			type: "label",
			targetId,
			...(text === undefined ? {} : { label: text }),
		});
		const entries = [label("1", "a", "A"), label("2", "b", "B"), label("3", "c", "C"), label("4", "b", "B2")];
		const cleared = [...entries, label("5", "a", " "), label("6", "c", ""), label("7", "a", "again")];
		expect([...labels(indexOfEntries(entries)).keys()]).toEqual(["a", "b", "c"]);
		expect([...labels(indexOfEntries(cleared)).values()].map((mark) => mark.label)).toEqual(["B2", "again"]);
	});
});

describe("name and metadata: the last ones count", () => {
	const info = (id: string, fields: object): Entry => ({
		...custom(id, null),
		type: "session_info",
		...fields,
	});
	it("an empty name clears", () => {
		expect(sessionInfo(indexOfEntries([info("1", { name: "A" }), info("2", { name: " " })]))).toEqual({});
	});
	it("metadata stays while only the name changes", () => {
		const entries = [info("1", { name: "A", metadata: { k: 1 } }), info("2", { name: "B" })];
		expect(sessionInfo(indexOfEntries(entries))).toEqual({ name: "B", metadata: { k: 1 } });
		expect(sessionInfo(indexOfEntries([...entries, info("3", { name: "B", metadata: null })]))).toEqual({
			name: "B",
		});
	});
});
