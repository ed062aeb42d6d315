/** What was asked of a log, what was answered, and what came to be: the input of the checker. */

/** A record as its request wants it. */
export interface WantedRecord {
	/** Its own id; of a wish whose ids the server gives, what such an id starts with (see {@link wantedId}). */
	readonly id: string;
	/** Left out: whatever the head is where the record lands. */
	readonly parent?: string | null;
	/** Where it puts the head; left out: at itself. */
	readonly head?: string | null;
	/** Its text follows from the id and this number of bytes. */
	readonly size: number;
}

/** What an append wants, and what must hold where it lands. */
export interface Wish {
	readonly tag: string;
	readonly records: readonly WantedRecord[];
	/** Each process that is asked gives the records ids: what is wanted, "@", and something of its own. */
	readonly serverIds?: boolean;
	/** The log has this many records, else it is refused (`length`). */
	readonly ifLength?: number;
	/** The log holds these records, else it is refused (`target`). */
	readonly targets?: readonly string[];
	/** Whoever decides must read the newest bodies first. */
	readonly reads?: boolean;
	/** The head is elsewhere, else there is nothing to do (`nothing`). */
	readonly unlessHead?: string | null;
}

/** Why an append changed nothing. `taken`: an id of its own is another's. */
export type Refusal = "length" | "target" | "taken" | "nothing";

/** A state of the log as a reader was shown it. */
export interface Seen {
	readonly commit: number;
	readonly length: number;
	readonly head: string | null;
	/** All ids in order, where the reader looked at them. */
	readonly ids?: readonly string[];
}

export type Question =
	| { readonly kind: "append"; readonly wish: Wish }
	| { readonly kind: "create"; readonly wish: Wish }
	/** `ifLength`: the log has this many records, else it is refused (`length`). */
	| { readonly kind: "end"; readonly ifLength?: number }
	| { readonly kind: "read" | "tip" | "newest" | "bodies" };

export type Answer =
	| {
			/** An append that landed, now or before. */
			readonly kind: "landed";
			readonly commit: number;
			readonly first: number;
			readonly last: number;
			readonly ids: readonly string[];
			/** Whether it says that this very request brought it there, rather than one before it with the same tag. */
			readonly own: boolean;
	  }
	| { readonly kind: "refused"; readonly why: Refusal }
	| { readonly kind: "seen" | "created" | "exists"; readonly seen: Seen }
	| { readonly kind: "newest"; readonly commit: number | null }
	| { readonly kind: "ended" | "absent" | "gone" }
	/** Certainly without effect: its turn never came, or the store could not be read. */
	| { readonly kind: "undone" }
	/** May have had its effect or not, or may yet have it; of a read, that it tells nothing. */
	| { readonly kind: "indeterminate" };

export interface Operation {
	readonly number: number;
	readonly question: Question;
	/** Step at which the process was asked. */
	readonly called: number;
	/** Step at which it answered; left out: never. */
	returned?: number;
	answer?: Answer;
}

/** A record as it lies in the log. */
export interface LoggedRecord {
	readonly id: string;
	readonly parent: string | null;
	readonly tag: string;
	/** Where the head is after it. */
	readonly head: string | null;
}

export interface LoggedCommit {
	/** Step at which its object was created. */
	readonly step: number;
	readonly records: readonly LoggedRecord[];
}

/** All that ever was in one log, and how it ended. */
export interface Chronicle {
	readonly commits: readonly LoggedCommit[];
	/** The tag of commit 0's creation. */
	readonly genesisTag: string | undefined;
	/** Step at which the tombstone landed, as the commit after the last of `commits`. */
	readonly ended: number | undefined;
}

/** The id that was wanted, of one that a server gave. */
export function wantedId(id: string): string {
	return id.replace(/@.*/, "");
}

/** The wish of an append or a creation. */
export function wishOf({ question }: Operation): Wish | undefined {
	return question.kind === "append" || question.kind === "create" ? question.wish : undefined;
}

/** An operation in words. */
export function told(operation: Operation): string {
	const { question, answer } = operation;
	const tag = wishOf(operation)?.tag;
	const what = tag === undefined ? question.kind : `${question.kind} ${tag}`;
	return `#${operation.number} ${what} (steps ${operation.called} to ${operation.returned ?? "∞"}) → ${answer ? JSON.stringify(answer) : "no answer"}`;
}
