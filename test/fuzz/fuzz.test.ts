import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../src/store/memory.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { user, World } from "../http/world.ts";
import { calls, problemOf } from "./document.ts";
import { erasure, type FuzzRequest, request, shareOf } from "./requests.ts";

/** `FUZZ_REQUESTS` asks for more or fewer, `FUZZ_SEED` for others. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const each = 100;

/** A bucket that counts what is really written to it. */
class CountingStore extends MemoryStore implements ObjectStore {
	writes = 0;

	override async put(...given: Parameters<MemoryStore["put"]>): ReturnType<MemoryStore["put"]> {
		const outcome = await super.put(...given);
		if (outcome.kind === "created") this.writes++;
		return outcome;
	}

	override async delete(keys: readonly string[]): Promise<void> {
		this.writes += keys.length;
		await super.delete(keys);
	}
}

const batch = fc.array(request, { minLength: each, maxLength: each });

const picture = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };

async function furnished() {
	const store = new CountingStore({ now: () => 1_767_323_045_000 });
	const world = new World({ store });
	const entries = [
		user("question", { id: "q1" }),
		{ type: "message", id: "p1", message: { role: "user", content: [picture], timestamp: 1 } },
		{
			type: "message",
			id: "a1",
			message: { role: "assistant", content: [{ type: "text", text: "an answer" }], timestamp: 1 },
		},
		{ ...user("again"), id: "q2", parentId: "q1" },
		{ type: "label", id: "l1", targetId: "a1", label: "here" },
		{ type: "compaction", id: "c1", summary: "so far", firstKeptEntryId: "q2", tokensBefore: 10 },
		{ type: "leaf", id: "x1", targetId: "a1" },
	];
	for (const id of ["one", "two", "gone"]) await world.session(entries, { id, name: id });
	await world.call("DELETE", "/v1/sessions/gone");
	const share = await world.call("POST", "/v1/sessions/one/shares", { scope: "read" });
	return { world, store, share: String(share.body.id) };
}

describe("requests made of the OpenAPI document", () => {
	it(`${requests} of them: no 500, each answer as documented, nothing stored after a refusal`, async () => {
		const seen = new Map<string, number>();
		const one = async (
			world: World,
			store: CountingStore,
			{ call: callOf, address, headers, body }: FuzzRequest,
		) => {
			const call = callOf();
			const before = store.writes;
			const init = { headers, ...(body !== undefined && { body: new TextEncoder().encode(body) }) };
			const response = await world.send(call.method, address, init);
			const text = await response.text();
			const type = response.headers.get("Content-Type");
			const isJson = /^application\/(problem\+)?json/.test(type ?? "");
			const told = {
				operation: call.operation.operationId,
				address,
				headers,
				body,
				status: response.status,
				text,
			};
			if (response.status === 500) expect(told).toBe("anything but a 500");
			const problem = problemOf(call, {
				status: response.status,
				type,
				body: isJson && text !== "" ? JSON.parse(text) : undefined,
			});
			if (problem !== undefined) expect({ problem, ...told }).toBe("as documented");
			if (response.status >= 400 && store.writes !== before) expect(told).toBe("refused without a trace");
			if (response.status === 304) expect(text).toBe("");
			const name = `${call.operation.operationId} ${Math.floor(response.status / 100)}`;
			seen.set(name, (seen.get(name) ?? 0) + 1);
		};
		await fc.assert(
			fc.asyncProperty(batch, erasure, async (all, last) => {
				const { world, store, share } = await furnished();
				for (const given of [...all, last]) {
					const address = given.address.replace(shareOf("one"), share);
					// A path with a broken address may lead to another call, or to none.
					if (new URL(address, "http://localhost").pathname !== address.split("?")[0]) continue;
					await one(world, store, { ...given, address });
				}
			}),
			{ seed, numRuns: Math.ceil(requests / each), endOnFailure: process.env.FUZZ_SHRINK === undefined },
		);
		for (const { operation } of calls) {
			for (const kind of ["2", "4"]) {
				expect([operation.operationId, kind, seen.get(`${operation.operationId} ${kind}`) ?? 0]).not.toEqual([
					operation.operationId,
					kind,
					0,
				]);
			}
		}
		const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
		expect(total).toBeGreaterThanOrEqual(requests * 0.95);
	}, 600_000);
});
