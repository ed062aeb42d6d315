import type { Session } from "../../schemas/session.ts";
import type { NewEntry } from "../session/entry.ts";
import { sessionInfo } from "../session/name.ts";
import { writeAndView } from "./append-entries.ts";
import type { Call } from "./call.ts";
import { describeEarlier } from "./describe-session.ts";
import { soughtBy } from "./earlier-request.ts";
import { metadataTooLarge, nameTooLong } from "./incoming-entries.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refuse } from "./refusal.ts";
import { holds, type Precondition, versionAt, versionOf } from "./version.ts";

export interface UpdateSessionRequest {
	readonly id: string;
	/** An empty one takes the name away. */
	readonly name?: string;
	/** Null takes it away. */
	readonly metadata?: { readonly [key: string]: unknown } | null;
	readonly key?: string;
	readonly ifMatch?: Precondition;
}

/**
 * Renames a session or gives it other metadata, by one `session_info` entry: it repeats the name where only metadata
 * is given. Lists show it before this answers. Nothing given: nothing is written.
 */
export async function updateSession(call: Call, request: UpdateSessionRequest): Promise<Outcome<Session>> {
	const { id, name, metadata, key, ifMatch } = request;
	for (const [path, large] of [
		["name", nameTooLong(name, call.limits)],
		["metadata", metadata === null ? undefined : metadataTooLarge(metadata, call.limits)],
	] as const) {
		if (large !== undefined) return refuse("payload_too_large", large, [{ path, message: large }]);
	}
	if (name === undefined && metadata === undefined) return unchanged(call, request);
	const entry: NewEntry = {
		type: "session_info",
		...(name !== undefined && { name }),
		...(metadata !== undefined && { metadata }),
	};
	const outcome = await writeAndView(call, {
		id,
		sought: soughtBy(call.random, key, [entry]),
		...(ifMatch && { ifMatch }),
		complete: (fixed, view) =>
			name === undefined ? { ...fixed, name: sessionInfo(view).name ?? "" } : fixed,
		pathOf: (_at, field) => field,
	});
	if (outcome.kind === "refused") return outcome;
	const { view, last, replayed } = outcome;
	return done(await describeEarlier(view, last), versionAt(view, last), replayed);
}

async function unchanged(call: Call, { id, ifMatch }: UpdateSessionRequest): Promise<Outcome<Session>> {
	const opened = await openSession(call, id);
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	if (!holds(ifMatch, view.length)) {
		return refuse("precondition_failed", `The session's version is ${view.length}`);
	}
	return done(await describeEarlier(view, view.length), versionOf(view));
}
