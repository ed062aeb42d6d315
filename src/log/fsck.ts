import type { ObjectStore } from "../store/object-store.ts";
import { checkBodies } from "./body-region.ts";
import { encodeHeader, type Header, smallestLiveCommit } from "./commit.ts";
import { type DerivedPrefix, derivePrefix, isConfirmedBy } from "./derive-header.ts";
import { Corrupt } from "./errors.ts";
import { examineObject, salvageIndex } from "./examine-object.ts";
import { type CoverNode, extendCover } from "./fenwick.ts";
import type { IndexBlock } from "./index-block.ts";
import { commitKey } from "./keys.ts";
import { LogIndex } from "./log-index.ts";
import { genesisSeq } from "./log-state.ts";
import { isSame, restoreObject } from "./restore-object.ts";
import { listLog, readObjects, Survey } from "./survey.ts";

/** What is wrong with one object. */
export interface Finding {
	readonly key: string;
	readonly problems: readonly string[];
	/**
	 * `repairable`: the object can be put together from what others hold, byte for byte but for what is `lost`.
	 * `repaired`: that was done. `lost`: what is wrong is in no other object. `unclear`: somebody must look at it.
	 */
	readonly outcome: "repairable" | "repaired" | "lost" | "unclear";
	/** What is nowhere any more. */
	readonly lost: readonly string[];
}

/** What a check of one log found. */
export interface LogReport {
	readonly prefix: string;
	/** `ended`: a tombstone is on top, or it was purged; then nothing else is looked at, and nothing repaired. */
	readonly standing: "absent" | "living" | "ended";
	/** Of a living log; records where the whole index is known. */
	readonly commits: number;
	readonly records: number;
	readonly findings: readonly Finding[];
}

/**
 * Checks every object of a log by itself, against what follows from the objects before it, and against the copies
 * that others carry. Repairs where asked to. Reads each object once, damaged ones and those behind them twice.
 * That the newest commits are missing can't be seen.
 * @throws StoreUnavailable
 */
export async function checkLog(
	store: ObjectStore,
	prefix: string,
	{ repair }: { readonly repair: boolean },
): Promise<LogReport> {
	const { sizes, strays } = await listLog(store, prefix);
	const findings: Finding[] = strays.map((key) => unclear(key, ["is no commit's key"]));
	const newest = await newestOf(store, prefix, [...sizes.keys()], findings);
	if (newest === undefined) return { prefix, standing: "absent", commits: 0, records: 0, findings };
	const survey = new Survey(prefix);
	const check = new LogCheck(prefix, survey);
	const numbers = Array.from({ length: newest + 1 }, (_, n) => n);
	for await (const [n, bytes] of readObjects(store, prefix, numbers)) {
		survey.take(n, bytes);
		if (survey.header(n)?.kind === "tombstone") {
			if (n > 0 && n < newest)
				findings.push(unclear(commitKey(prefix, n), ["ends the log below its newest commit"]));
			return { prefix, standing: "ended", commits: 0, records: 0, findings };
		}
		if (check.next === n && survey.soundHeader(n)) check.follow(n, bytes);
	}
	for await (const [n, bytes] of readObjects(store, prefix, numbers.slice(check.next))) {
		if (check.next !== n) break;
		check.follow(n, bytes);
	}
	const mayHaveEnded = !survey.soundHeader(newest) && (sizes.get(newest) ?? 0) < smallestLiveCommit;
	for (const [n, problems] of [...survey.problems].sort(([a], [b]) => a - b)) {
		const key = commitKey(prefix, n);
		const derived = check.derived.get(n);
		if (check.contradictory.has(n)) findings.push(unclear(key, problems));
		else if (mayHaveEnded && n === newest)
			findings.push(unclear(key, [...problems, "may have been the log's end"]));
		else if (derived === undefined) {
			const lost = [
				n === check.next ? "its index lines" : `the index lines of commit ${check.next} before it`,
			];
			findings.push({ key, problems, outcome: "lost", lost });
		} else {
			const mayWrite = repair && !mayHaveEnded;
			const restored = await restoreObject(store, {
				prefix,
				index: check.index,
				n,
				newest,
				derived,
				mayWrite,
			});
			const lost = restored.lost.map((seq) => recordName(check.index, seq));
			findings.push({ key, problems, outcome: restored.outcome, lost });
		}
	}
	return { prefix, standing: "living", commits: newest + 1, records: check.index.length, findings };
}

function unclear(key: string, problems: readonly string[]): Finding {
	return { key, problems, outcome: "unclear", lost: [] };
}

function recordName(index: LogIndex, seq: number): string {
	return seq === genesisSeq ? "the log's first line" : `record ${seq} (${index.id(seq)})`;
}

/** The newest commit. What lies beyond a gap, and isn't sound either, doesn't count as one. */
async function newestOf(
	store: ObjectStore,
	prefix: string,
	numbers: readonly number[],
	findings: Finding[],
): Promise<number | undefined> {
	for (let k = numbers.length - 1; k >= 0; k--) {
		const n = numbers[k]!;
		if (n === 0 || numbers[k - 1] === n - 1) return n;
		const key = commitKey(prefix, n);
		const found = await store.get(key);
		const examined = found.kind === "found" ? examineObject(key, n, found.bytes) : undefined;
		if (examined && examined.problem === undefined) return n;
		findings.push(unclear(key, [examined?.problem ?? "is missing", "lies beyond a gap"]));
	}
	return undefined;
}

const encoder = new TextEncoder();

/** Follows a log from its start, commit by commit, and compares what objects say with what follows from that. */
class LogCheck {
	readonly index = new LogIndex();
	/** What objects with problems must have begun with. */
	readonly derived = new Map<number, DerivedPrefix>();
	/** Objects that vouch for themselves, and say something else than the rest of the log. */
	readonly contradictory = new Set<number>();
	readonly #prefix: string;
	readonly #survey: Survey;
	#cover: readonly CoverNode[] = [];

	constructor(prefix: string, survey: Survey) {
		this.#prefix = prefix;
		this.#survey = survey;
	}

	/** The commit up to which the log was followed. */
	get next(): number {
		return this.index.commits;
	}

	/** Follows the log over commit n, the next one, where its index lines are known. */
	follow(n: number, bytes: Uint8Array | undefined): void {
		const survey = this.#survey;
		const followed =
			survey.texts[n] === undefined ? this.#salvage(n, bytes) : this.#derive(n, survey.texts[n]);
		if (followed === undefined) return;
		const { text, block, derived } = followed;
		survey.texts[n] = text;
		this.index.add(block);
		const { prefixLength } = this.index.commit(n);
		const header = survey.header(n) as Header | undefined;
		if (!derived || (header && !isSame(encodeHeader(this.#prefix, header), derived.headerLine))) {
			survey.note(n, "contradicts the commits before it");
			this.contradictory.add(n);
		}
		const carried = header?.indexCarried ?? derived?.header.indexCarried ?? 1;
		this.#cover = extendCover(this.#cover, { n, carried, prefixLength });
		if (bytes && survey.soundHeader(n))
			for (const problem of checkBodies(this.index, bytes, (seq) => recordName(this.index, seq)))
				survey.note(n, problem);
		if (derived && survey.problems.has(n)) this.derived.set(n, derived);
	}

	#derive(n: number, text: string): Followed | undefined {
		const { index } = this;
		try {
			const block = index.read(commitKey(this.#prefix, n), n, n, encoder.encode(text));
			const known = { prefix: this.#prefix, index, cover: this.#cover, texts: this.#survey.texts };
			return { text, block, derived: derivePrefix(known, n, text) };
		} catch (error) {
			if (!(error instanceof Corrupt)) throw error;
			return undefined;
		}
	}

	/** Index lines from the object itself, though its header is damaged, where what is left of that bears witness to them. */
	#salvage(n: number, bytes: Uint8Array | undefined): Followed | undefined {
		if (bytes === undefined || this.#survey.header(n)) return undefined;
		for (const text of salvageIndex(commitKey(this.#prefix, n), bytes)) {
			const followed = this.#derive(n, text);
			if (followed?.derived && isConfirmedBy(followed.derived.headerLine, bytes)) return followed;
		}
		return undefined;
	}
}

interface Followed {
	readonly text: string;
	readonly block: IndexBlock;
	readonly derived: DerivedPrefix | undefined;
}
