import fc from "fast-check";
import { type BuiltCommit, buildCommit } from "../../src/log/build-commit.ts";
import { commitKey, type LogName, logPrefix } from "../../src/log/keys.ts";
import { LogState } from "../../src/log/log-state.ts";
import type { JsonObject, NewRecord } from "../../src/log/record.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";

/** What a log is to hold: for each commit the requests in it, for each request its records. */
export interface LogPlan {
	readonly indexCap: number;
	readonly bodyCap: number;
	readonly genesis: {
		readonly meta: JsonObject;
		readonly body: string;
		readonly records: readonly RecordPlan[];
	};
	readonly commits: readonly CommitPlan[];
}

interface CommitPlan {
	/** The writer has no body in memory: it carries none. */
	readonly forgetful: boolean;
	readonly requests: readonly (readonly RecordPlan[])[];
}

interface RecordPlan {
	readonly id: string;
	/** Counted back from the record; 0 is a root, and beyond the log's start a parent that is missing. */
	readonly parent: number;
	readonly kind: string;
	readonly time: string;
	/** Undefined: at the record. */
	readonly head: string | null | undefined;
	readonly meta: JsonObject | undefined;
	readonly body: string;
}

/** Text of one line, of any characters but a line feed. */
const line = (maxLength: number) =>
	fc
		.oneof(
			fc.string({ unit: "grapheme", maxLength: 40 }),
			fc.string({ unit: "binary", maxLength: 8 }),
			fc.nat(maxLength).map((length) => "x".repeat(length)),
		)
		.map((text) => text.replaceAll("\n", "\u2028"));

const meta = fc
	.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
	.map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

const recordPlan: fc.Arbitrary<RecordPlan> = fc.record({
	id: fc.string({ unit: "binary", maxLength: 12 }),
	parent: fc.oneof(fc.constant(1), fc.nat(12)),
	kind: fc.constantFrom("message.user", "message.assistant", "", "a kind"),
	time: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00Z", "yesterday", "", "1"),
	head: fc.option(fc.option(fc.string({ maxLength: 5 })), { nil: undefined, freq: 3 }),
	meta: fc.option(meta, { nil: undefined }),
	body: line(900),
});

const bytes = (most: number) => fc.oneof(fc.constant(1e7), fc.nat(most));

/** Logs of a few commits, with caps from none to far above what they hold. */
export const logPlan: fc.Arbitrary<LogPlan> = fc.record({
	indexCap: bytes(2000),
	bodyCap: bytes(3000),
	genesis: fc.record({ meta, body: line(100), records: fc.array(recordPlan, { maxLength: 2 }) }),
	commits: fc.array(
		fc.record({
			forgetful: fc.nat(9).map((draw) => draw === 0),
			requests: fc.array(fc.array(recordPlan, { minLength: 1, maxLength: 3 }), {
				minLength: 1,
				maxLength: 2,
			}),
		}),
		{ maxLength: 20 },
	),
});

/** A log that was built as planned. */
export interface PlannedLog {
	readonly plan: LogPlan;
	readonly name: LogName;
	readonly prefix: string;
	/** Oldest first; commit n at n. */
	readonly commits: readonly BuiltCommit[];
	/** In the order of the log. */
	readonly records: readonly PlacedRecord[];
	readonly genesisBody: Uint8Array;
	readonly state: LogState;
}

export interface PlacedRecord extends NewRecord {
	readonly commit: number;
	readonly tag: string;
}

const encoder = new TextEncoder();

/** Builds the log's objects as one writer would. */
export function buildLog(plan: LogPlan, name: LogName = { namespace: "n", id: "s" }): PlannedLog {
	const prefix = logPrefix(name);
	const state = new LogState(prefix);
	const commits: BuiltCommit[] = [];
	const records: PlacedRecord[] = [];
	const genesisBody = encoder.encode(plan.genesis.body);
	const build = ({ forgetful, requests }: CommitPlan) => {
		const n = commits.length;
		if (forgetful) state.dropBodies();
		const placed = requests.map((request, k) => {
			const tag = `tag-${n}-${k}`;
			const own: NewRecord[] = [];
			for (const planned of request) {
				const record = newRecord(planned, records);
				own.push(record);
				records.push({ ...record, commit: n, tag: n === 0 ? "tag-make" : tag });
			}
			return { tag, records: own };
		});
		const genesis = n === 0 ? { meta: plan.genesis.meta, bytes: genesisBody, tag: "tag-make" } : undefined;
		const built = buildCommit(state, `write-${n}`.padEnd(12, "."), placed, plan, genesis);
		commits.push(built);
		state.fold(built.header, built.prefixLength, built.index);
		for (const [seq, body] of built.ownBodies) state.keepBody(seq, body);
	};
	build({ forgetful: false, requests: plan.genesis.records.length > 0 ? [plan.genesis.records] : [] });
	for (const commit of plan.commits) build(commit);
	return { plan, name, prefix, commits, records, genesisBody, state };

	function newRecord({ body, id, parent, ...rest }: RecordPlan, before: readonly NewRecord[]): NewRecord {
		const hung = before.at(-parent);
		const missing = parent > before.length ? `missing ${parent}` : null;
		return {
			...rest,
			id: `${before.length}:${id}`,
			parent: parent === 0 ? null : (hung?.id ?? missing),
			bytes: encoder.encode(body),
		};
	}
}

/** Puts the objects of a log into a bucket. */
export async function store(
	log: PlannedLog,
	bucket: ObjectStore = new MemoryStore({ now: () => 0 }),
): Promise<ObjectStore> {
	for (const { n, bytes } of log.commits) await bucket.put(commitKey(log.prefix, n), bytes);
	return bucket;
}

/** What a view of the whole log must say; of its first commits where `commits` is given. In the terms of `contentsOf`. */
export function truthOf(log: PlannedLog, commits = log.commits.length): object {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });
	const records = log.records.filter(({ commit }) => commit < commits);
	const last = records.at(-1);
	return {
		commit: commits - 1,
		length: records.length,
		head: last === undefined ? null : last.head === undefined ? last.id : last.head,
		genesis: log.plan.genesis.meta,
		first: decoder.decode(log.genesisBody),
		records: records.map(({ id, parent, kind, time, meta, commit, bytes }) => ({
			id,
			parent,
			parentSeq: records.findIndex((other) => other.id === parent) + 1,
			kind,
			time,
			meta: meta ?? {},
			commit,
			body: decoder.decode(bytes),
		})),
	};
}
