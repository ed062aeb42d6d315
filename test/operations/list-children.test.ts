import { describe, expect, it } from "vitest";
import { deleteSession } from "../../src/operations/delete-session.ts";
import { listChildren } from "../../src/operations/list-children.ts";
import type { SessionList } from "../../src/operations/list-sessions.ts";
import { create, ids, list } from "./steps.ts";
import { World } from "./world.ts";

describe("listChildren", () => {
	it("shows the sessions that name this one as their parent, whether they still have it or not", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "root");
		for (const id of ["x", "y"]) await create(world, a, id, { parentSession: "root" });
		await create(world, a, "grandchild", { parentSession: "x" });
		await create(world, a, "circle", { parentSession: "circle" });
		await create(world, a, "orphan", { parentSession: "nobody" });
		const children = async (id: string) => listChildren(a.call(), { id, limit: 50 });
		expect(ids((await children("root")) as SessionList)).toEqual(["y", "x"]);
		expect(ids((await children("circle")) as SessionList)).toEqual(["circle"]);
		expect(ids((await children("y")) as SessionList)).toEqual([]);
		expect(await children("nobody")).toMatchObject({ code: "not_found" });
		await deleteSession(a.call(), { id: "root" });
		expect(await children("root")).toMatchObject({ code: "gone" });
		expect(ids(await list(a)).sort()).toEqual(["circle", "grandchild", "orphan", "x", "y"]);
	});

	it("in pages", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "root");
		for (let k = 0; k < 5; k++) await create(world, a, `c${k}`, { parentSession: "root" });
		const shown: string[] = [];
		let cursor: string | undefined;
		do {
			const page = (await listChildren(a.call(), {
				id: "root",
				limit: 2,
				...(cursor && { cursor }),
			})) as SessionList;
			shown.push(...ids(page));
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		expect(shown).toEqual(["c4", "c3", "c2", "c1", "c0"]);
	});
});
