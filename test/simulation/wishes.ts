import type { WantedRecord, Wish } from "./history.ts";
import type { Profile } from "./profile.ts";
import type { Seeded } from "./seeded.ts";

/** What is talked about a log among its clients: enough for wishes that are interesting, right or wrong. */
export interface Rumour {
	readonly ids: string[];
	length: number;
	head: string | null;
	/** Sizes by wanted id, so that whoever reads a body can tell whether it is right. */
	readonly sizes: Map<string, number>;
	readonly wishes: Wish[];
}

export function newRumour(): Rumour {
	return { ids: [], length: 0, head: null, sizes: new Map(), wishes: [] };
}

/** Draws what clients want of one log. Tags and ids are counted, so that nobody takes another's by accident. */
export class Wishes {
	readonly #random: Seeded;
	readonly #profile: Profile;
	readonly #log: string;
	readonly #rumour: Rumour;
	#count = 0;

	constructor(random: Seeded, profile: Profile, log: string, rumour: Rumour) {
		this.#random = random;
		this.#profile = profile;
		this.#log = log;
		this.#rumour = rumour;
	}

	/** Some records, with or without conditions. `near`: ids that may be under way at the same time. */
	append(near: readonly string[] = []): Wish {
		const random = this.#random;
		const number = ++this.#count;
		const serverIds = random.chance(0.4);
		const contested = !serverIds && random.chance(this.#profile.conditions / 3);
		const prefix = contested ? `${this.#log}x${random.below(3)}` : `${this.#log}r${number}`;
		const records = Array.from({ length: random.between(1, this.#profile.batch) }, (_, k): WantedRecord => {
			const id = k === 0 && contested ? prefix : `${prefix}.${k}`;
			return this.#sized(contested && k > 0 ? `${this.#log}r${number}.${k}` : id);
		});
		const known = [...near, ...this.#rumour.ids];
		const condition = () => random.chance(this.#profile.conditions);
		return this.#told({
			tag: this.#tag(number),
			records:
				known.length > 0 && condition()
					? records.map((record, k) => (k === 0 ? { ...record, parent: random.pick(known) } : record))
					: records,
			...(serverIds ? { serverIds } : {}),
			...(condition() ? { reads: true } : {}),
			...(condition() ? { ifLength: this.#rumour.length + random.pick([0, 0, 0, 1, 2, -1]) } : {}),
			...(condition()
				? { targets: [known.length > 0 && random.chance(0.9) ? this.#oneOf(known) : "nowhere"] }
				: {}),
		});
	}

	/** A move of the head, which has nothing to do where the head is there already. */
	moveHead(near: readonly string[] = []): Wish {
		const number = ++this.#count;
		const known = [...near, ...this.#rumour.ids];
		const target = known.length > 0 && this.#random.chance(0.8) ? this.#oneOf(known) : null;
		return this.#told({
			tag: this.#tag(number),
			records: [{ ...this.#sized(`${this.#log}m${number}`), head: target }],
			targets: target === null ? [] : [target],
			unlessHead: target,
		});
	}

	/** What a new log begins with, beside its first line. */
	create(count = this.#random.below(this.#profile.creation + 1)): Wish {
		const number = ++this.#count;
		const records = Array.from({ length: count }, (_, k) => this.#sized(`${this.#log}c${number}.${k}`));
		return { tag: this.#tag(number), records };
	}

	/** Mostly a late one: those are where things happen. */
	#oneOf(known: readonly string[]): string {
		return known[known.length - 1 - Math.floor(this.#random.fraction() ** 3 * known.length)]!;
	}

	#sized(id: string): WantedRecord {
		const size = this.#random.below(this.#profile.size);
		// A contested id has one size, whoever wants it: its text follows from both.
		const known = this.#rumour.sizes.get(id) ?? size;
		this.#rumour.sizes.set(id, known);
		return { id, size: known };
	}

	#tag(number: number): string {
		return `${this.#log}-request-${String(number).padStart(4, "0")}`;
	}

	#told(wish: Wish): Wish {
		this.#rumour.wishes.push(wish);
		return wish;
	}
}
