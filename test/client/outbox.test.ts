import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Outbox, type OutboxStorage } from "../../client/src/outbox.ts";
import { clientOf, type Fetch, says } from "./service.ts";

/** A network that can be off, and that loses answers. */
function network() {
	const state = { on: true, loseAnswers: 0 };
	const wrap =
		(fetch: Fetch): Fetch =>
		async (url, init) => {
			if (!state.on) throw new TypeError("offline");
			const response = await fetch(url, init);
			if (state.loseAnswers > 0) {
				state.loseAnswers--;
				throw new TypeError("lost");
			}
			return response;
		};
	return { state, wrap };
}

function memory(): OutboxStorage & { text: string | undefined } {
	return {
		text: undefined,
		load() {
			return this.text;
		},
		save(text) {
			this.text = text;
		},
	};
}

async function furnished() {
	const { state, wrap } = network();
	const { world, leaflog } = clientOf({ wrap, client: { retries: 0 } });
	await leaflog.createSession({ id: "s" });
	const session = leaflog.session("s");
	const base = await session.append(says("first", { id: "first" }));
	const told: unknown[] = [];
	const storage = memory();
	const open = async () => {
		const outbox = new Outbox(leaflog, {
			storage,
			onSent: (id, ids) => told.push(["sent", id, ids.length]),
			onBranch: (id, ids, parentId) => told.push(["branch", id, ids.length, parentId]),
			onFailed: (id, entries, { code }) => told.push(["failed", id, entries.length, code]),
		});
		await outbox.open();
		return outbox;
	};
	const path = async () =>
		(await session.branch()).entries.map((entry) => entry.type === "message" && entry.message.content);
	return { state, world, leaflog, session, base, told, open, path };
}

describe("outbox", () => {
	it("offline: entries have their ids at once, and are sent in order when there is a connection", async () => {
		const { state, base, told, open, path } = await furnished();
		const outbox = await open();
		state.on = false;
		const one = await outbox.append("s", says("one"), base);
		const two = await outbox.append("s", says("two"));
		expect([one.parentId, two.parentId]).toEqual(["first", one.id]);
		expect(outbox.pending("s").map(({ id }) => id)).toEqual([one.id, two.id]);
		expect(await outbox.flush()).toBe(false);
		const three = await outbox.append("s", says("three"));
		state.on = true;
		expect(await outbox.flush()).toBe(true);
		expect(await path()).toEqual(["first", "one", "two", "three"]);
		expect(three.parentId).toBe(two.id);
		expect(told).toEqual([
			["sent", "s", 2],
			["sent", "s", 1],
		]);
		expect(outbox.size).toBe(0);
	});

	it("the session went on elsewhere: the entries become a branch, and what follows stays on it", async () => {
		const { session, base, told, open, path } = await furnished();
		const outbox = await open();
		await outbox.append("s", says("mine"), base);
		await outbox.append("s", says("mine too"));
		await session.append(says("theirs"));
		await session.append(says("theirs too"));
		expect(await outbox.flush()).toBe(true);
		expect(told).toEqual([["branch", "s", 2, "first"]]);
		expect(await path()).toEqual(["first", "mine", "mine too"]);
		const { nodes } = await session.tree();
		expect(nodes.find(({ id }) => id === "first")?.children).toHaveLength(2);
	});

	it("answers that are lost, and restarts of the app: nothing twice, nothing lost", async () => {
		const step = fc.record({ restart: fc.boolean(), lose: fc.nat({ max: 2 }), on: fc.boolean() });
		const run = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
			const { state, base, open, path } = await furnished();
			let outbox = await open();
			const expected = ["first"];
			for (const [at, { restart, lose, on }] of steps.entries()) {
				if (restart) outbox = await open();
				const first = outbox.size === 0;
				state.on = true;
				await outbox.append("s", says(`entry ${at}`), at === 0 && first ? base : undefined);
				expected.push(`entry ${at}`);
				state.on = on;
				state.loseAnswers = lose;
				await outbox.flush();
				state.loseAnswers = 0;
			}
			state.on = true;
			state.loseAnswers = 0;
			outbox = await open();
			expect(await outbox.flush()).toBe(true);
			expect(await path()).toEqual(expected);
		});
		await fc.assert(run, { numRuns: 40, seed: 6 });
	});

	it("sessions can be made offline, and what can't be stored doesn't hold up the rest", async () => {
		const { state, leaflog, session, told, open } = await furnished();
		const outbox = await open();
		state.on = false;
		const id = await outbox.createSession({ name: "On the train" });
		await outbox.append(id, says("hello"));
		await outbox.append("gone", says("to nobody"), { leafId: null, seq: 0 });
		await outbox.append(id, says("more"));
		state.on = true;
		expect(await outbox.flush()).toBe(true);
		expect((await leaflog.session(id).get()).entryCount).toBe(3);
		expect(told).toContainEqual(["failed", "gone", 1, "not_found"]);
		const branch = await leaflog.session(id).branch();
		expect(branch.entries.at(-1)).toMatchObject({ message: { content: "more" } });
		expect((await session.get()).entryCount).toBe(1);
	});

	it("run: tries again until it is told to stop", async () => {
		const { state, base, open, path } = await furnished();
		const outbox = await open();
		state.on = false;
		await outbox.append("s", says("patient"), base);
		const abort = new AbortController();
		const running = outbox.run(abort.signal);
		await new Promise((resolve) => setTimeout(resolve, 5));
		state.on = true;
		while (outbox.size > 0) await new Promise((resolve) => setTimeout(resolve, 1));
		abort.abort();
		await running;
		expect(await path()).toEqual(["first", "patient"]);
	});
});
