import { parseHeader } from "../../src/log/commit.ts";
import { commitKey, type LogName, logPrefix } from "../../src/log/keys.ts";
import { Log, type LogView } from "../../src/log/log.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { bodyOf } from "./decisions.ts";
import { wantedId } from "./history.ts";
import type { LiveObject, Objects } from "./objects.ts";
import { Seeded } from "./seeded.ts";
import type { States } from "./states.ts";

/** What must hold of a log's objects after any run, whatever was asked and answered. */
export function checkObjects({ live, tombstone }: Objects, sizes: ReadonlyMap<string, number>): string[] {
	const problems: string[] = [];
	const writeIds = new Set<string>();
	const own = live.map(({ commits }) => commits.at(-1)!);
	let length = 0;
	for (const [n, object] of live.entries()) {
		const { header } = object;
		const say = (what: string) => problems.push(`commit ${n}: ${what}`);
		if (writeIds.has(header.writeId)) say("its writeId is another's too");
		writeIds.add(header.writeId);
		if (header.previous !== (live[n - 1]?.header.writeId ?? null))
			say("names another commit as the one before it");
		length += own[n]!.records.length;
		if (header.length !== length) say(`counts ${header.length} records, there are ${length}`);
		const i = n + 1;
		for (const [what, carried] of [
			["index", header.indexCarried],
			["bodies", header.bodyCarried],
		] as const) {
			if (!isBlock(i, carried)) say(`carries the ${what} of ${carried} commits, no aligned block`);
		}
		if (own[n]!.line.prefixLength !== object.prefixLength)
			say("its own line is wrong about where its bodies start");
		for (const copy of object.commits)
			if (copy.text !== own[copy.n]!.text) say(`its copy of commit ${copy.n}'s index differs`);
		if (object.bodies.join("\n") !== bodiesOf(live, n - header.bodyCarried + 1, n, sizes).join("\n"))
			say("its bodies are not those of its block");
		const missing = coverGap(live, n);
		if (missing !== undefined) say(`its cover lacks the index of commit ${missing}`);
	}
	if (
		tombstone &&
		parseHeader(tombstone.landing.key, live.length, tombstone.landing.bytes)?.headerLength !==
			tombstone.landing.bytes.length
	) {
		problems.push("the tombstone has content");
	}
	return problems;
}

function isBlock(i: number, size: number): boolean {
	return size >= 1 && size <= (i & -i) && (size & (size - 1)) === 0;
}

/** Body lines of the commits `first` … `last`, as those who wanted them would write them. */
function bodiesOf(
	live: readonly LiveObject[],
	first: number,
	last: number,
	sizes: ReadonlyMap<string, number>,
): string[] {
	const decoder = new TextDecoder();
	return live.slice(first, last + 1).flatMap(({ commits }) => {
		const { line, records } = commits.at(-1)!;
		const genesis = line.genesis ? [decoder.decode(bodyOf(line.genesis.tag, sizes.get("genesis")!))] : [];
		return [...genesis, ...records.map(({ id }) => decoder.decode(bodyOf(id, sizes.get(wantedId(id))!)))];
	});
}

/** The first commit whose index none of a commit's cover objects holds: those that follow from n, and those its header names. */
function coverGap(live: readonly LiveObject[], n: number): number | undefined {
	const members = new Set(live[n]!.header.cover.map(([member]) => member));
	for (let i = n + 1; i > 0; i -= i & -i) members.add(i - 1);
	for (const [member, prefixLength] of live[n]!.header.cover)
		if (live[member]!.prefixLength !== prefixLength) return member;
	const held = new Set<number>();
	for (const member of members) for (const commit of live[member]!.commits) held.add(commit.n);
	return Array.from({ length: n + 1 }, (_, number) => number).find((number) => !held.has(number));
}

/** A process that starts with nothing must see of the first commits what they hold: of all of them, or of some that `random` picks. */
export async function checkRebuilds(
	name: LogName,
	{ live }: Objects,
	states: States,
	random: Seeded,
	most: number,
): Promise<string[]> {
	const problems: string[] = [];
	const store = new MemoryStore({ now: () => 0 });
	const chance = most / live.length;
	for (const [n, { landing }] of live.entries()) {
		await store.put(commitKey(logPrefix(name), n), landing.bytes);
		if (n < live.length - 1 && !random.chance(chance)) continue;
		const outcome = await coldLog().read({ store }, name, random.pick(["index", "bodies"]));
		if (outcome.kind !== "ok")
			problems.push(`a cold read of the first ${n + 1} commits says ${outcome.kind}`);
		else
			problems.push(
				...differences(outcome.view, n, live, states).map(
					(what) => `a cold read of the first ${n + 1} commits: ${what}`,
				),
			);
	}
	return problems;
}

/** How a view differs from what the first n + 1 commits hold. */
export function differences(view: LogView, n: number, live: readonly LiveObject[], states: States): string[] {
	const problems: string[] = [];
	if (view.commit !== n) problems.push(`its commit is ${view.commit}, not ${n}`);
	if (view.length !== states.length(n + 1))
		problems.push(`it has ${view.length} records, not ${states.length(n + 1)}`);
	if (view.head !== states.head(n + 1)) problems.push(`its head is ${view.head}, not ${states.head(n + 1)}`);
	let seq = 0;
	for (const [number, { commits }] of live.slice(0, n + 1).entries()) {
		for (const record of commits.at(-1)!.records) {
			seq += 1;
			if (view.id(seq) !== record.id || view.seqOf(record.id) !== seq)
				problems.push(`record ${seq} is not ${record.id}`);
			if (view.commitOf(seq) !== number) problems.push(`${record.id} is not in commit ${number}`);
			if (view.kind(seq) !== record.kind || view.byteLength(seq) !== record.byteLength)
				problems.push(`${record.id} is described wrongly`);
			if (JSON.stringify(view.meta(seq)) !== JSON.stringify(record.meta ?? {}))
				problems.push(`${record.id} has other meta`);
			const parent = typeof record.parent === "number" ? view.id(seq - record.parent) : record.parent;
			if (view.parent(seq) !== parent) problems.push(`${record.id} hangs below ${view.parent(seq)}`);
			if (record.tag !== null && number > 0 && view.request(record.tag)[0] !== seq)
				problems.push(`request ${record.tag} is not found`);
		}
	}
	return problems;
}

/** An engine that knows nothing yet, without faults. */
export function coldLog(): Log {
	const never = () => Promise.reject(new Error("a read does not sleep"));
	return new Log({ clock: { now: () => 0, monotonic: () => 0, sleep: never }, random: new Seeded(1) });
}

/** What the bucket holds of a log in the end: all of a living one, of a purged one nothing but an end at number 0. */
export async function checkBucket(
	bucket: MemoryStore,
	name: LogName,
	{ live, tombstone }: Objects,
	purged: boolean,
): Promise<string[]> {
	const prefix = logPrefix(name);
	const { objects } = await bucket.list(prefix);
	const there = objects.map(({ key }) => key).sort();
	if (purged) {
		const key = commitKey(prefix, 0);
		const zero = await bucket.get(key);
		const header = zero.kind === "found" ? parseHeader(key, 0, zero.bytes) : undefined;
		const fine =
			there.join() === key &&
			header?.header.kind === "tombstone" &&
			zero.kind === "found" &&
			header.headerLength === zero.size;
		return fine ? [] : [`after its purge there is ${there.join(", ") || "nothing"}`];
	}
	if (tombstone) return [];
	const expected = live.map(({ landing }) => landing.key).sort();
	return there.join() === expected.join()
		? []
		: [`the bucket holds ${there.join(", ")} of a living log with ${live.length} commits`];
}
