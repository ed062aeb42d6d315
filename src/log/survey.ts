import { type ListedObject, type ObjectStore, StoreUnavailable } from "../store/object-store.ts";
import type { Header, Tombstone } from "./commit.ts";
import { type Examined, examineObject } from "./examine-object.ts";
import { commitKey, commitNumber } from "./keys.ts";

/** Objects that are read at a time. */
const wave = 6;

/** What a LIST shows of a log. */
export interface ListedLog {
	/** Bytes of each commit's object, by number; ascending. */
	readonly sizes: ReadonlyMap<number, number>;
	/** Keys below the prefix that are no commit's. */
	readonly strays: readonly string[];
}

/** Lists all objects of a log. @throws StoreUnavailable */
export async function listLog(store: ObjectStore, prefix: string): Promise<ListedLog> {
	const objects: ListedObject[] = [];
	for (let after: string | undefined; ; after = objects.at(-1)!.key) {
		const page = await store.list(prefix, after === undefined ? {} : { after });
		objects.push(...page.objects);
		if (!page.truncated) break;
		if (page.objects.length === 0) throw new StoreUnavailable(`${prefix}: an empty page of a LIST`);
	}
	const sizes = new Map<number, number>();
	const strays: string[] = [];
	for (const { key, size } of objects.reverse()) {
		const n = key.lastIndexOf("/") === prefix.length - 1 ? commitNumber(key) : undefined;
		if (n === undefined) strays.push(key);
		else sizes.set(n, size);
	}
	return { sizes, strays };
}

/** The objects with these numbers, in their order, read some at a time; undefined where there is none. */
export async function* readObjects(
	store: ObjectStore,
	prefix: string,
	numbers: readonly number[],
): AsyncGenerator<readonly [n: number, bytes: Uint8Array | undefined]> {
	for (let at = 0; at < numbers.length; at += wave) {
		yield* await Promise.all(
			numbers.slice(at, at + wave).map(async (n) => {
				const found = await store.get(commitKey(prefix, n));
				return [n, found.kind === "found" ? found.bytes : undefined] as const;
			}),
		);
	}
}

/** What all objects of a log say of its index: of themselves, and of the commits before them that they carry. */
export class Survey {
	/** Index lines of each commit, as the first object tells them that holds them. */
	readonly texts: (string | undefined)[] = [];
	/** What is wrong with objects, by number. */
	readonly problems = new Map<number, string[]>();
	readonly #prefix: string;
	readonly #headers: (Header | Tombstone | undefined)[] = [];
	/** Of which commits the lines are those of their own sound object. */
	readonly #own = new Set<number>();

	constructor(prefix: string) {
		this.#prefix = prefix;
	}

	/** The header of a commit's object, where header and index are sound. */
	soundHeader(n: number): Header | undefined {
		const header = this.#headers[n];
		return header?.kind === "live" && this.#own.has(n) ? header : undefined;
	}

	/** The header of a commit's object, whatever is wrong with the rest. */
	header(n: number): Header | Tombstone | undefined {
		return this.#headers[n];
	}

	/** Takes in what an object says; undefined where it is missing. */
	take(n: number, bytes: Uint8Array | undefined): void {
		if (bytes === undefined) {
			this.note(n, "is missing");
			return;
		}
		const examined: Examined = examineObject(commitKey(this.#prefix, n), n, bytes);
		this.#headers[n] = examined.header;
		if (examined.problem !== undefined) this.note(n, examined.problem);
		const first = n - examined.texts.length + 1;
		examined.texts.forEach((text, k) => {
			const m = first + k;
			const known = this.texts[m];
			if (m === n) this.#own.add(n);
			if (known !== undefined && known !== text)
				this.note(n, `tells the index of commit ${m} in another way than others do`);
			if (known === undefined) this.texts[m] = text;
		});
	}

	note(n: number, problem: string): void {
		this.problems.set(n, [...(this.problems.get(n) ?? []), problem]);
	}
}
