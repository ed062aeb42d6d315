import { type Entry, type Leaflog, LeaflogError, Unreachable } from "../client/src/index.ts";

/** What became of one session. */
export interface SyncResult {
	/** The file, from the folder on. */
	readonly path: string;
	readonly session?: string;
	/** `deleted`: in the service, for ever; the file is left as it is. */
	readonly outcome: "unchanged" | "created" | "updated" | "conflict" | "failed" | "deleted";
	/** Entries that were sent or written. */
	readonly entries: number;
	readonly detail?: string;
}

export type OnProgress = (done: number, total: number, result: SyncResult) => void;

export interface SyncOptions {
	readonly folder: string;
	/** Names the service in what is remembered. */
	readonly service: string;
	readonly onProgress?: OnProgress;
}

/** Sessions that are looked at side by side. */
const atOnce = 4;

/**
 * Does some work for each of many things, a few at a time; the results are in their order. An error ends it, and is
 * thrown once what was begun has ended.
 */
export async function forEach<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Promise<Result>,
	onDone?: (done: number, total: number, result: Result) => void,
): Promise<Result[]> {
	const results = new Map<number, Result>();
	let next = 0;
	const worker = async () => {
		try {
			while (next < items.length) {
				const at = next++;
				const result = await work(items[at] as Item);
				results.set(at, result);
				onDone?.(results.size, items.length, result);
			}
		} catch (error) {
			next = items.length;
			throw error;
		}
	};
	const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
	const failure = ended.find(({ status }) => status === "rejected");
	if (failure?.status === "rejected") throw failure.reason;
	return items.flatMap((_item, at) => results.get(at) ?? []);
}

/** Whether there is no use in going on with other sessions. */
export function isFatal(error: unknown): boolean {
	if (!(error instanceof LeaflogError)) return error instanceof Unreachable;
	return error.code === undefined || [401, 403, 501].includes(error.status);
}

/** Whether the service has refused with one of these statuses. */
export function isRefusal(error: unknown, ...statuses: readonly number[]): error is LeaflogError {
	return error instanceof LeaflogError && statuses.includes(error.status);
}

/** The entries of a session after a version; undefined where there is no such session. */
export async function entriesOf(leaflog: Leaflog, id: string, after = 0): Promise<Entry[] | undefined> {
	try {
		const entries: Entry[] = [];
		for await (const entry of leaflog.session(id).allEntries({ after, limit: 1000 })) entries.push(entry);
		return entries;
	} catch (error) {
		if (isRefusal(error, 404)) return undefined;
		throw error;
	}
}

/** For people: what went wrong, and where. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof LeaflogError)) return error instanceof Error ? error.message : String(error);
	const lines = error.errors.filter(({ line }) => line !== undefined);
	if (lines.length === 0) return error.message;
	const told = lines.slice(0, 3).map(({ line, message }) => `line ${line}: ${message}`);
	return [...told, ...(lines.length > 3 ? [`and ${lines.length - 3} more`] : [])].join("; ");
}
