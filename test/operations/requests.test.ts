import { describe, expect, it } from "vitest";
import { ImportTurns } from "../../src/operations/import-turns.ts";
import { derivedSessionId, newEntryId, newSessionId } from "../../src/operations/new-id.ts";
import { parseJson } from "../../src/operations/parse-json.ts";
import { randomTag, tagOfIds, tagOfKey } from "../../src/operations/request-tag.ts";
import { asUtf8 } from "../../src/operations/utf8-lines.ts";
import { ManualClock, seededRandom } from "../http/world.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("ids", () => {
	it("of entries: 8 hex digits, none that is taken", () => {
		const random = seededRandom("ids");
		const taken = new Set<string>();
		for (let turn = 0; turn < 1000; turn++) {
			const id = newEntryId(random, (candidate) => taken.has(candidate));
			expect(id).toMatch(/^[0-9a-f]{8}$/);
			taken.add(id);
		}
		expect(taken.size).toBe(1000);
		let asked = 0;
		newEntryId(random, () => ++asked < 5);
		expect(asked).toBe(5);
	});

	it("of sessions: UUIDv7 that sorts by time", () => {
		const clock = new ManualClock();
		const random = seededRandom("uuid");
		const ids = Array.from({ length: 50 }, () => {
			clock.advance(1);
			return newSessionId(clock, random);
		});
		expect(ids).toEqual([...ids].sort());
		for (const id of ids)
			expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		expect(Number.parseInt((ids[0] ?? "").replace("-", "").slice(0, 12), 16)).toBe(clock.now() - 49);
	});

	it("that follow from a key: UUIDv8, another for each namespace and key", () => {
		const pairs = [
			["a", "b"],
			["ab", ""],
			["", "ab"],
			["a", "b "],
			["a\u0000b", "c"],
			["a", "\u0000bc"],
		] as const;
		const ids = pairs.map(([namespace, key]) => derivedSessionId(namespace, key));
		expect(new Set(ids).size).toBe(pairs.length);
		for (const id of ids)
			expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		expect(derivedSessionId("a", "b")).toBe(ids[0]);
	});
});

describe("request tags", () => {
	it("are 16 characters: of a key, of the first own id, or drawn", () => {
		const random = seededRandom("tags");
		const tags = [
			tagOfKey("a"),
			tagOfKey("b"),
			tagOfIds([undefined, "a", "b"], random),
			tagOfIds(["b"], random),
			tagOfIds([undefined], random),
			tagOfIds([undefined], random),
			randomTag(random),
		];
		for (const tag of tags) expect(tag).toMatch(/^[A-Za-z0-9_-]{16}$/);
		expect(new Set(tags).size).toBe(tags.length);
		expect(tagOfIds(["a", "c"], random)).toBe(tags[2]);
		expect(tagOfKey("a")).toBe(tags[0]);
	});
});

describe("a client's JSON", () => {
	it("tells where it goes wrong, and quotes nothing", () => {
		const refused = parseJson(bytes('{"secret": "sesame", oops}'), 10);
		expect(refused).toMatchObject({ kind: "refused", code: "invalid_request" });
		expect(JSON.stringify(refused)).toMatch(/at character 21/);
		expect(JSON.stringify(refused)).not.toMatch(/sesame|oops/);
	});

	it("depth is counted as it is nested, brackets in strings are text", () => {
		const nested = (levels: number) => bytes(`${"[".repeat(levels)}"[[{{\\"[["${"]".repeat(levels)}`);
		expect(parseJson(nested(10), 10).kind).toBe("json");
		expect(parseJson(nested(11), 10)).toMatchObject({ kind: "refused", code: "invalid_request" });
		expect(parseJson(bytes(`[${"[],".repeat(50)}[]]`), 2).kind).toBe("json");
	});
});

describe("UTF-8", () => {
	it("sound files stay the same bytes, others are mended line by line", () => {
		const sound = bytes("\ufeffé🙂\r\n\u2028\n");
		expect(asUtf8(sound)).toEqual({ bytes: sound, lines: [] });
		const broken = new Uint8Array([0x61, 0x0a, 0xff, 0x0a, 0xed, 0xa0, 0x80, 0x0a, 0x62]);
		const mended = asUtf8(broken);
		expect(mended.lines).toEqual([2, 3]);
		expect(new TextDecoder().decode(mended.bytes)).toMatch(/^a\n\ufffd\n\ufffd+\nb$/);
	});
});

describe("import turns", () => {
	it("one after the other, whatever becomes of each", async () => {
		const turns = new ImportTurns({ clock: new ManualClock() });
		const trace: string[] = [];
		const work = (name: string, fails = false) =>
			turns.take(async () => {
				trace.push(`${name} begins`);
				await new Promise((resolve) => setImmediate(resolve));
				trace.push(`${name} ends`);
				if (fails) throw new Error(name);
				return name;
			});
		const results = await Promise.allSettled([work("a"), work("b", true), work("c")]);
		expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
		expect(trace).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
	});

	it("who waits too long is told, and one that was ended by the platform holds nobody up for ever", async () => {
		const clock = new ManualClock();
		const turns = new ImportTurns({ clock, patience: 10_000, lease: 60_000 });
		void turns.take(() => new Promise(() => {}));
		const waiting = turns.take(async () => "in time");
		for (let turn = 0; turn < 30; turn++) {
			clock.advance(500);
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(await waiting).toBeUndefined();
		clock.advance(60_000);
		expect(await turns.take(async () => "free again")).toBe("free again");
	});
});
