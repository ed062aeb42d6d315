import { describe, expect, it } from "vitest";
import { appendEntries } from "../../src/operations/append-entries.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { type Erasure, eraseNamespace } from "../../src/operations/erase-namespace.ts";
import { createShare } from "../../src/operations/manage-shares.ts";
import { openSession } from "../../src/operations/open-session.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { interrupted, killed } from "./interrupted-store.ts";
import { append, create, listed, minute, run } from "./sweep-steps.ts";
import { World } from "./world.ts";

const sessions = ["a", "b", "c"];

/** Two namespaces with the same sessions, a share each. */
async function filled(): Promise<World> {
	const world = new World();
	const instance = world.instance();
	for (const namespace of ["somebody", "other"]) {
		for (const id of sessions) await create(instance, id, `text of ${namespace}`, namespace);
		expect((await createShare(instance.call(namespace), { session: "a", scope: "read" })).kind).toBe("done");
	}
	await append(instance, "b", "more text of somebody");
	return world;
}

async function erase(world: World, store?: ObjectStore): Promise<Erasure> {
	const outcome = await eraseNamespace(world.instance().call("somebody", store));
	if (outcome.kind !== "erasure") throw new Error(outcome.code);
	return outcome;
}

/** Calls again and again, as clients do, with an hour and the clean-up between; how often it took. */
async function eraseWholly(world: World): Promise<number> {
	for (let calls = 1; calls < 10; calls++) {
		if ((await erase(world)).done) return calls;
		world.clock.ms += 61 * minute;
		expect((await run(world)).problems).toEqual([]);
	}
	throw new Error("never done");
}

/** What of the erased namespace anybody could find in the bucket, and how much of the other is there. */
async function leftOf(world: World) {
	const all = [...(await world.contents())];
	const text = all.map(([key, content]) => key + content).join("\n");
	return {
		erased: text.includes("text of somebody"),
		shares: all.filter(([key]) => key.startsWith("~share/")).length,
		others: await listed(world.instance(), "other"),
		shown: await listed(world.instance(), "somebody"),
	};
}

const onlyOthers = { erased: false, shares: 1, others: sessions, shown: [] };

describe("erasure of a namespace", () => {
	it("killed before any of its requests: whoever calls again brings it to its end, and done means nothing is left", async () => {
		const whole = killed((await filled()).store, Number.POSITIVE_INFINITY);
		await erase(await filled(), whole.store);
		expect(whole.asked()).toBeGreaterThan(10);
		for (let at = 0; at < whole.asked(); at++) {
			const world = await filled();
			await eraseNamespace(world.instance().call("somebody", killed(world.store, at).store)).catch(() => {});
			await eraseWholly(world);
			expect([at, await leftOf(world)]).toEqual([at, onlyOthers]);
		}
	});

	it("while others write: what is acknowledged is erased by the same call or the next, or tells of the deletion", async () => {
		const whole = interrupted((await filled()).store, () => {});
		await erase(await filled(), whole.store);
		for (let at = 0; at < whole.asked(); at++) {
			const world = await filled();
			const writer = world.instance();
			const message = {
				type: "message",
				message: { role: "user", content: "text of somebody", timestamp: 1 },
			};
			const answers: string[] = [];
			const { store } = interrupted(world.store, async (request) => {
				if (request !== at) return;
				const appended = await appendEntries(writer.call(), { id: "c", body: message, keepLeaf: false });
				const created = await createSession(writer.call(), { id: "late", entries: [message] });
				const shared = await createShare(writer.call(), { session: "late", scope: "read" });
				answers.push(appended.kind, created.kind, shared.kind);
			});
			await erase(world, store);
			expect(answers).toEqual([expect.stringMatching(/^(done|refused)$/), "done", "done"]);
			await eraseWholly(world);
			expect([at, await leftOf(world)]).toEqual([at, onlyOthers]);
			expect(await openSession(world.instance().call(), "late")).toMatchObject({ code: "gone" });
		}
	});

	it("of sessions whose logs somebody has taken away: their names leave the lists", async () => {
		const world = await filled();
		const keys = [...(await world.contents()).keys()].filter((key) => key.includes("/s/a/"));
		await world.store.delete(keys);
		await eraseWholly(world);
		expect(await listed(world.instance())).toEqual([]);
	});
});
