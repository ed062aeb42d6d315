import type { LogLimits } from "../../src/log/limits.ts";
import type { Faults } from "./link.ts";
import type { Hazards } from "./machine.ts";
import type { Seeded } from "./seeded.ts";

/** What a client may do next. */
export type Action =
	| "append"
	| "burst"
	| "move head"
	| "repeat"
	| "read"
	| "read bodies"
	| "tip"
	| "newest"
	| "create"
	| "end"
	| "ambush";

/** How long a client thinks before it does something. */
export type Pause = "none" | "moment" | "minutes" | "past the trust" | "past the purge";

/** The character of one run, drawn from its seed: runs differ in kind, so that rare things are common in some. */
export interface Profile {
	readonly machines: number;
	readonly clients: number;
	readonly logs: number;
	/** Actions of each client. */
	readonly actions: number;
	readonly hazards: Hazards;
	readonly faults: Faults;
	/** Chance that the platform ends a request while it is under way. */
	readonly dropped: number;
	/** Chance that a client has a deadline. */
	readonly deadlines: number;
	readonly limits: Partial<LogLimits>;
	/** ms */
	readonly purgeAfter: number;
	/** ms between two looks of the purge. */
	readonly purgeEvery: number;
	readonly weights: Readonly<Record<Action, number>>;
	readonly pauses: Readonly<Record<Pause, number>>;
	/** The most records of one request, and the most bytes of one record. */
	readonly batch: number;
	/** The most records of a creation. */
	readonly creation: number;
	readonly size: number;
	/** Chance that an append has each of the conditions. */
	readonly conditions: number;
}

/** Where nothing goes wrong. */
export const calm: Pick<Profile, "hazards" | "faults"> = {
	hazards: { death: 0, freeze: 0, longestFreeze: 1000, skew: 0 },
	faults: {
		before: 0,
		after: 0,
		late: 0,
		latest: 1000,
		rateLimit: 0,
		conflict: 0,
		partial: 0,
		slow: 0,
		verySlow: 0,
	},
};

const minute = 60_000;

/** The real delays: an hour as it is shipped, and the least that may be configured. */
const purgeDelays = [60 * minute, 15 * minute] as const;

export function drawProfile(random: Seeded): Profile {
	const some = (chance: number, low: number, high: number) =>
		random.chance(chance) ? random.spread(low, high) : 0;
	const rate = (chance: number, most: number) => (random.chance(chance) ? random.fraction() * most : 0);
	const unreliable = random.chance(0.7);
	const long = random.chance(0.03);
	const deadly = !long && random.chance(0.35);
	const crowded = !long && random.chance(0.08);
	const slumbering = random.chance(0.4);
	const faults: Faults = {
		before: unreliable ? rate(0.5, 0.15) : 0,
		after: unreliable ? rate(0.5, 0.15) : 0,
		late: unreliable ? rate(0.5, 0.15) : 0,
		latest: random.pick([5000, 30 * minute]),
		rateLimit: rate(0.3, 0.8),
		conflict: rate(0.3, 0.8),
		partial: rate(0.3, 0.4),
		slow: rate(0.4, 0.2),
		verySlow: slumbering ? rate(0.4, 0.03) : 0,
	};
	return {
		machines: crowded ? random.between(4, 8) : random.between(1, 4),
		clients: crowded ? random.between(5, 10) : random.between(2, 5),
		logs: deadly ? random.between(1, 4) : random.between(1, 2),
		actions: long ? 40 : random.between(4, 12),
		hazards: {
			death: rate(0.3, 0.03),
			freeze: slumbering ? rate(0.8, 0.06) : 0,
			longestFreeze: random.pick([20_000, 35 * minute, 90 * minute]),
			skew: some(0.4, 100, 2 * minute),
		},
		faults,
		dropped: rate(0.25, 0.3),
		deadlines: rate(0.3, 0.5),
		limits: random.chance(0.6)
			? {
					indexCap: random.pick([200, 600, 1500, 4000]),
					bodyCap: random.pick([0, 100, 1000, 20_000]),
					cacheBytes: random.pick([1, 20_000, 1e6]),
					groupBytes: random.pick([300, 5000, 1e6]),
				}
			: {},
		purgeAfter: random.pick(purgeDelays),
		purgeEvery: random.spread(5 * minute, 60 * minute),
		weights: {
			append: 6,
			burst: random.pick([0, 2, 5]),
			"move head": 1.5,
			repeat: 1.5,
			read: 4,
			"read bodies": random.pick([0.5, 2]),
			tip: 1,
			newest: 1,
			create: deadly ? 1 : 0.3,
			end: deadly ? 0.4 : 0,
			ambush: deadly ? random.pick([0, 2, 5]) : 0,
		},
		pauses: {
			none: 3,
			moment: 6,
			minutes: random.pick([0, 2]),
			"past the trust": random.pick([0, 1]),
			"past the purge": deadly ? 1.5 : random.pick([0, 0.5]),
		},
		batch: random.pick([1, 3, 3, 25]),
		creation: random.pick([0, 5, 80]),
		size: random.pick([20, 200, 5000]),
		conditions: random.pick([0, 0.15, 0.4]),
	};
}

/** Milliseconds of a pause. */
export function drawPause(random: Seeded, { pauses, purgeAfter }: Profile): number {
	switch (random.weighted(pauses)) {
		case "none":
			return 0;
		case "moment":
			return random.spread(1, 5000);
		case "minutes":
			return random.spread(minute, 9 * minute);
		case "past the trust":
			return random.between(9 * minute, 14 * minute);
		case "past the purge":
			return purgeAfter + random.between(-minute, 90 * minute);
	}
}
