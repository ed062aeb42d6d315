import type { LogView } from "../../src/log/log.ts";
import { type Fault, FaultyStore } from "../../src/store/faults.ts";
import type { ListedObject } from "../../src/store/object-store.ts";
import { appendOne, genesis, World } from "./instances.ts";

type Kind = "put" | "get" | "list";

export const name = { namespace: "n", id: "s" };

/** A bucket with a log of one commit. The requests of the faulty world go wrong as planned, one after the other. */
export class FaultyWorld {
	readonly #kept = new World();
	readonly #faults: Record<Kind, (Fault | undefined)[]> = { put: [], get: [], list: [] };
	/** What meets the requests of a kind that have no planned fault. */
	readonly always: Partial<Record<Kind, Fault>> = {};
	readonly store = new FaultyStore(this.#kept.store, {
		plan: ({ kind }) => {
			if (kind === "delete") return undefined;
			const planned = this.#faults[kind];
			return planned.length > 0 ? planned.shift() : this.always[kind];
		},
		sleep: (ms) => this.clock.sleep(ms),
	});
	readonly world = new World(this.store, this.#kept.clock);

	/** The faultless world over the same bucket and clock. */
	get sound(): World {
		return this.#kept;
	}

	get clock() {
		return this.#kept.clock;
	}

	static async begin(): Promise<FaultyWorld> {
		const faulty = new FaultyWorld();
		await faulty.sound.instance().create(faulty.sound.scope(), name, { tag: "make", genesis, records: [] });
		return faulty;
	}

	/** The next requests of a kind meet these, in their order. */
	next(kind: Kind, ...faults: (Fault | undefined)[]): void {
		this.#faults[kind].push(...faults);
	}

	heal(): void {
		for (const kind of ["put", "get", "list"] as const) {
			this.#faults[kind].length = 0;
			delete this.always[kind];
		}
	}

	/** An instance that knows the log already. */
	async warm() {
		const log = this.world.instance();
		await log.read(this.sound.scope(), name);
		return log;
	}

	/** Ids in the order of the log, as a cold instance reads them. */
	async ids(): Promise<string[]> {
		return idsOf(await this.view());
	}

	async view(): Promise<LogView> {
		const outcome = await this.sound.instance().read(this.sound.scope(), name);
		if (outcome.kind !== "ok") throw new Error(outcome.kind);
		return outcome.view;
	}

	append(log: Parameters<typeof appendOne>[0], id: string) {
		return appendOne(log, this.world.scope(), name, id);
	}

	async objects(): Promise<readonly ListedObject[]> {
		return (await this.sound.store.list("")).objects;
	}

	/** PUTs sent so far. */
	get puts(): number {
		return this.store.sent.filter(({ kind }) => kind === "put").length;
	}
}

export function idsOf(view: LogView): string[] {
	return Array.from({ length: view.length }, (_, k) => view.id(k + 1));
}
