/** A moment of the order in which callers saw things: whole numbers, later is larger. */
export type Moment = number;

/** A request for entries, from its first attempt to the first answer that said they are stored. */
export interface AcknowledgedWrite {
	readonly session: string;
	/** What each of its entries is known by (see {@link markOf}), in their order. */
	readonly marks: readonly string[];
	/** `seq` of the last of them, as answered. */
	readonly last: number;
	readonly begun: Moment;
	readonly ended: Moment;
}

/** An answer that told a session's version and stored nothing. */
export interface Sight {
	readonly session: string;
	readonly seq: number;
	readonly begun: Moment;
	readonly ended: Moment;
}

/** What an entry of a list is known by: the text of a message, else its type and id. Marks must be unique. */
export function markOf(entry: unknown): string {
	const { type, id, message } = entry as { type: string; id: string; message?: { content?: unknown } };
	return typeof message?.content === "string" ? message.content : `${type} ${id}`;
}

/** What callers of any number of servers saw, to be compared with what the log holds in the end. */
export class ObservedHistory {
	readonly writes: AcknowledgedWrite[] = [];
	readonly sights: Sight[] = [];
	/** By session: what was sent at all, whatever became of it. */
	readonly #sent = new Map<string, Set<string>>();
	#now = 0;

	/** The next moment. */
	tick(): Moment {
		this.#now += 1;
		return this.#now;
	}

	sent(session: string, marks: readonly string[]): void {
		const all = this.#sent.get(session) ?? new Set();
		for (const mark of marks) all.add(mark);
		this.#sent.set(session, all);
	}

	acknowledged(write: AcknowledgedWrite): void {
		this.sent(write.session, write.marks);
		this.writes.push(write);
	}

	/** What contradicts one history of a session whose whole log is `entries`; nothing if it is one. */
	contradictions(session: string, entries: readonly unknown[]): string[] {
		const log = entries.map(markOf);
		const writes = this.writes.filter((write) => write.session === session);
		const sights = this.sights.filter((sight) => sight.session === session);
		return [
			...this.#foreignOrDoubled(session, log),
			...writes.flatMap((write) => misplaced(write, log)),
			...outOfOrder(writes),
			...sights.flatMap((sight) => untrue(sight, writes, log.length)),
			...backwards(sights),
		];
	}

	#foreignOrDoubled(session: string, log: readonly string[]): string[] {
		const sent = this.#sent.get(session) ?? new Set();
		const seen = new Set<string>();
		return log.flatMap((mark, at) => {
			const found = seen.has(mark) ? "twice" : sent.has(mark) ? undefined : "sent by nobody";
			seen.add(mark);
			return found === undefined ? [] : [`${found}: ${mark} at ${at + 1}`];
		});
	}
}

function firstOf(write: AcknowledgedWrite): number {
	return write.last - write.marks.length + 1;
}

function misplaced(write: AcknowledgedWrite, log: readonly string[]): string[] {
	return write.marks.flatMap((mark, at) => {
		const seq = firstOf(write) + at;
		return log[seq - 1] === mark ? [] : [`acknowledged at ${seq}, where ${log[seq - 1]} is: ${mark}`];
	});
}

/** Who began after another was answered comes later in the log. */
function outOfOrder(writes: readonly AcknowledgedWrite[]): string[] {
	return writes.flatMap((earlier) =>
		writes
			.filter((later) => earlier.ended < later.begun && earlier.last >= firstOf(later))
			.map((later) => `${later.marks[0]} began after ${earlier.marks[0]} was answered, and lies before it`),
	);
}

/** A sight holds all that was acknowledged before it began, and nothing that began after it ended. */
function untrue(sight: Sight, writes: readonly AcknowledgedWrite[], length: number): string[] {
	const missed = writes.filter((write) => write.ended < sight.begun && write.last > sight.seq);
	const unborn = writes.filter((write) => write.begun > sight.ended && firstOf(write) <= sight.seq);
	return [
		...missed.map(
			(write) => `a read of ${sight.seq} after ${write.marks[0]} was acknowledged at ${write.last}`,
		),
		...unborn.map((write) => `a read of ${sight.seq} before ${write.marks[0]} was sent`),
		...(sight.seq > length ? [`a read of ${sight.seq}, and the log ends at ${length}`] : []),
	];
}

function backwards(sights: readonly Sight[]): string[] {
	return sights.flatMap((earlier) =>
		sights
			.filter((later) => earlier.ended < later.begun && earlier.seq > later.seq)
			.map((later) => `a read of ${later.seq} after one of ${earlier.seq}`),
	);
}
