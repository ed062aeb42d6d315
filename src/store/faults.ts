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

/** What goes wrong with one request. Delays are milliseconds. */
export type Fault =
	/** It never took effect, and nobody knows: 429, 409, 503, a connection refused. */
	| { readonly kind: "refused"; readonly cause?: string }
	/** It took effect, and the answer was lost. */
	| { readonly kind: "answer lost" }
	/** No answer, and it takes effect later. */
	| { readonly kind: "late"; readonly delay: number }
	/** Sent and answered, but not at once. */
	| { readonly kind: "slow"; readonly delay: number }
	/** A page of a listing breaks off halfway, and says that more follows. */
	| { readonly kind: "short page" }
	/** One bit of what is read is another. */
	| { readonly kind: "corrupt" };

export interface SentRequest {
	readonly kind: "put" | "get" | "list" | "delete";
	/** The key; a list's prefix; the first of the keys to delete. */
	readonly key: string;
	/** How many requests were sent before this one. */
	readonly number: number;
}

/** Which fault meets a request, if any. */
export type FaultPlan = (request: SentRequest) => Fault | undefined;

/** For tests: a store some of whose requests go wrong as planned. */
export class FaultyStore implements ObjectStore {
	/** All requests so far. */
	readonly sent: SentRequest[] = [];
	readonly #store: ObjectStore;
	readonly #plan: FaultPlan;
	readonly #sleep: (milliseconds: number) => Promise<void>;
	readonly #late = new Set<Promise<unknown>>();

	constructor(
		store: ObjectStore,
		parts: { readonly plan: FaultPlan; readonly sleep: (milliseconds: number) => Promise<void> },
	) {
		this.#store = store;
		this.#plan = parts.plan;
		this.#sleep = parts.sleep;
	}

	async put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<PutOutcome> {
		const kept = new Uint8Array(bytes);
		try {
			return (await this.#send("put", key, () => this.#store.put(key, kept, options))).answer;
		} catch (cause) {
			if (cause instanceof StoreUnavailable) return { kind: "unknown", cause };
			throw cause;
		}
	}

	async get(key: string, options?: GetOptions): Promise<GetOutcome> {
		const { answer, fault } = await this.#send("get", key, () => this.#store.get(key, options));
		if (fault?.kind !== "corrupt" || answer.kind !== "found" || answer.bytes.length === 0) return answer;
		const bytes = new Uint8Array(answer.bytes);
		bytes[bytes.length >> 1]! ^= 1;
		return { ...answer, bytes };
	}

	async list(prefix: string, options?: ListOptions): Promise<ListPage> {
		const { answer, fault } = await this.#send("list", prefix, () => this.#store.list(prefix, options));
		if (fault?.kind !== "short page" || answer.objects.length < 2) return answer;
		return { objects: answer.objects.slice(0, answer.objects.length >> 1), truncated: true };
	}

	async delete(keys: readonly string[]): Promise<void> {
		await this.#send("delete", keys[0] ?? "", () => this.#store.delete(keys));
	}

	/** Resolves once everything late has taken effect. */
	async settled(): Promise<void> {
		while (this.#late.size > 0) await Promise.all(this.#late);
	}

	async #send<T>(
		kind: SentRequest["kind"],
		key: string,
		perform: () => Promise<T>,
	): Promise<{ readonly answer: T; readonly fault: Fault | undefined }> {
		const request = { kind, key, number: this.sent.length };
		this.sent.push(request);
		const fault = this.#plan(request);
		switch (fault?.kind) {
			case "refused":
				throw new StoreUnavailable(fault.cause ?? "503");
			case "answer lost":
				await perform();
				throw new StoreUnavailable("the answer was lost");
			case "late": {
				const effect = this.#sleep(fault.delay).then(perform);
				const landed = effect.finally(() => this.#late.delete(landed));
				this.#late.add(landed);
				throw new StoreUnavailable("no answer in time");
			}
			case "slow":
				await this.#sleep(fault.delay);
		}
		return { answer: await perform(), fault };
	}
}

/** Faults in the order of the requests; none after the last, and none where there is a gap. */
export function scriptedFaults(script: readonly (Fault | undefined)[]): FaultPlan {
	return ({ number }) => script[number];
}

/**
 * Faults drawn anew for each request: `chances` are probabilities from 0 to 1 that add up to at most 1, `random` is
 * uniform in [0, 1), and delays are below `longestDelay` milliseconds. The same draws give the same faults.
 */
export function randomFaults(parts: {
	readonly random: () => number;
	readonly chances: Partial<Record<Fault["kind"], number>>;
	readonly longestDelay: number;
}): FaultPlan {
	const { random, chances, longestDelay } = parts;
	return () => {
		let draw = random();
		for (const [kind, chance] of Object.entries(chances) as [Fault["kind"], number][]) {
			if (draw < chance) {
				return kind === "late" || kind === "slow" ? { kind, delay: random() * longestDelay } : { kind };
			}
			draw -= chance;
		}
		return undefined;
	};
}
