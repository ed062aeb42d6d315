import { limits } from "../../schemas/limits.ts";
import { Log, type Scope } from "../../src/log/log.ts";
import type { Call } from "../../src/operations/call.ts";
import { Catalogue, type CatalogueSettings } from "../../src/operations/catalogue.ts";
import { ImportTurns } from "../../src/operations/import-turns.ts";
import type { SweepParts } from "../../src/operations/sweep.ts";
import { MemoryStore } from "../../src/store/memory.ts";
import { MeteredStore } from "../../src/store/metering.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { ManualClock, seededRandom } from "../log/instances.ts";

/** What an instance and a request of it are made of. */
export interface Instance {
	readonly log: Log;
	readonly catalogue: Catalogue;
	/** A request of its own. */
	call(
		namespace?: string,
		store?: ObjectStore,
	): Call & { readonly scope: Scope & { readonly store: MeteredStore } };
	sweeper(store?: ObjectStore): SweepParts;
}

/** One bucket in memory, and as many instances over it as a test wants. */
export class World {
	readonly clock = new ManualClock();
	readonly store = new MemoryStore({ now: () => this.clock.now() });
	#instances = 0;

	instance(settings: Partial<CatalogueSettings> = { activityLag: 0 }): Instance {
		const { clock } = this;
		const random = seededRandom(++this.#instances);
		const log = new Log({ clock, random });
		const catalogue = new Catalogue({ clock, random, settings });
		const imports = new ImportTurns({ clock });
		const scopeOn = (store: ObjectStore) => ({ store: new MeteredStore(store, { now: clock.now }) });
		return {
			log,
			catalogue,
			call: (namespace = "somebody", store = this.store) => {
				const scope = scopeOn(store);
				return { namespace, log, catalogue, imports, scope, after: scope, clock, random, limits };
			},
			sweeper: (store = this.store) => ({ log, catalogue, scope: { store } }),
		};
	}

	/** Everything in the bucket, as text by key. */
	async contents(): Promise<Map<string, string>> {
		const all = new Map<string, string>();
		for (let after: string | undefined; ; ) {
			const page = await this.store.list("", after === undefined ? {} : { after });
			for (const { key } of page.objects) {
				const found = await this.store.get(key);
				if (found.kind === "found") all.set(key, new TextDecoder().decode(found.bytes));
			}
			if (!page.truncated) return all;
			after = page.objects.at(-1)?.key;
		}
	}
}

/** Requests that a call has sent. */
export function requestsOf(call: { readonly scope: { readonly store: MeteredStore } }) {
	const { list, get, put } = call.scope.store.counts();
	return { list: list.requests, get: get.requests, put: put.requests };
}
