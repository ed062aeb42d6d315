import { describe, expect, it } from "vitest";
import { deleteSession } from "../../src/operations/delete-session.ts";
import { updateSession } from "../../src/operations/update-session.ts";
import { create, list } from "./steps.ts";
import { requestsOf, World } from "./world.ts";

describe("updateSession", () => {
	it("renames, cleans the name, and an empty one takes it away", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "s");
		const update = (request: object) => updateSession(a.call(), { id: "s", ...request });
		expect(await update({ name: " two\r\nlines " })).toMatchObject({
			kind: "done",
			value: { name: "two lines", seq: 2 },
		});
		const cleared = await update({ name: "" });
		expect(cleared).toMatchObject({ kind: "done", value: { seq: 3 } });
		expect(cleared.kind === "done" && "name" in cleared.value).toBe(false);
	});

	it("metadata rides on an entry that repeats the name; null takes it away", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "s", { name: "Kept", metadata: { made: true } });
		const update = (request: object) => updateSession(a.call(), { id: "s", ...request });
		expect(await update({ metadata: { k: [1] } })).toMatchObject({
			value: { name: "Kept", metadata: { k: [1] } },
		});
		expect(await update({ name: "Other" })).toMatchObject({ value: { name: "Other", metadata: { k: [1] } } });
		const cleared = await update({ metadata: null });
		expect(cleared).toMatchObject({ value: { name: "Other", seq: 5 } });
		expect(cleared.kind === "done" && "metadata" in cleared.value).toBe(false);
		expect((await list(a)).sessions).toMatchObject([{ name: "Other", seq: 5 }]);
	});

	it("nothing given: nothing is written", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "s");
		const call = a.call();
		expect(await updateSession(call, { id: "s" })).toMatchObject({ kind: "done", value: { seq: 1 } });
		expect(requestsOf(call)).toEqual({ list: 0, get: 1, put: 0 });
		expect(await updateSession(a.call(), { id: "s", ifMatch: [7] })).toMatchObject({
			code: "precondition_failed",
		});
	});

	it("a repeat with its key is answered as the first time; with another content it is a conflict", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "s");
		const first = await updateSession(a.call(), { id: "s", name: "One", key: "k" });
		await updateSession(a.call(), { id: "s", name: "Two" });
		const again = await updateSession(world.instance().call(), { id: "s", name: "One", key: "k" });
		expect(again).toEqual({ ...first, replayed: true });
		expect(await updateSession(a.call(), { id: "s", name: "Three", key: "k" })).toMatchObject({
			code: "conflict",
		});
		expect((await list(a)).sessions).toMatchObject([{ name: "Two" }]);
	});

	it("refuses what is too large, a version that isn't there, and sessions that aren't", async () => {
		const world = new World();
		const a = world.instance();
		await create(world, a, "s");
		const update = (request: object) => updateSession(a.call(), { id: "s", name: "x", ...request });
		expect(await update({ name: "x".repeat(513) })).toMatchObject({ code: "payload_too_large" });
		expect(await update({ metadata: { x: "x".repeat(9000) } })).toMatchObject({ code: "payload_too_large" });
		expect(await update({ ifMatch: [7] })).toMatchObject({ code: "precondition_failed" });
		expect(await update({ ifMatch: [1] })).toMatchObject({ kind: "done" });
		expect(await update({ id: "nobody" })).toMatchObject({ code: "not_found" });
		await deleteSession(a.call(), { id: "s" });
		expect(await update({})).toMatchObject({ code: "gone" });
	});
});
