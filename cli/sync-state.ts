import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stamp } from "./pi-files.ts";

/** What a file and its session had in common when they were compared last. */
export interface Synced extends Stamp {
	/** The session's id. */
	readonly session: string;
	/** All entries of the session up to this version are in the file. */
	readonly seq: number;
	/** SHA-256 of the first `size` bytes of the file: all of these are in the session. */
	readonly digest: string;
	/** What was stored isn't just what the file says: pull writes the file anew. */
	readonly rewrite?: boolean;
}

interface Note {
	readonly service: string;
	readonly path: string;
	readonly synced: Synced;
}

/**
 * What is known of a folder and a service, kept in the folder as a journal: a note is one line at its end, so that
 * whoever was interrupted goes on where they were. It saves work and nothing else: without it all is compared again.
 */
export class SyncState {
	readonly #path: string;
	readonly #service: string;
	readonly #all: Map<string, Note>;

	private constructor(path: string, service: string, all: Map<string, Note>) {
		this.#path = path;
		this.#service = service;
		this.#all = all;
	}

	/** @param service names it: what is known of another service says nothing of this one */
	static async open(folder: string, service: string): Promise<SyncState> {
		// Not named as a session file, for pi lists these.
		const path = join(folder, ".leaflog-sync");
		const notes = notesIn(await readFile(path, "utf8").catch(() => ""));
		const all = new Map(notes.map((note) => [keyOf(note.service, note.path), note]));
		if (notes.length > 2 * all.size + 100) await rewrite(path, [...all.values()]);
		return new SyncState(path, service, all);
	}

	get(path: string): Synced | undefined {
		return this.#all.get(keyOf(this.#service, path))?.synced;
	}

	async set(path: string, synced: Synced): Promise<void> {
		const note = { service: this.#service, path, synced };
		await mkdir(join(this.#path, ".."), { recursive: true });
		// The line feed comes first too: the last run may have been killed within a line.
		await appendFile(this.#path, `\n${JSON.stringify(note)}\n`);
		this.#all.set(keyOf(this.#service, path), note);
	}
}

function keyOf(service: string, path: string): string {
	return JSON.stringify([service, path]);
}

function notesIn(text: string): Note[] {
	return text.split("\n").flatMap((line) => {
		try {
			const note = JSON.parse(line) as Partial<Note> | null;
			const { service, path, synced } = note ?? {};
			const whole = service !== undefined && path !== undefined && typeof synced?.digest === "string";
			return whole ? [{ service, path, synced }] : [];
		} catch {
			return [];
		}
	});
}

async function rewrite(path: string, notes: readonly Note[]): Promise<void> {
	const draft = `${path}.leaflog-${process.pid}.tmp`;
	try {
		await writeFile(draft, notes.map((note) => `${JSON.stringify(note)}\n`).join(""));
		await rename(draft, path);
	} finally {
		await rm(draft, { force: true });
	}
}
