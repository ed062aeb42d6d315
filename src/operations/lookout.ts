import { type Clock, type LogName, logPrefix, type ReadOutcome } from "../log/log.ts";

/** Somebody who waits for news of a session. */
export interface Watcher {
	/** There may be news. */
	wake(): void;
}

/** What was found at a session, and by which look. */
interface Look {
	/** Looks are counted as they begin. */
	readonly number: number;
	/** Ms, when it began. */
	readonly begun: number;
	readonly found: ReadOutcome;
}

/**
 * All who watch one session in this instance. What one of them finds out, the others need not ask the store for, and
 * are woken where it is news: ten watchers send no more requests than one.
 */
export class Lookout {
	readonly #clock: Pick<Clock, "monotonic">;
	/** With the number of the last look that each knows of. */
	readonly #watchers = new Map<Watcher, number>();
	#begun = 0;
	/** Looks up to this one began before the last notice, and may have missed what it told of. */
	#missed = 0;
	#latest: Look | undefined;
	#underWay:
		| { readonly number: number; readonly look: Promise<Look>; readonly for: Set<Watcher> }
		| undefined;

	constructor(clock: Pick<Clock, "monotonic">) {
		this.#clock = clock;
	}

	get watchers(): number {
		return this.#watchers.size;
	}

	join(watcher: Watcher): void {
		this.#watchers.set(watcher, 0);
	}

	leave(watcher: Watcher): void {
		this.#watchers.delete(watcher);
	}

	/** This instance has just written to the session. */
	tell(): void {
		this.#missed = this.#begun;
		for (const watcher of this.#watchers.keys()) watcher.wake();
	}

	/**
	 * The newest state that is known of, from a look that `watcher` has not seen and that began after the last notice
	 * and at most `freshFor` ms ago; if there is none, from one that is begun by `read`, or is under way.
	 */
	async look(watcher: Watcher, read: () => Promise<ReadOutcome>, freshFor: number): Promise<ReadOutcome> {
		const latest = this.#latest;
		const known = Math.max(this.#missed, this.#watchers.get(watcher) ?? 0);
		if (latest && latest.number > known && this.#clock.monotonic() - latest.begun < freshFor) {
			return this.#seen(watcher, latest);
		}
		if (this.#underWay && this.#underWay.number > known) {
			this.#underWay.for.add(watcher);
			return this.#seen(watcher, await this.#underWay.look);
		}
		return this.lookNow(watcher, read);
	}

	/** The newest state, from a look that begins now: it sees whatever was acknowledged before. */
	async lookNow(watcher: Watcher, read: () => Promise<ReadOutcome>): Promise<ReadOutcome> {
		this.#begun++;
		const number = this.#begun;
		const begun = this.#clock.monotonic();
		const look = read().then((found): Look => ({ number, begun, found }));
		const underWay = { number, look, for: new Set([watcher]) };
		this.#underWay = underWay;
		try {
			const done = await look;
			const before = this.#latest;
			if (before === undefined || before.number < number) {
				this.#latest = done;
				if (before && isNews(before.found, done.found)) this.#wakeAllBut(underWay.for);
			}
			return this.#seen(watcher, done);
		} finally {
			if (this.#underWay === underWay) this.#underWay = undefined;
		}
	}

	#seen(watcher: Watcher, { number, found }: Look): ReadOutcome {
		// Who has left meanwhile does not come back by this.
		if (this.#watchers.has(watcher)) this.#watchers.set(watcher, number);
		return found;
	}

	#wakeAllBut(watchers: ReadonlySet<Watcher>): void {
		for (const watcher of this.#watchers.keys()) if (!watchers.has(watcher)) watcher.wake();
	}
}

function isNews(before: ReadOutcome, now: ReadOutcome): boolean {
	if (before.kind !== "ok" || now.kind !== "ok") return before.kind !== now.kind;
	return before.view.commit !== now.view.commit;
}

/** The lookouts of an instance: one for each session that somebody watches. */
export class Lookouts {
	readonly #sessions = new Map<string, Lookout>();

	/** This instance may have written to the session. */
	tell(session: LogName): void {
		this.#sessions.get(logPrefix(session))?.tell();
	}

	/** The lookout of a session, with one more watcher. */
	join(session: LogName, watcher: Watcher, clock: Pick<Clock, "monotonic">): Lookout {
		const key = logPrefix(session);
		const lookout = this.#sessions.get(key) ?? new Lookout(clock);
		this.#sessions.set(key, lookout);
		lookout.join(watcher);
		return lookout;
	}

	leave(session: LogName, watcher: Watcher): void {
		const key = logPrefix(session);
		const lookout = this.#sessions.get(key);
		lookout?.leave(watcher);
		if (lookout?.watchers === 0) this.#sessions.delete(key);
	}

	/** How many sessions somebody watches. */
	get size(): number {
		return this.#sessions.size;
	}
}
