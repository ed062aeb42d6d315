import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filters, shows, wordsOf } from "../../web/tree/filters.ts";
import { grown } from "../../web/tree/grow.ts";
import { commonAncestor, parting, pathTo, siblingsOf, treeOf } from "../../web/tree/tree.ts";
import { World } from "../http/world.ts";
import { emptyTree, randomTree, said } from "./random-tree.ts";

const entries = [
	said("q1", null),
	{ ...said("s1", "q1", "assistant", 1), message: { role: "assistant", content: [{ type: "toolCall" }] } },
	said("t1", "s1", "toolResult", 2),
	said("a1", "t1", "assistant", 3),
	{ ...said("m1", "a1", "user", 4), type: "model_change", provider: "p", modelId: "m", message: undefined },
	said("q2", "a1", "user", 5),
];

describe("paths", () => {
	it("of any two entries: the common ancestor is the last one that both paths share, and the rest parts there", () => {
		fc.assert(
			fc.property(randomTree, fc.nat(), fc.nat(), (tree, one, other) => {
				const ids = [...tree.nodes.keys()];
				const [left, right] = [ids[one % ids.length]!, ids[other % ids.length]!];
				const onRight = new Set(pathTo(tree, right));
				const shared = pathTo(tree, left).filter((id) => onRight.has(id));
				expect(commonAncestor(tree, left, right)).toBe(shared.at(-1) ?? null);
				const parted = parting(tree, left, right);
				expect([...shared, ...parted.left]).toEqual(pathTo(tree, left));
				expect([...shared, ...parted.right]).toEqual(pathTo(tree, right));
			}),
		);
	});

	it("of nothing, of what is not there, of a cycle: end", () => {
		const node = { type: "message", timestamp: "", preview: "", children: [] };
		const cycle = treeOf({
			nodes: [
				{ ...node, id: "a", parentId: "b" },
				{ ...node, id: "b", parentId: "a" },
			],
			roots: [],
			leafId: null,
			seq: 2,
		});
		expect([pathTo(cycle, null), pathTo(cycle, "x"), pathTo(cycle, "a")]).toEqual([[], [], ["b", "a"]]);
	});

	it("siblings: all children of the parent; the roots for a root", () => {
		const tree = grown(emptyTree, [...entries, said("r2", null)]);
		expect([siblingsOf(tree, "q2"), siblingsOf(tree, "q1")]).toEqual([
			["m1", "q2"],
			["q1", "r2"],
		]);
	});
});

describe("filters", () => {
	const tree = grown(emptyTree, [
		...entries,
		{ type: "label", id: "l1", parentId: "q2", timestamp: "", targetId: "a1", label: "Keep" },
	]);
	const shown = (filter: (typeof filters)[number], search = "") =>
		[...tree.nodes.values()].filter((node) => shows(node, filter, wordsOf(search))).map(({ id }) => id);

	it("each shows what it is called", () => {
		expect(Object.fromEntries(filters.map((filter) => [filter, shown(filter)]))).toEqual({
			conversation: ["q1", "s1", "t1", "a1", "q2"],
			"no tools": ["q1", "a1", "q2"],
			users: ["q1", "q2"],
			labelled: ["a1"],
			all: ["q1", "s1", "t1", "a1", "m1", "q2", "l1"],
		});
	});

	it("a search: each word in preview, label or id, whatever its case", () => {
		expect([shown("all", "TEXT q2"), shown("all", "keep"), shown("all", "text nowhere")]).toEqual([
			["q2"],
			["a1", "l1"],
			[],
		]);
	});
});

describe("a tree that grows by the log's entries", () => {
	it("is the tree that the service answers", async () => {
		const world = new World();
		await world.post("/v1/sessions", { id: "s" });
		const append = (entry: unknown) => world.post("/v1/sessions/s/entries", entry);
		const base = "2026-01-01T00:00:0";
		await append({ entries: [{ ...entries[0], timestamp: `${base}1.000Z` }] });
		const before = treeOf((await world.get("/v1/sessions/s/tree")).body);
		await append({
			type: "message",
			id: "a1",
			message: { role: "assistant", content: [{ type: "text", text: " two\n words " }] },
		});
		await append({
			type: "message",
			id: "b1",
			parentId: "q1",
			timestamp: `${base}0.000Z`,
			message: { role: "user", content: "earlier" },
		});
		await append({ type: "label", targetId: "a1", label: "one" });
		await append({ type: "label", targetId: "q1", label: "two" });
		await append({ type: "label", targetId: "a1" });
		await append({ type: "session_info", name: "A name" });
		await append({ type: "model_change", provider: "p", modelId: "m" });
		await append({
			type: "message",
			id: "t1",
			message: { role: "toolResult", toolCallId: "c1", toolName: "t", content: [] },
		});
		await append({ type: "custom_message", customType: "x", display: true, content: "says" });
		await world.put("/v1/sessions/s/leaf", { targetId: "a1" });
		const later = (await world.get(`/v1/sessions/s/entries?after=${before.seq}`)).body;
		const after = treeOf((await world.get("/v1/sessions/s/tree")).body);
		const tree = grown(before, later.entries);
		expect({ ...tree, nodes: new Map(tree.nodes) }).toEqual(after);
	});
});
