import { deletePages } from "./delete-pages.ts";
import type {
	GetOptions,
	GetOutcome,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
	PutOutcome,
} from "./object-store.ts";
import { StoreUnavailable } from "./object-store.ts";

/** An R2 bucket through its Workers binding: https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ */
export class R2Store implements ObjectStore {
	readonly #bucket: R2Bucket;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
	}

	async put(key: string, bytes: Uint8Array, options: PutOptions = {}): Promise<PutOutcome> {
		try {
			const onlyIf = options.ifAbsent ? { etagDoesNotMatch: "*" } : {};
			const object = await this.#bucket.put(key, bytes, { onlyIf });
			return object === null ? { kind: "exists" } : { kind: "created", etag: object.etag };
		} catch (cause) {
			return { kind: "unknown", cause };
		}
	}

	async get(key: string, options: GetOptions = {}): Promise<GetOutcome> {
		try {
			return await this.#read(key, options);
		} catch (cause) {
			if (options.range === undefined) throw unavailable("get", cause);
			return this.#nothingPastTheEnd(key, options.range.offset, options.ifMatch, cause);
		}
	}

	async list(prefix: string, options: ListOptions = {}): Promise<ListPage> {
		const limit = options.limit ?? 1000;
		try {
			let page = await this.#bucket.list({ prefix, limit, startAfter: options.after });
			// R2 may cut a page short, even to nothing, with more to follow.
			while (page.objects.length === 0 && page.truncated) {
				page = await this.#bucket.list({ prefix, limit, cursor: page.cursor });
			}
			const objects = page.objects.map((object) => ({
				key: object.key,
				size: object.size,
				etag: object.etag,
				modified: object.uploaded.getTime(),
			}));
			return { objects, truncated: page.truncated };
		} catch (cause) {
			throw unavailable("list", cause);
		}
	}

	async delete(keys: readonly string[]): Promise<void> {
		try {
			for (const page of deletePages(keys)) await this.#bucket.delete([...page]);
		} catch (cause) {
			throw unavailable("delete", cause);
		}
	}

	async #read(key: string, { range, ifMatch }: GetOptions): Promise<GetOutcome> {
		const onlyIf = ifMatch === undefined ? {} : { etagMatches: ifMatch };
		const object = await this.#bucket.get(key, { range, onlyIf });
		if (object === null) return { kind: "absent" };
		if (!("body" in object)) return { kind: "changed" };
		const bytes = new Uint8Array(await object.arrayBuffer());
		return { kind: "found", bytes, ...properties(object) };
	}

	/**
	 * R2 throws at a range that begins at or past the end, without a word about the object, and the local R2 not
	 * always with the documented code 10039 (2026-11): so the object's size tells why `cause` was thrown.
	 */
	async #nothingPastTheEnd(
		key: string,
		offset: number,
		ifMatch: string | undefined,
		cause: unknown,
	): Promise<GetOutcome> {
		const object = await this.#bucket.head(key).catch(() => {
			throw unavailable("get", cause);
		});
		if (object === null) return { kind: "absent" };
		if (ifMatch !== undefined && ifMatch !== object.etag) return { kind: "changed" };
		if (offset < object.size) throw unavailable("get", cause);
		return { kind: "found", bytes: new Uint8Array(0), ...properties(object) };
	}
}

function properties(object: R2Object) {
	return { etag: object.etag, size: object.size, modified: object.uploaded.getTime() };
}

function unavailable(action: string, cause: unknown): StoreUnavailable {
	return new StoreUnavailable(`R2 gave no clear answer to ${action}`, { cause });
}
