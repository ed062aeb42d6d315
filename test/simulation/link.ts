import {
	type GetOptions,
	type GetOutcome,
	type ListOptions,
	type ListPage,
	type ObjectStore,
	type PutOptions,
	type PutOutcome,
	StoreUnavailable,
} from "../../src/store/object-store.ts";
import type { Bucket } from "./bucket.ts";
import type { Machine, World } from "./machine.ts";

/** What can happen to a request on its way to the bucket and back. Chances are per request; times in ms. */
export interface Faults {
	/** Lost, or refused with 5xx, before it took effect. */
	readonly before: number;
	/** It took effect, and the answer was lost. */
	readonly after: number;
	/** A PUT whose sender gave up on it, and which takes effect later. */
	readonly late: number;
	readonly latest: number;
	/** 429 for a key written to within a second. */
	readonly rateLimit: number;
	/** 409 for a key that two write to at once. */
	readonly conflict: number;
	/** A page that holds less than was asked for and says so; a removal that stops halfway. */
	readonly partial: number;
	/** Takes seconds. */
	readonly slow: number;
	/** Takes minutes. */
	readonly verySlow: number;
}

type Fate = "answered" | "before" | "after" | "late";

interface Exchange<T> {
	readonly label: string;
	readonly fate: Fate;
	readonly perform: () => Promise<T>;
	readonly describe: (result: T) => string;
	/** What the caller gets when no answer came. */
	readonly silence: (cause: string) => T;
}

/** One request's way from a process to the bucket: every call is sent, takes effect and is answered in steps of its own. */
export class Link implements ObjectStore {
	/** The platform has dropped the request: nothing is sent or answered any more. */
	dropped = false;
	readonly #world: World;
	readonly #machine: Machine;
	readonly #bucket: Bucket;
	readonly #faults: Faults;
	readonly #name: string;

	constructor(world: World, machine: Machine, bucket: Bucket, faults: Faults, name: string) {
		this.#world = world;
		this.#machine = machine;
		this.#bucket = bucket;
		this.#faults = faults;
		this.#name = name;
	}

	put(key: string, bytes: Uint8Array, options: PutOptions = {}): Promise<PutOutcome> {
		const { random } = this.#world;
		const ifAbsent = options.ifAbsent === true;
		const kept = new Uint8Array(bytes);
		return this.#exchange<PutOutcome>({
			label: `PUT ${shortKey(key)} (${bytes.length} bytes${ifAbsent ? ", if absent" : ""})`,
			fate: this.#fate(true),
			perform: async () => {
				const refusal =
					this.#bucket.isHot(key) && random.chance(this.#faults.rateLimit)
						? "429"
						: this.#bucket.isContended(key) && random.chance(this.#faults.conflict)
							? "409"
							: undefined;
				if (refusal) this.#world.tally.add(`fault: ${refusal}`);
				return refusal === undefined
					? this.#bucket.put(key, kept, ifAbsent)
					: { kind: "unknown", cause: refusal };
			},
			describe: (outcome) => (outcome.kind === "unknown" ? `unknown (${outcome.cause})` : outcome.kind),
			silence: (cause) => ({ kind: "unknown", cause }),
		});
	}

	get(key: string, options: GetOptions = {}): Promise<GetOutcome> {
		const { range, ifMatch } = options;
		const bytes = range ? ` [${range.offset}, ${range.offset + range.length})` : "";
		return this.#exchange<GetOutcome>({
			label: `GET ${shortKey(key)}${bytes}${ifMatch === undefined ? "" : ` if ${ifMatch}`}`,
			fate: this.#fate(false),
			perform: () => this.#bucket.store.get(key, options),
			describe: (outcome) =>
				outcome.kind === "found" ? `${outcome.bytes.length} of ${outcome.size} bytes` : outcome.kind,
			silence: unavailable,
		});
	}

	list(prefix: string, options: ListOptions = {}): Promise<ListPage> {
		const limit = options.limit ?? 1000;
		const short = this.#world.random.chance(this.#faults.partial);
		const least = short ? this.#world.random.between(1, limit) : limit;
		if (least < limit) this.#world.tally.add("fault: short page");
		return this.#exchange<ListPage>({
			label: `LIST ${shortKey(prefix)}${options.after === undefined ? "" : ` after ${shortKey(options.after)}`} limit ${limit}`,
			fate: this.#fate(false),
			perform: () => this.#bucket.store.list(prefix, { ...options, limit: least }),
			describe: ({ objects, truncated }) =>
				`${objects.map(({ key }) => shortKey(key)).join(" ")}${truncated ? " …" : ""}`,
			silence: unavailable,
		});
	}

	/** Removes the keys one by one in any order, as services do; where it stops halfway, any of them are left. */
	async delete(keys: readonly string[]): Promise<void> {
		const { random, scheduler } = this.#world;
		const cut = random.chance(this.#faults.partial);
		if (cut) this.#world.tally.add("fault: partial removal");
		await this.#exchange<number>({
			label: `DELETE ${keys.map(shortKey).join(" ")}`,
			fate: cut ? "after" : this.#fate(false),
			perform: async () => {
				const chosen = keys.filter(() => !cut || random.chance(0.5));
				await Promise.all(
					chosen.map(async (key) => {
						await scheduler.pause(random.below(3) * this.#latency());
						await this.#bucket.store.delete([key]);
					}),
				);
				return chosen.length;
			},
			describe: (removed) => `${removed} removed`,
			silence: unavailable,
		});
	}

	#exchange<T>(exchange: Exchange<T>): Promise<T> {
		const { scheduler, random, trace } = this.#world;
		const { label, fate } = exchange;
		if (fate !== "answered") this.#world.tally.add(`fault: ${label.split(" ")[0]} ${fate}`);
		return new Promise((resolve, reject) => {
			const answer = (delay: number, text: string, give: () => void) =>
				this.#machine.step(delay, () => {
					if (this.dropped) return;
					trace.note(this.#name, `${label}: ${text}`);
					give();
				});
			const stayUnanswered = (delay: number) =>
				answer(delay, "no answer", () => {
					try {
						resolve(exchange.silence(fate));
					} catch (error) {
						reject(error);
					}
				});
			if (this.dropped) return;
			this.#machine.send();
			this.#machine.step(random.below(3), () => {
				if (this.dropped) return;
				const travel = this.#latency();
				if (fate === "before") return stayUnanswered(travel);
				if (fate === "late") stayUnanswered(random.spread(1000, 30_000));
				const takeEffect = async () => {
					const result = await exchange.perform();
					trace.note(this.#name, `${label} takes effect: ${exchange.describe(result)}`);
					if (fate === "after") stayUnanswered(this.#latency());
					if (fate === "answered") answer(this.#latency(), exchange.describe(result), () => resolve(result));
				};
				scheduler.after(
					fate === "late" ? random.spread(500, this.#faults.latest) : travel,
					() => void takeEffect(),
				);
			});
		});
	}

	#fate(mayBeLate: boolean): Fate {
		const { before, after, late } = this.#faults;
		const draw = this.#world.random.fraction();
		if (draw < before) return "before";
		if (draw < before + after) return "after";
		return mayBeLate && draw < before + after + late ? "late" : "answered";
	}

	#latency(): number {
		const { random } = this.#world;
		if (random.chance(this.#faults.verySlow)) return random.spread(30_000, 30 * 60_000);
		return random.chance(this.#faults.slow) ? random.spread(300, 30_000) : random.spread(1, 60);
	}
}

function unavailable(cause: string): never {
	throw new StoreUnavailable(`no answer (${cause})`);
}

/** A key without its namespace and its descending number. */
function shortKey(key: string): string {
	return key.replace(/^[^/]*\/s\//, "").replace(/\d{10}-(\d+)\.jsonl$/, "$1");
}
