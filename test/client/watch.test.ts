import { describe, expect, it } from "vitest";
import type { WatchEvent } from "../../client/src/watch.ts";
import { seededRandom, World } from "../http/world.ts";
import { brisk, clientOf, type Fetch, fetchOf, says } from "./service.ts";

const texts = (events: readonly WatchEvent[]) =>
	events.map((event) =>
		event.type === "entry" && event.entry.type === "message" ? event.entry.message.content : event.type,
	);

async function take(events: AsyncIterable<WatchEvent>, count: number): Promise<WatchEvent[]> {
	const taken: WatchEvent[] = [];
	for await (const event of events) {
		taken.push(event);
		if (taken.length === count) break;
	}
	return taken;
}

describe("watch", () => {
	for (const mode of ["stream", "poll"] as const) {
		it(`${mode}: each entry once and in order, though connections break and instances come and go`, async () => {
			const config = { watch: { ...brisk, lifetime: 2000, pageEntries: 7 } };
			const first = new World({ config });
			const random = seededRandom(`unsteady ${mode}`);
			let current = first;
			let broken = 0;
			const unsteady: Fetch = async (url, init) => {
				if (random.fraction() < 0.2) {
					broken++;
					throw new TypeError("no network");
				}
				if (random.fraction() < 0.3) current = first.cold({ seed: `instance ${random.fraction()}` });
				const response = await fetchOf(() => current)(url, init);
				return response.body === null || mode === "poll"
					? response
					: new Response(cutOff(response.body, Math.floor(random.fraction() * 5000)), response);
			};
			const { leaflog } = clientOf({ world: first, wrap: () => unsteady, client: { retries: 50 } });
			const writer = clientOf({ world: first }).leaflog;
			await writer.createSession({ id: "s" });
			const writing = (async () => {
				for (let at = 0; at < 200; at += 5) {
					await writer
						.session("s")
						.append(Array.from({ length: 5 }, (_, step) => says(`entry ${at + step}`)));
				}
			})();
			const states: string[] = [];
			const events = await take(
				leaflog.session("s").watch({ after: 0, mode, onConnection: (state) => states.push(state) }),
				200,
			);
			await writing;
			expect(texts(events)).toEqual(Array.from({ length: 200 }, (_, at) => `entry ${at}`));
			expect(events.map((event) => event.type === "entry" && event.seq)).toEqual(
				Array.from({ length: 200 }, (_, at) => at + 1),
			);
			expect(states[0]).toBe("connected");
			if (mode === "stream") expect(states).toContain("lost");
			expect(broken).toBeGreaterThan(0);
		});

		it(`${mode}: without a cursor only what comes now; deleted is the last`, async () => {
			const { leaflog } = clientOf();
			await leaflog.createSession({ id: "s" });
			const session = leaflog.session("s");
			await session.append(says("old"));
			let connected = () => {};
			const ready = new Promise<void>((resolve) => {
				connected = resolve;
			});
			const watching = take(session.watch({ mode, onConnection: () => connected() }), 10);
			await ready;
			await session.append(says("new"));
			while ((await leaflog.session("s").leaf()).seq < 2);
			await new Promise((resolve) => setTimeout(resolve, 20));
			await session.delete();
			expect(texts(await watching)).toEqual(["new", "deleted"]);
		});

		it(`${mode}: a session that isn't there is an error; an aborted signal ends it`, async () => {
			const { leaflog } = clientOf();
			await expect(take(leaflog.session("none").watch({ mode }), 1)).rejects.toMatchObject({ status: 404 });
			await leaflog.createSession({ id: "s" });
			const abort = new AbortController();
			const watching = take(leaflog.session("s").watch({ mode, signal: abort.signal }), 1);
			setTimeout(() => abort.abort(), 20);
			expect(await watching).toEqual([]);
		});
	}
});

/** The first so many bytes, then a broken connection. */
function cutOff(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	let left = bytes;
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await reader.read();
			if (done) return controller.close();
			controller.enqueue(value.slice(0, left));
			left -= value.length;
			if (left > 0) return;
			await reader.cancel();
			controller.error(new TypeError("connection lost"));
		},
		cancel: () => reader.cancel(),
	});
}
