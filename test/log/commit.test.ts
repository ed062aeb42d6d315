import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCommit } from "../../src/log/build-commit.ts";
import { encodeTombstone, type Header, parseHeader, smallestLiveCommit } from "../../src/log/commit.ts";
import { commitKey } from "../../src/log/keys.ts";
import { LogState } from "../../src/log/log-state.ts";
import { corrupt } from "./corrupt.ts";
import { contentsOf, World } from "./instances.ts";
import { buildLog, logPlan, store, truthOf } from "./random-logs.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const prefix = "0123456789abcdef0123456789abcdef/s/s/";

describe("commit: round trips", () => {
	it("what was written is read: by the codec, and by a cold instance", { timeout: 60_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(logPlan, async (plan) => {
				const log = buildLog(plan);
				for (const { n, bytes, header, prefixLength } of log.commits) {
					const parsed = parseHeader(commitKey(log.prefix, n), n, bytes)!;
					expect(parsed.header).toEqual(header);
					expect(parsed.headerLength + header.indexLength).toBe(prefixLength);
				}
				const world = new World(await store(log));
				for (const want of ["index", "bodies"] as const) {
					const outcome = await world.instance().read(world.scope(), log.name, want);
					if (outcome.kind !== "ok") throw new Error(outcome.kind);
					expect(await contentsOf(outcome.view)).toEqual(truthOf(log));
				}
			}),
			{ seed: 1, numRuns: 100 },
		);
	});

	it("copies are the very lines that they copy, and the own body lines of all commits are the file", {
		timeout: 60_000,
	}, () => {
		fc.assert(
			fc.property(logPlan, (plan) => {
				const log = buildLog(plan);
				const own: { index: string; bodies: string }[] = [];
				for (const { n, bytes, header, prefixLength } of log.commits) {
					const lines = linesOf(bytes);
					const [indexLines, bodyLines] = [
						linesOf(bytes.subarray(lines[0]!.length, prefixLength)),
						linesOf(bytes.subarray(prefixLength)),
					];
					const ownRecords = log.records.filter(({ commit }) => commit === n);
					const ownBodies = [
						...(n === 0 ? [log.genesisBody] : []),
						...ownRecords.map((record) => record.bytes),
					];
					own.push({
						index: text(indexLines.slice(-1 - ownRecords.length)),
						bodies: text(ownBodies.map((body) => new Uint8Array([...body, 10]))),
					});
					const carried = (count: number) => own.slice(n - count + 1);
					expect(text(indexLines)).toBe(
						carried(header.indexCarried)
							.map(({ index }) => index)
							.join(""),
					);
					expect(text(bodyLines)).toBe(
						carried(header.bodyCarried)
							.map(({ bodies }) => bodies)
							.join(""),
					);
				}
			}),
			{ seed: 2, numRuns: 100 },
		);
	});

	it("a live commit is never as small as a tombstone, whatever the two hold", { timeout: 60_000 }, () => {
		const state = new LogState(prefix);
		const smallest = { meta: {}, bytes: new Uint8Array(0), tag: "" };
		const zero = buildCommit(state, "x".repeat(12), [], { indexCap: 0, bodyCap: 0 }, smallest);
		expect(zero.bytes.length).toBeGreaterThanOrEqual(smallestLiveCommit);
		state.fold(zero.header, zero.prefixLength, zero.index);
		const one = buildCommit(state, "x".repeat(12), [], { indexCap: 0, bodyCap: 0 });
		expect(one.bytes.length).toBeGreaterThanOrEqual(smallestLiveCommit);
		for (const n of [0, 1, 9_999_999_999]) {
			expect(encodeTombstone(prefix, n, "x".repeat(12)).length).toBeLessThan(smallestLiveCommit);
		}
		fc.assert(
			fc.property(logPlan, (plan) => {
				for (const { bytes } of buildLog(plan).commits)
					expect(bytes.length).toBeGreaterThanOrEqual(smallestLiveCommit);
			}),
			{ seed: 3, numRuns: 50 },
		);
	});

	it("a tombstone says nothing but where it stands", { timeout: 60_000 }, () => {
		const bytes = encodeTombstone(prefix, 7, "abcdefghijkl");
		expect(parseHeader(commitKey(prefix, 7), 7, bytes)).toEqual({
			header: { kind: "tombstone", n: 7, writeId: "abcdefghijkl" },
			headerLength: bytes.length,
		});
	});
});

describe("commit: objects that contradict themselves or what is known", () => {
	it("are refused, and nothing of them is taken in", { timeout: 60_000 }, () => {
		fc.assert(
			fc.property(logPlan, fc.nat(), (plan, draw) => {
				const log = buildLog(plan);
				const commit = log.commits[draw % log.commits.length]!;
				const { header, prefixLength, index, n } = commit;
				const known = new LogState(log.prefix);
				for (const before of log.commits.slice(0, n))
					known.fold(before.header, before.prefixLength, before.index);
				const before = [known.newest, known.index.length, known.cover.length];
				const refused = (other: Partial<Header>, length = prefixLength, lines = index) => {
					corrupt(commitKey(log.prefix, n), () => known.fold({ ...header, ...other }, length, lines));
					expect([known.newest, known.index.length, known.cover.length]).toEqual(before);
				};
				refused({ writeId: "another" });
				refused({ previous: "another" });
				refused({ length: header.length + 1 });
				refused({ head: `not ${header.head}` });
				refused({ bodyCarried: header.bodyCarried * 2 });
				refused({}, prefixLength + 1);
				refused({}, prefixLength, index.subarray(0, -1));
				refused({}, prefixLength, new Uint8Array([...index, 10]));
				if (header.indexCarried > 1) {
					const other = encoder.encode(decoder.decode(index).replace("write-", "wrong-"));
					refused({}, prefixLength, other);
				}
				known.fold(header, prefixLength, index);
				expect(known.newest).toBe(n);
			}),
			{ seed: 4, numRuns: 100 },
		);
	});
});

function linesOf(bytes: Uint8Array): Uint8Array[] {
	const lines: Uint8Array[] = [];
	for (let at = 0; at < bytes.length; ) {
		const end = bytes.indexOf(10, at) + 1;
		if (end === 0) throw new Error("a line does not end");
		lines.push(bytes.subarray(at, end));
		at = end;
	}
	return lines;
}

function text(lines: readonly Uint8Array[]): string {
	return lines.map((line) => String.fromCharCode(...line)).join("");
}
