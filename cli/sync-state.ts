import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Stamp, writeWhole } from "./pi-files.ts";

/** What a file and its session were when they were the same. */
export interface Synced extends Stamp {
	readonly session: string;
	/** The session's version. */
	readonly seq: number;
}

/** What is known of a folder and a service, kept in the folder. Without it everything is compared again. */
export class SyncState {
	readonly #path: string;
	readonly #service: string;
	#all: Record<string, Record<string, Synced>> = {};

	private constructor(folder: string, service: string) {
		this.#path = join(folder, ".leaflog-sync.json");
		this.#service = service;
	}

	static async open(folder: string, service: string): Promise<SyncState> {
		const state = new SyncState(folder, service);
		try {
			state.#all = JSON.parse(await readFile(state.#path, "utf8"));
		} catch {
			// None yet, or not to be read: then all is compared.
		}
		return state;
	}

	get(path: string): Synced | undefined {
		return this.#all[this.#service]?.[path];
	}

	/** Saved at once, so that whoever was interrupted goes on where they were. */
	async set(path: string, synced: Synced): Promise<void> {
		this.#all = { ...this.#all, [this.#service]: { ...this.#all[this.#service], [path]: synced } };
		await writeWhole(this.#path, JSON.stringify(this.#all));
	}
}
