import type { Entry } from "../src/session/entry.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import type { Design, Instance } from "./design.ts";

/** The key of the whole session. */
export const fileKey = "session.jsonl";

/**
 * Naive: the session's JSONL file is one object, and written anew at each append. It would need a conditional write
 * on the ETag to lose nothing where two append at once; that costs no further request, and is left out.
 */
export const oneObject: Design = {
	name: "one object",
	open: () => new OneObject(),
};

class OneObject implements Instance {
	#held: { readonly bytes: Uint8Array; readonly etag: string } | undefined;

	async append(store: ObjectStore, entry: Entry): Promise<void> {
		const { bytes } = this.#held ?? (await this.#read(store));
		const line = new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
		const grown = new Uint8Array(bytes.length + line.length);
		grown.set(bytes);
		grown.set(line, bytes.length);
		const put = await store.put(fileKey, grown);
		if (put.kind !== "created") throw new Error(put.kind);
		this.#held = { bytes: grown, etag: put.etag };
	}

	context = (store: ObjectStore) => this.#refresh(store);
	branch = (store: ObjectStore) => this.#refresh(store);
	page = (store: ObjectStore) => this.#refresh(store);
	tree = (store: ObjectStore) => this.#refresh(store);
	leaf = (store: ObjectStore) => this.#refresh(store);

	/** Everything is in the one object. One byte stands for the empty 304 that a conditional GET would get. */
	async #refresh(store: ObjectStore): Promise<void> {
		if (this.#held) {
			const { etag } = this.#held;
			const same = await store.get(fileKey, { ifMatch: etag, range: { offset: 0, length: 1 } });
			if (same.kind === "found") return;
		}
		this.#held = await this.#read(store);
	}

	async #read(store: ObjectStore): Promise<{ bytes: Uint8Array; etag: string }> {
		const found = await store.get(fileKey);
		if (found.kind !== "found") throw new Error(found.kind);
		return found;
	}
}
