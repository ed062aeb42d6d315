import { type Call, logOf } from "./call.ts";
import { type ListOutcome, type ListRequest, listSessions } from "./list-sessions.ts";
import { deletedSession, noSuchSession } from "./refusal.ts";

export interface ChildrenRequest extends Omit<ListRequest, "filter"> {
	/** The parent's. */
	readonly id: string;
}

/** A page of the sessions that were made from this one, newest first. */
export async function listChildren(call: Call, { id, ...page }: ChildrenRequest): Promise<ListOutcome> {
	const [parent, list] = await Promise.all([
		call.log.tip(call.scope, logOf(call, id)),
		listSessions(call, { ...page, filter: { order: "modified", parent: id } }),
	]);
	if (parent.kind === "absent") return noSuchSession;
	return parent.kind === "gone" ? deletedSession : list;
}
