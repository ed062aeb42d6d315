import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { EventReader } from "./event-reader.ts";
import { seededRandom, user, World } from "./world.ts";

/** Looks often: whoever sleeps so shortly moves the clock on. */
const brisk = { firstPause: 100, longestPause: 100 };

/** Lets all that is under way in this process go on until it waits for the clock. */
async function settle(): Promise<void> {
	for (let turn = 0; turn < 50; turn++) await setImmediate();
}

describe("watching a session", () => {
	it("after=0: everything that is there, every type, each line as a page of the log has it", async () => {
		const world = new World({ config: { watch: { lifetime: 0 } } });
		const session = await world.session([user("one", { id: "a" }), user("two\u2028\r\n", { id: "b" })]);
		await world.put(`${session}/leaf`, { targetId: "a" });
		const page = (await world.get(`${session}/entries`)).body.entries;
		const reader = await EventReader.open(world.cold(), `${session}/events?after=0`);
		const { headers } = reader.response;
		expect(headers.get("Content-Type")).toBe("text/event-stream");
		expect(headers.get("Cache-Control")).toBe("private, no-cache");
		expect(headers.get("Vary")).toContain("Accept");
		const events = await reader.rest();
		expect(events.map(({ event }) => event)).toEqual(["entry", "entry", "entry"]);
		expect(events.map(({ id }) => id)).toEqual(["1", "2", "3"]);
		expect(events.map(({ data }) => JSON.parse(data ?? ""))).toEqual(page);
		expect(page[2].type).toBe("leaf");
	});

	it("without a cursor: starts now, and says where that is for whoever is cut off at once", async () => {
		const world = new World({ config: { watch: brisk } });
		const session = await world.session([user("old")]);
		const reader = await EventReader.open(world, `${session}/events`);
		expect(await reader.next()).toEqual({ id: "1", retry: "1000" });
		await world.cold().post(`${session}/entries`, user("new"));
		const { id, data } = (await reader.event()) ?? {};
		expect(id).toBe("2");
		expect(JSON.parse(data ?? "").message.content).toBe("new");
		await reader.leave();
	});

	it("Last-Event-ID goes before `after`, and before now", async () => {
		const world = new World({ config: { watch: { lifetime: 0 } } });
		const session = await world.session([user("1"), user("2"), user("3")]);
		const ids = async (query: string, headers: Record<string, string>) => {
			const reader = await EventReader.open(world, `${session}/events${query}`, headers);
			return (await reader.rest()).map(({ id }) => id);
		};
		expect(await ids("?after=0", { "Last-Event-ID": "2" })).toEqual(["3"]);
		expect(await ids("", { "Last-Event-ID": "1" })).toEqual(["2", "3"]);
		expect(await ids("?after=1", {})).toEqual(["2", "3"]);
		expect(await ids("?after=99", {})).toEqual([]);
		for (const bad of ["x", "-1", "1.5"]) {
			const reply = await world.get(`${session}/events`, { "Last-Event-ID": bad });
			expect([reply.status, reply.body.code]).toEqual([400, "invalid_request"]);
		}
	});

	it("writes of the same instance are told at once, without a look in between", async () => {
		const world = new World({ config: { watch: { firstPause: 60_000, longestPause: 60_000 } } });
		const session = await world.session([user("old")]);
		const reader = await EventReader.open(world, `${session}/events`);
		await reader.next();
		const event = reader.event();
		await settle();
		const before = world.clock.now();
		await world.post(`${session}/entries`, user("new"));
		expect(JSON.parse((await event)?.data ?? "").message.content).toBe("new");
		expect(world.clock.now() - before).toBeLessThan(60_000);
		await reader.leave();
	});

	it("where one request must not wake another: the notice is noticed soon, and no look is in between", async () => {
		const watch = { firstPause: 60_000, longestPause: 60_000, slice: 200 };
		const world = new World({ config: { watch } });
		const session = await world.session([user("old")]);
		const reader = await EventReader.open(world, `${session}/events`);
		await reader.next();
		const event = reader.event();
		const before = world.clock.now();
		await world.post(`${session}/entries`, user("new"));
		expect((await event)?.id).toBe("2");
		expect(world.clock.now() - before).toBeLessThan(5000);
		await reader.leave();
	});

	it("looks less often while nothing happens, and often again after news", async () => {
		let probes = 0;
		const world = new World({
			config: { watch: { heartbeat: Number.POSITIVE_INFINITY } },
			wrap: (inner) => ({
				put: (...given) => inner.put(...given),
				delete: (keys) => inner.delete(keys),
				list: (...given) => inner.list(...given),
				get: (...given) => {
					probes++;
					return inner.get(...given);
				},
			}),
		});
		const session = await world.session([user("old")]);
		const reader = await EventReader.open(world, `${session}/events`);
		await reader.next();
		const event = reader.event();
		const quiet: number[] = [];
		for (let second = 0; second < 40; second++) {
			await settle();
			const seen = probes;
			world.clock.advance(1000);
			await settle();
			quiet.push(probes - seen);
		}
		expect(quiet.slice(-10).reduce((sum, looks) => sum + looks)).toBe(2);
		await world.cold().post(`${session}/entries`, user("new"));
		for (let second = 0; second < 6; second++) {
			world.clock.advance(1000);
			await settle();
		}
		expect((await event)?.id).toBe("2");
		await reader.leave();
	});

	it("a comment every 15 seconds while there is nothing else to say", async () => {
		const world = new World();
		const session = await world.session([user("old")]);
		const reader = await EventReader.open(world, `${session}/events`);
		await reader.next();
		const start = world.clock.now();
		for (let beat = 1; beat <= 3; beat++) {
			const block = reader.next();
			let over = false;
			block.then(() => {
				over = true;
			});
			while (!over) {
				world.clock.advance(500);
				await setImmediate();
			}
			expect(await block).toEqual({ comment: "still here" });
			expect(world.clock.now() - start).toBeGreaterThanOrEqual(15_000 * beat);
			expect(world.clock.now() - start).toBeLessThan(15_000 * beat + 5000);
		}
		await reader.leave();
	});

	it("ends by itself, by time or by the number of requests to the store, so that the client comes back", async () => {
		for (const watch of [
			{ ...brisk, lifetime: 5000 },
			{ ...brisk, requests: 20 },
		]) {
			const world = new World({ config: { watch } });
			const session = await world.session([user("old")]);
			const reader = await EventReader.open(world, `${session}/events`);
			expect(await reader.rest()).toEqual([]);
			expect(world.lines.at(-1)).toMatchObject({ route: "/v1/sessions/:id/events", status: 200 });
			expect(world.lines.at(-1)).not.toHaveProperty("broken");
		}
	});

	it("never sends the store more requests than its bound and a page: quiet, busy, or catching up", async () => {
		for (const mode of ["quiet", "busy", "catching up"] as const) {
			let sent = 0;
			const counted = <Given extends unknown[], Answer>(ask: (...given: Given) => Answer) => {
				return (...given: Given) => {
					sent++;
					return ask(...given);
				};
			};
			const watch = { ...brisk, requests: 40, pageEntries: 10 };
			const writer = new World({ config: { watch } });
			const session = await writer.session([user("old")]);
			const total = 200;
			// Long ones are not carried along by later commits: each has to be fetched.
			const padding = mode === "catching up" ? "x".repeat(30_000) : "";
			const write = async () => {
				for (let at = 2; at <= total; at++) await writer.post(`${session}/entries`, user(`${at} ${padding}`));
			};
			if (mode === "catching up") await write();
			const seen: string[] = [];
			let streams = 0;
			const writing = mode === "busy" ? write() : undefined;
			while (seen.length < (mode === "quiet" ? 1 : total)) {
				const world = writer.cold({
					wrap: (inner) => ({
						put: counted((...given) => inner.put(...given)),
						delete: counted((keys) => inner.delete(keys)),
						list: counted((...given) => inner.list(...given)),
						get: counted((...given) => inner.get(...given)),
					}),
				});
				sent = 0;
				const last = String(seen.length);
				const reader = await EventReader.open(world, `${session}/events`, { "Last-Event-ID": last });
				seen.push(...(await reader.rest()).map(({ id }) => id ?? ""));
				expect(sent).toBeGreaterThan(10);
				// A cold look sends some more than a page has entries.
				expect(sent).toBeLessThan(40 + 10 + 10);
				streams++;
			}
			await writing;
			expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => String(at + 1)));
			if (mode === "catching up") expect(streams).toBeGreaterThan(1);
		}
	});

	it("a deleted session: the last entries, `deleted`, the end, and 410 for who comes back", async () => {
		const world = new World({ config: { watch: brisk } });
		const session = await world.session([user("old")]);
		const reader = await EventReader.open(world, `${session}/events?after=0`);
		expect((await reader.event())?.id).toBe("1");
		await world.cold().call("DELETE", session);
		expect(await reader.event()).toEqual({
			event: "deleted",
			data: JSON.stringify({ id: session.split("/").at(-1) }),
		});
		expect(await reader.event()).toBeUndefined();
		const again = await world.get(`${session}/events`, { "Last-Event-ID": "1" });
		expect([again.status, again.body.code]).toEqual([410, "gone"]);
		const none = await world.get("/v1/sessions/nowhere/events");
		expect([none.status, none.body.code]).toEqual([404, "not_found"]);
	});

	it("a client that leaves ends the looking: no sleeper, no listener, no request to the store", async () => {
		const world = new World();
		const session = await world.session([user("old")]);
		for (const leave of ["cancel", "abort"] as const) {
			const abort = new AbortController();
			const response = await world.fetch(
				new Request(`http://localhost${session}/events`, { signal: abort.signal }),
			);
			const reader = new EventReader(response);
			await reader.next();
			const next = reader.next();
			for (let turn = 0; turn < 4; turn++) {
				world.clock.advance(2000);
				await settle();
			}
			expect(world.clock.sleepers).toBe(1);
			if (leave === "cancel") await reader.leave();
			else abort.abort();
			expect(await next).toBeUndefined();
			await settle();
			expect(world.clock.sleepers).toBe(0);
			expect(world.lines.at(-1)).toMatchObject({ route: "/v1/sessions/:id/events" });
		}
	});

	it("HEAD: the headers, and nothing goes on afterwards", async () => {
		const world = new World();
		const session = await world.session([user("old")]);
		const response = await world.send("HEAD", `${session}/events`);
		expect([response.status, await response.text()]).toEqual([200, ""]);
		await settle();
		expect(world.clock.sleepers).toBe(0);
	});

	it("a slow reader holds up the reading, not the memory", async () => {
		let bytesRead = 0;
		const world = new World({
			config: { watch: { pageBytes: 64 * 1024, lifetime: 0 } },
			wrap: (inner) => ({
				put: (...given) => inner.put(...given),
				delete: (keys) => inner.delete(keys),
				list: (...given) => inner.list(...given),
				get: async (...given) => {
					const outcome = await inner.get(...given);
					if (outcome.kind === "found") bytesRead += outcome.bytes.length;
					return outcome;
				},
			}),
		});
		const session = await world.session();
		for (let commit = 0; commit < 40; commit++) {
			await world.post(`${session}/entries`, user(`${commit} ${"x".repeat(100_000)}`));
		}
		const cold = world.cold();
		bytesRead = 0;
		const reader = await EventReader.open(cold, `${session}/events?after=0`);
		expect((await reader.event())?.id).toBe("1");
		await settle();
		expect(bytesRead).toBeLessThan(1_000_000);
		expect(await reader.rest()).toHaveLength(39);
		expect(bytesRead).toBeGreaterThan(4_000_000);
	});

	it("ten watchers on three instances that come and go: each sees 500 entries once and in order", async () => {
		const config = { watch: { ...brisk, lifetime: 3000 } };
		const first = new World({ config });
		const session = await first.session();
		const instances = [first, first.cold({ seed: "second" }), first.cold({ seed: "third" })];
		const random = seededRandom("ten watchers");
		const pick = () => Math.floor(random.fraction() * instances.length);
		const total = 500;
		const writing = (async () => {
			for (let sent = 0; sent < total; ) {
				const size = Math.min(total - sent, 1 + Math.floor(random.fraction() * 9));
				const entries = Array.from({ length: size }, (_, at) => user(`entry ${sent + at}`));
				const reply = await instances[pick()]?.post(`${session}/entries`, { entries });
				expect(reply?.status).toBe(201);
				sent += size;
				// An instance is gone, with all that it knew; another one takes its place.
				if (random.fraction() < 0.1) instances[pick()] = first.cold({ seed: `${sent}` });
			}
		})();
		let comebacks = 0;
		const watch = async () => {
			const seen: string[] = [];
			let last = "0";
			while (seen.length < total) {
				const instance = instances[pick()] as World;
				const reader = await EventReader.open(instance, `${session}/events`, { "Last-Event-ID": last });
				// Some are cut off in the middle.
				let patience = random.fraction() < 0.5 ? 1 + Math.floor(random.fraction() * 40) : total;
				for (; patience > 0 && seen.length < total; patience--) {
					const event = await reader.event();
					if (event === undefined) break;
					last = event.id ?? last;
					seen.push(JSON.parse(event.data ?? "").message.content);
				}
				await reader.leave();
				comebacks++;
			}
			return seen;
		};
		const watchers = await Promise.all(Array.from({ length: 10 }, watch));
		await writing;
		const all = Array.from({ length: total }, (_, at) => `entry ${at}`);
		for (const seen of watchers) expect(seen).toEqual(all);
		expect(comebacks).toBeGreaterThan(10);
	});
});

describe("polling a session", () => {
	const json = { Accept: "application/json" };

	it("what is there is told at once, a page at a time", async () => {
		const world = new World({ config: { watch: { pageEntries: 2 } } });
		const session = await world.session([user("1"), user("2"), user("3")]);
		const first = await world.get(`${session}/events?after=0&wait=25`, json);
		expect(first.body).toMatchObject({ seq: 3, nextCursor: 2 });
		expect(first.body.entries).toHaveLength(2);
		const second = await world.get(`${session}/events?after=2&wait=25`, json);
		expect(second.body).toEqual({ entries: [expect.objectContaining({ type: "message" })], seq: 3 });
		expect(second.headers.get("ETag")).toMatch(/^W\/"3-/);
		expect(second.headers.get("Vary")).toContain("Accept");
	});

	it("waits for the next entry, of whatever instance", async () => {
		const world = new World({ config: { watch: brisk } });
		const session = await world.session([user("old")]);
		const reply = world.get(`${session}/events?after=1&wait=25`, json);
		await setImmediate();
		await world.cold().post(`${session}/entries`, user("new"));
		expect((await reply).body).toMatchObject({ entries: [{ message: { content: "new" } }], seq: 2 });
	});

	it("answers with nothing when the time is over, or 410 when the session is", async () => {
		const world = new World({ config: { watch: brisk } });
		const session = await world.session([user("old")]);
		expect((await world.get(`${session}/events`, json)).body).toEqual({ entries: [], seq: 1 });
		const before = world.clock.now();
		expect((await world.get(`${session}/events?wait=3`, json)).body).toEqual({ entries: [], seq: 1 });
		expect(world.clock.now() - before).toBeGreaterThanOrEqual(3000);
		expect(world.clock.sleepers).toBe(0);
		const reply = world.get(`${session}/events?wait=25`, json);
		await setImmediate();
		await world.cold().call("DELETE", session);
		expect((await reply).body.code).toBe("gone");
	});

	it("wait is up to 25 seconds, and for JSON only", async () => {
		const world = new World();
		const session = await world.session([user("old")]);
		expect((await world.get(`${session}/events?wait=26`, json)).status).toBe(400);
		const stream = await world.get(`${session}/events?wait=1`);
		expect([stream.status, stream.body.errors[0].path]).toEqual([400, "wait"]);
	});
});
