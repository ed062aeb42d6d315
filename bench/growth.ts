import { MeteredStore } from "../src/store/metering.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import { Chat } from "./chat.ts";
import { LeaflogInstance } from "./leaflog-design.ts";
import { entryKey } from "./object-per-entry-design.ts";
import { fileKey } from "./one-object-design.ts";
import { Spool } from "./spool.ts";
import { SpoolStore } from "./spool-store.ts";
import { VirtualTime } from "./virtual-time.ts";

/** A session at one length, as each design keeps it. None of the buckets may be written to. */
export interface Stage {
	/** Number of entries. */
	readonly entries: number;
	/** Bytes of the entries' lines. */
	readonly bytes: number;
	/** The newest entry's id. */
	readonly leaf: string;
	readonly leaflog: ObjectStore;
	readonly oneObject: ObjectStore;
	readonly objectPerEntry: ObjectStore;
	/** Id of the entry from which on the lines have about so many bytes; the first one's where all have less. */
	idBack(bytes: number): string;
	/** What the appends wrote so far: bytes of all commits, of the largest, and of one object written anew each time. */
	readonly written: { readonly bytes: number; readonly largest: number; readonly oneObject: number };
}

const header = new TextEncoder().encode(
	'{"type":"session","version":3,"id":"session","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work"}',
);

/** A conversation that grows, one commit an entry; stops at each of these lengths (ascending). */
export async function* grow(lengths: readonly number[]): AsyncGenerator<Stage> {
	const commits = new Spool();
	const lines = new Spool();
	try {
		const time = new VirtualTime();
		const bucket = new SpoolStore(commits);
		const metered = new MeteredStore(bucket, time);
		const writer = new LeaflogInstance(time);
		const chat = new Chat(7);
		const ids: string[] = [];
		/** Where each entry's line begins in `lines`, and where the last one ends. */
		const begins: number[] = [];
		let largest = 0;
		let rewritten = 0;
		await writer.create(metered, header);
		lines.append(new Uint8Array([...header, 10]));
		begins.push(lines.length);
		for (const length of lengths) {
			while (ids.length < length) {
				const entry = chat.next();
				const line = new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
				const before = metered.counts().bytesWritten;
				await writer.write(metered, entry, line.subarray(0, -1));
				time.advance(20_000);
				largest = Math.max(largest, metered.counts().bytesWritten - before);
				lines.append(line);
				begins.push(lines.length);
				rewritten += lines.length;
				ids.push(entry.id);
			}
			const oneObject = new SpoolStore(lines);
			oneObject.place(fileKey, { offset: 0, length: lines.length });
			const objectPerEntry = new SpoolStore(lines);
			for (let n = 1; n <= length; n++) {
				objectPerEntry.place(entryKey(n), {
					offset: begins[n - 1]!,
					length: begins[n]! - begins[n - 1]! - 1,
				});
			}
			yield {
				entries: length,
				bytes: lines.length - begins[0]!,
				leaf: ids.at(-1)!,
				leaflog: bucket,
				oneObject,
				objectPerEntry,
				idBack: (bytes) =>
					ids[
						Math.max(
							0,
							begins.findIndex((begin) => begin >= lines.length - bytes),
						)
					]!,
				written: { bytes: metered.counts().bytesWritten, largest, oneObject: rewritten },
			};
		}
	} finally {
		commits.close();
		lines.close();
	}
}
