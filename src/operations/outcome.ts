import type { Refusal } from "./refusal.ts";
import type { Version } from "./version.ts";

/** What an operation came to: its value with the state of the session that it tells of, or why there is none. */
export type Outcome<Value> = Refusal | Done<Value>;

export interface Done<Value> {
	readonly kind: "done";
	readonly value: Value;
	readonly version: Version;
	/** The request had been met before; this is what it was answered then. */
	readonly replayed?: boolean;
}

/** An operation that was done. */
export function done<Value>(value: Value, version: Version, replayed = false): Done<Value> {
	return replayed ? { kind: "done", value, version, replayed } : { kind: "done", value, version };
}
