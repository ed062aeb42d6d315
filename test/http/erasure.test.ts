import { describe, expect, it } from "vitest";
import { Log } from "../../src/log/log.ts";
import { Catalogue } from "../../src/operations/catalogue.ts";
import { sweep, sweepDefaults } from "../../src/operations/sweep.ts";
import * as tokens from "./tokens.ts";
import { seededRandom, user, World } from "./world.ts";

const bearer = async (sub: string) => ({ Authorization: `Bearer ${await tokens.token({ sub })}` });
const minute = 60_000;

async function swept(world: World, settings: object = {}) {
	const { clock, bucket: store } = world;
	const random = seededRandom("sweep");
	const parts = {
		log: new Log({ clock, random }),
		catalogue: new Catalogue({ clock, random }),
		scope: { store },
	};
	return sweep(parts, { ...sweepDefaults, ...settings });
}

/** Every object of the bucket as text, by key. */
async function contents(world: World): Promise<Map<string, string>> {
	const all = new Map<string, string>();
	for (let after: string | undefined; ; ) {
		const page = await world.bucket.list("", after === undefined ? {} : { after });
		for (const { key } of page.objects) {
			const found = await world.bucket.get(key);
			if (found.kind === "found") all.set(key, new TextDecoder().decode(found.bytes));
		}
		after = page.objects.at(-1)?.key;
		if (!page.truncated) return all;
	}
}

async function filled(sessions: number) {
	const world = new World({ authenticate: tokens.authenticate() });
	const [one, other] = [await bearer("one"), await bearer("other")];
	for (const owner of [one, other]) {
		for (let n = 0; n < sessions; n++) {
			const fields = { id: `s${n}`, name: "private-name", cwd: "/private-folder", metadata: { private: 1 } };
			await world.post(
				"/v1/sessions",
				{ ...fields, entries: [user("private-text", { id: `private${n}` })] },
				owner,
			);
		}
		await world.post("/v1/sessions/s0/entries", user("private-more"), owner);
	}
	const share = await world.post("/v1/sessions/s0/shares", { scope: "read", leafId: "private0" }, one);
	const others = await world.post("/v1/sessions/s0/shares", { scope: "read" }, other);
	return { world, one, other, shares: [share.body.token, others.body.token] };
}

describe("eraseNamespace", () => {
	it("goes on where it stopped; in the end nothing of it is in the bucket, and all of others' is", async () => {
		const { world, one, other, shares } = await filled(120);
		const before = await contents(world);
		const erase = () => world.cold().call("DELETE", "/v1/namespace", undefined, one);
		const first = await erase();
		expect([first.status, first.body]).toEqual([
			202,
			{ done: false, deleted: 100, remaining: 20, purging: 100 },
		]);
		expect((await world.cold().get("/v1/sessions/s0", { "Leaflog-Share": shares[0] })).status).toBe(401);
		const second = await erase();
		expect([second.status, second.body]).toEqual([
			202,
			{ done: false, deleted: 20, remaining: 0, purging: 120 },
		]);
		expect((await erase()).body).toEqual({ done: false, deleted: 0, remaining: 0, purging: 120 });
		for (const id of ["s0", "s119"])
			expect((await world.cold().get(`/v1/sessions/${id}`, one)).status).toBe(410);
		expect((await world.cold().get("/v1/sessions", one)).body.sessions).toEqual([]);
		expect((await world.cold().get("/v1/sessions/s0", { "Leaflog-Share": shares[1] })).status).toBe(200);

		world.clock.advance(59 * minute);
		await swept(world);
		expect((await contents(world)).size).toBeGreaterThan(before.size);
		world.clock.advance(2 * minute);
		await swept(world);
		const purged = await erase();
		expect([purged.status, purged.body]).toEqual([200, { done: true, deleted: 0, remaining: 0, purging: 0 }]);
		world.clock.advance(25 * 60 * minute);
		await swept(world);
		world.clock.advance(61 * minute);
		await swept(world);

		const after = await contents(world);
		const hashes = new Set([...after.keys()].map((key) => key.split("/")[0]));
		const theirs = [...after].filter(([, text]) => text.includes("private"));
		const owners = new Set(theirs.map(([key]) => key.split("/")[0]));
		expect(owners.size).toBe(1);
		const erased = [...hashes].filter((hash) => /^[0-9a-f]{32}$/.test(hash ?? "") && !owners.has(hash));
		expect(erased).toHaveLength(1);
		const left = [...after.keys()].filter((key) => key.startsWith(`${erased[0]}/`));
		expect(
			left.filter((key) => !/\/(s\/s\d+\/\d+-0\.jsonl|c\/sessions-1-0\/[\d-]+\.jsonl)$/.test(key)),
		).toEqual([]);
		expect(left.filter((key) => key.includes("/c/"))).toHaveLength(1);
		expect([...after.keys()].filter((key) => key.startsWith("~share/"))).toHaveLength(1);
		expect((await world.cold().get("/v1/sessions?limit=200", other)).body.sessions).toHaveLength(120);
		for (const [key, text] of before) {
			if (owners.has(key.split("/")[0]) && key.includes("/s/")) expect(after.get(key)).toBe(text);
		}
	});

	it("of nothing: done at once", async () => {
		const world = new World();
		const reply = await world.call("DELETE", "/v1/namespace");
		expect([reply.status, reply.body]).toEqual([200, { done: true, deleted: 0, remaining: 0, purging: 0 }]);
	});
});

describe("shares of a deleted session", () => {
	it("leave the bucket with its content", async () => {
		const { world, one } = await filled(1);
		await world.call("DELETE", "/v1/sessions/s0", undefined, one);
		world.clock.advance(61 * minute);
		await swept(world);
		const keys = [...(await contents(world)).keys()];
		expect(keys.filter((key) => key.startsWith("~share/"))).toHaveLength(1);
		expect(keys.filter((key) => key.includes("/h/"))).toHaveLength(1);
	});
});

describe("SESSION_TTL_DAYS", () => {
	const day = 24 * 60 * minute;

	it("nothing unless it is set; then what nothing was written to for so long, whatever its messages say", async () => {
		const world = new World();
		const past = { message: { role: "user", content: "old", timestamp: 1_000_000 } };
		await world.session([user("a")], { id: "silent" });
		await world.session([user("a")], { id: "active" });
		world.clock.advance(20 * day);
		await world.session([{ ...user("a"), ...past, timestamp: "2001-01-01T00:00:00.000Z" }], {
			id: "told-old",
		});
		await world.post("/v1/sessions/active/entries", { type: "custom", customType: "note" });
		world.clock.advance(11 * day);
		const statuses = async () => {
			const found = [];
			for (const id of ["silent", "active", "told-old"])
				found.push((await world.cold().get(`/v1/sessions/${id}`)).status);
			return found;
		};
		expect((await swept(world)).expired).toBe(0);
		expect(await statuses()).toEqual([200, 200, 200]);
		world.clock.advance(61 * minute);
		expect((await swept(world, { ttl: 30 * day })).expired).toBe(1);
		expect(await statuses()).toEqual([410, 200, 200]);
		expect((await world.cold().get("/v1/sessions")).body.sessions).toHaveLength(2);
	});
});
