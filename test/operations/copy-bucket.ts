import type { Random } from "../../src/log/log.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";

export interface CopyOptions {
	/** What goes on in the bucket before each request of the copy. */
	readonly meanwhile: () => Promise<void>;
	readonly random: Random;
	/** Keys of a page of a LIST. */
	readonly pageKeys: number;
	/** All pages are listed before anything is copied. */
	readonly listsFirst: boolean;
}

/**
 * Copies a bucket as common tools do: it lists the keys in their order, and copies what is not there yet, in no order.
 * What has gone in between is left out. With `mirror` also replaces what is another one, and removes what is only in
 * the copy.
 */
export async function copyBucket(
	from: ObjectStore,
	to: ObjectStore,
	{ meanwhile, random, pageKeys, listsFirst }: CopyOptions,
	mirror = false,
): Promise<void> {
	const waiting: string[] = [];
	const listed = new Set<string>();
	const copyWaiting = async () => {
		while (waiting.length > 0) {
			const at = Math.floor(random.fraction() * waiting.length);
			const [key = ""] = waiting.splice(at, 1);
			await meanwhile();
			const found = await from.get(key);
			if (found.kind === "found") await to.put(key, found.bytes);
		}
	};
	for (let after: string | undefined; ; ) {
		await meanwhile();
		const page = await from.list("", { limit: pageKeys, ...(after !== undefined && { after }) });
		for (const { key, size } of page.objects) {
			listed.add(key);
			const held = await to.get(key);
			if (held.kind !== "found" || (mirror && held.size !== size)) waiting.push(key);
		}
		if (!listsFirst) await copyWaiting();
		after = page.objects.at(-1)?.key;
		if (!page.truncated || after === undefined) break;
	}
	await copyWaiting();
	if (mirror) await to.delete((await keysOf(to)).filter((key) => !listed.has(key)));
}

export async function keysOf(store: ObjectStore): Promise<string[]> {
	const keys: string[] = [];
	for (let after: string | undefined; ; ) {
		const page = await store.list("", after === undefined ? {} : { after });
		keys.push(...page.objects.map(({ key }) => key));
		if (!page.truncated) return keys;
		after = page.objects.at(-1)?.key;
	}
}
