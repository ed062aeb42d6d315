import fc from "fast-check";
import type { Session } from "../../schemas/session.ts";

const epoch = Date.UTC(2026, 0, 1);

/** A session as lists know it. `minutes` after a fixed day it was made, and used last. */
export function session(
	id: string,
	fields: Partial<Session> & { made?: number; used?: number } = {},
): Session {
	const { made = 0, used = made, ...rest } = fields;
	return {
		id,
		version: 3,
		timestamp: new Date(epoch + made * 60_000).toISOString(),
		cwd: "/",
		leafId: null,
		entryCount: 0,
		messageCount: 0,
		modified: new Date(epoch + used * 60_000).toISOString(),
		seq: 0,
		...rest,
	};
}

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const time = fc.oneof(
	fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
	fc.constantFrom("2026-01-01T00:00:00Z", "yesterday", "", "2026-01-01T01:00:00.000+01:00"),
);

/** Sessions of all shapes, ids aside. */
export const anySession: fc.Arbitrary<Omit<Session, "id">> = fc.record(
	{
		version: fc.constant(3 as const),
		timestamp: time,
		cwd: text,
		parentSession: text,
		name: text,
		leafId: fc.option(fc.string(), { nil: null }),
		entryCount: fc.nat(),
		messageCount: fc.nat(),
		firstMessage: text,
		modified: time,
		seq: fc.nat(),
		metadata: fc.dictionary(fc.oneof(text, fc.constantFrom("__proto__", "constructor")), fc.jsonValue()),
	},
	{
		requiredKeys: ["version", "timestamp", "cwd", "leafId", "entryCount", "messageCount", "modified", "seq"],
	},
);
