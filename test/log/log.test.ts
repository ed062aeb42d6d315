import { describe, expect, it } from "vitest";
import { appendOne, contentsOf, genesis, World } from "./instances.ts";

const name = { namespace: "n", id: "s" };

describe("log", () => {
	it("cold reading equals what the writer knows, at every length", async () => {
		const world = new World();
		const writer = world.instance();
		await writer.create(world.scope(), name, { tag: "make", genesis, records: [] });
		for (let k = 1; k <= 200; k++) {
			const outcome = await appendOne(writer, world.scope(), name, `e${k}`, 100 + ((k * 997) % 4000));
			expect(outcome).toMatchObject({ kind: "done", answer: { seq: k, replayed: false } });
			const [warm, cold] = [await writer.read(world.scope(), name), await world.instance().read(world.scope(), name)];
			if (warm.kind !== "ok" || cold.kind !== "ok") throw new Error(`${warm.kind} ${cold.kind}`);
			if (k % 10 === 0 || k < 20) expect(await contentsOf(cold.view)).toEqual(await contentsOf(warm.view));
		}
	});
});
