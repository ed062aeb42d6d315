import fc from "fast-check";
import { encodeTombstone } from "../../src/log/commit.ts";
import { commitKey } from "../../src/log/keys.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { buildLog, type LogPlan, logPlan, type PlannedLog } from "./random-logs.ts";

/** Parts of an object that are damaged in different ways. */
const regions = ["header", "carried index", "own index", "carried bodies", "own bodies"] as const;
type Region = (typeof regions)[number];

/** What happens to one object. `at` and `from` are drawn from [0, 1), and say which byte or which object. */
export type Damage =
	| { readonly kind: "flipped"; readonly region: Region; readonly at: number; readonly bit: number }
	| { readonly kind: "scrambled"; readonly at: number; readonly bytes: readonly number[] }
	| { readonly kind: "truncated"; readonly at: number }
	| { readonly kind: "extended"; readonly by: string }
	| { readonly kind: "another commit"; readonly from: number }
	| { readonly kind: "another log"; readonly plan: LogPlan }
	| { readonly kind: "another log's end" }
	| { readonly kind: "missing" };

const fraction = fc.nat(999_999).map((draw) => draw / 1_000_000);

export const damage: fc.Arbitrary<Damage> = fc.oneof(
	fc.record({
		kind: fc.constant("flipped" as const),
		region: fc.constantFrom(...regions),
		at: fraction,
		bit: fc.nat(7),
	}),
	fc.record({
		kind: fc.constant("scrambled" as const),
		at: fraction,
		bytes: fc.array(fc.nat(255), { minLength: 1, maxLength: 30 }),
	}),
	fc.record({ kind: fc.constant("truncated" as const), at: fraction }),
	fc.record({ kind: fc.constant("extended" as const), by: fc.constantFrom("\n", "x", "more\nof it\n") }),
	fc.record({ kind: fc.constant("another commit" as const), from: fraction }),
	fc.record({ kind: fc.constant("another log" as const), plan: logPlan }),
	fc.record({ kind: fc.constant("another log's end" as const) }),
	fc.record({ kind: fc.constant("missing" as const) }),
);

/** The object of commit n after the damage: undefined where it is missing, itself where the damage changes nothing. */
export function damaged(log: PlannedLog, n: number, what: Damage): Uint8Array | undefined {
	const { bytes } = log.commits[n]!;
	switch (what.kind) {
		case "flipped": {
			const [start, end] = regionOf(log, n, what.region);
			if (start === end) return bytes;
			const copy = new Uint8Array(bytes);
			copy[start + Math.floor(what.at * (end - start))]! ^= 1 << what.bit;
			return copy;
		}
		case "scrambled": {
			const copy = new Uint8Array(bytes);
			const start = Math.floor(what.at * bytes.length);
			copy.set(what.bytes.slice(0, bytes.length - start), start);
			return copy;
		}
		case "truncated":
			return bytes.slice(0, Math.floor(what.at * bytes.length));
		case "extended":
			return Uint8Array.from([...bytes, ...new TextEncoder().encode(what.by)]);
		case "another commit":
			return log.commits[Math.floor(what.from * log.commits.length)]!.bytes;
		case "another log": {
			const other = buildLog(what.plan, { namespace: "n", id: "another" });
			return (other.commits[n] ?? other.commits.at(-1)!).bytes;
		}
		case "another log's end":
			return encodeTombstone(`${log.prefix}x/`, n, "abcdefghijkl");
		case "missing":
			return undefined;
	}
}

/** Where a part of an object starts and ends. */
function regionOf(log: PlannedLog, n: number, region: Region): [start: number, end: number] {
	const { bytes, prefixLength, header, index, ownBodies } = log.commits[n]!;
	const headerLength = prefixLength - header.indexLength;
	const ownIndex = prefixLength - ownIndexLength(log, n, index);
	const own = bytes.length - ownBodies.reduce((sum, [, body]) => sum + body.length + 1, 0);
	switch (region) {
		case "header":
			return [0, headerLength];
		case "carried index":
			return [headerLength, ownIndex];
		case "own index":
			return [ownIndex, prefixLength];
		case "carried bodies":
			return [prefixLength, own];
		case "own bodies":
			return [own, bytes.length];
	}
}

/** Bytes of the last lines of the index: the commit's own line and those of its records. */
function ownIndexLength(log: PlannedLog, n: number, index: Uint8Array): number {
	const own = 1 + log.records.filter(({ commit }) => commit === n).length;
	let start = index.length;
	for (let line = 0; line < own; line++) start = index.lastIndexOf(10, start - 2) + 1;
	return index.length - start;
}

/** Puts a damaged object in the place of commit n, or takes it away. */
export async function inflict(
	bucket: ObjectStore,
	log: PlannedLog,
	n: number,
	bytes: Uint8Array | undefined,
): Promise<void> {
	const key = commitKey(log.prefix, n);
	if (bytes === undefined) await bucket.delete([key]);
	else await bucket.put(key, bytes);
}
