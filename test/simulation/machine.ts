import type { Clock } from "../../src/log/scope.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Seeded } from "./seeded.ts";
import type { Tally } from "./tally.ts";
import type { Trace } from "./trace.ts";

/** What can happen to a process between any two of its steps. Chances are per step; times in ms. */
export interface Hazards {
	readonly death: number;
	readonly freeze: number;
	readonly longestFreeze: number;
	/** How far a wall clock may be off, and how far it may be set at a thaw. */
	readonly skew: number;
}

/** What all parts of a run share. */
export interface World {
	readonly scheduler: Scheduler;
	readonly random: Seeded;
	readonly trace: Trace;
	readonly tally: Tally;
}

const epoch = Date.UTC(2026, 0, 1);

/**
 * A process: it takes its steps one at a time, may stop for long between any two, and may die there. While it
 * stands still one of its two clocks may stand still with it, never both.
 */
export class Machine {
	readonly name: string;
	readonly clock: Clock;
	/** Called once when the process dies. */
	readonly lost = new Set<() => void>();
	alive = true;
	readonly #world: World;
	readonly #hazards: Hazards;
	#frozenUntil = 0;
	/** Freezes by chance that are left to it: who stands still at every other step would never get anything done. */
	#freezes = 30;
	#ambush: { requests: number; readonly duration: number } | undefined;
	#wallOffset: number;
	#monotonicOffset: number;

	constructor(world: World, name: string, hazards: Hazards) {
		this.name = name;
		this.#world = world;
		this.#hazards = hazards;
		this.#wallOffset = this.#skew();
		this.#monotonicOffset = world.random.below(1_000_000);
		this.clock = {
			now: () => epoch + Math.floor(world.scheduler.now + this.#wallOffset),
			monotonic: () => world.scheduler.now + this.#monotonicOffset,
			sleep: (ms) => new Promise((resolve) => this.step(ms, resolve)),
		};
	}

	/** Takes a step `delay` ms from now: later if the process stands still then, never if it is dead. */
	step(delay: number, run: () => void): void {
		this.#world.scheduler.after(delay, () => this.#take(run));
	}

	/** Makes it stand still for `duration` ms just before it sends the request that comes after so many others. */
	ambush(requests: number, duration: number): void {
		this.#ambush = { requests, duration };
	}

	/** Told before a request is sent. */
	send(): void {
		if (this.#ambush === undefined || this.#ambush.requests-- > 0) return;
		this.freeze(this.#ambush.duration);
		this.#ambush = undefined;
	}

	die(): void {
		this.alive = false;
		this.#world.tally.add("fault: death");
		this.#world.trace.note(this.name, "dies");
		for (const tell of this.lost) tell();
	}

	#take(run: () => void): void {
		const { scheduler, random } = this.#world;
		if (!this.alive) return;
		if (scheduler.now < this.#frozenUntil) {
			this.step(this.#frozenUntil - scheduler.now + random.below(3), run);
		} else if (random.chance(this.#hazards.death)) {
			this.die();
		} else if (this.#freezes > 0 && random.chance(this.#hazards.freeze)) {
			this.#freezes -= 1;
			this.freeze(random.spread(1000, this.#hazards.longestFreeze));
			this.step(this.#frozenUntil - scheduler.now + random.below(3), run);
		} else {
			run();
		}
	}

	/** Stops for `duration` ms; then the clocks have gone on, or one of them has not. */
	freeze(duration: number): void {
		const stopped = this.#world.random.pick(["no clock", "the monotonic clock", "the wall clock"] as const);
		this.#frozenUntil = this.#world.scheduler.now + duration;
		this.#world.tally.add(duration > 600_000 ? "fault: freeze beyond the trust" : "fault: freeze");
		if (stopped === "the monotonic clock") this.#monotonicOffset -= duration;
		if (stopped === "the wall clock") this.#wallOffset -= duration;
		else this.#wallOffset = this.#skew();
		this.#world.trace.note(this.name, `stands still for ${duration} ms, and ${stopped} with it`);
	}

	#skew(): number {
		return Math.round((this.#world.random.fraction() * 2 - 1) * this.#hazards.skew);
	}
}
