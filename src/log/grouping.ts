import type { Clock } from "./scope.ts";

interface Member<C, R> {
	readonly changes: readonly C[];
	readonly done: Promise<void>;
	settle(outcome: Settled<R>): void;
	outcome?: Settled<R>;
}

type Settled<R> = { readonly result: R } | { readonly error: unknown };

interface Group<C, R> {
	readonly waiting: Set<Member<C, R>>;
	/** Who writes for the group, and when that is over; undefined when nobody does. */
	round?: { readonly over: Promise<void> };
}

/**
 * Lets requests of one instance that change the same thing at the same time share a write. While one of them
 * writes, the others gather; the first that is free writes for all of them.
 */
export class Grouping<C, R> {
	readonly #clock: Clock;
	readonly #followerWait: number;
	readonly #groups = new Map<string, Group<C, R>>();

	/** `followerWait`: ms after which a writer counts as gone, because its request was ended by the platform. */
	constructor(parts: { readonly clock: Clock; readonly followerWait: number }) {
		this.#clock = parts.clock;
		this.#followerWait = parts.followerWait;
	}

	/**
	 * Writes `changes`, with those of others or alone, and answers what `write` said of them. `write` calls `take`
	 * before each attempt: all changes that it stands for, those of whoever came in the meantime included. Where a
	 * writer that was given up comes back after all, changes are written twice.
	 */
	async join(key: string, changes: readonly C[], write: Write<C, R>): Promise<R> {
		const group = this.#groups.get(key) ?? { waiting: new Set() };
		this.#groups.set(key, group);
		const member = newMember<C, R>(changes);
		group.waiting.add(member);
		while (member.outcome === undefined) {
			if (group.round === undefined) await lead(group, write);
			else await this.#follow(group, member);
		}
		group.waiting.delete(member);
		if (group.waiting.size === 0 && group.round === undefined && this.#groups.get(key) === group) {
			this.#groups.delete(key);
		}
		if ("error" in member.outcome) throw member.outcome.error;
		return member.outcome.result;
	}

	async #follow(group: Group<C, R>, member: Member<C, R>): Promise<void> {
		const round = group.round!;
		let patient = true;
		const over = round.over.then(() => undefined);
		const impatient = this.#clock.sleep(this.#followerWait).then(() => {
			patient = false;
		});
		await Promise.race([member.done, over, impatient]);
		if (patient || member.outcome !== undefined) return;
		group.waiting.add(member);
		if (group.round === round) group.round = undefined;
	}
}

type Write<C, R> = (take: () => readonly C[]) => Promise<R>;

/** One round: takes all who wait, writes, and answers every one of them. */
async function lead<C, R>(group: Group<C, R>, write: Write<C, R>): Promise<void> {
	const { promise: over, resolve: end } = Promise.withResolvers<void>();
	const round = { over };
	group.round = round;
	const members = new Set<Member<C, R>>();
	const take = (): readonly C[] => {
		for (const member of group.waiting) members.add(member);
		group.waiting.clear();
		return [...members].flatMap((member) => member.changes);
	};
	let outcome: Settled<R>;
	try {
		outcome = { result: await write(take) };
	} catch (error) {
		outcome = { error };
		if (members.size === 0) take();
	}
	for (const member of members) member.settle(outcome);
	if (group.round === round) group.round = undefined;
	end();
}

function newMember<C, R>(changes: readonly C[]): Member<C, R> {
	const { promise: done, resolve } = Promise.withResolvers<void>();
	const member: Member<C, R> = {
		changes,
		done,
		settle(outcome) {
			member.outcome ??= outcome;
			resolve();
		},
	};
	return member;
}
