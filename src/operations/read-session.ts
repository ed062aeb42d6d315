import type { Session } from "../../schemas/session.ts";
import type { Call } from "./call.ts";
import { describeSession } from "./describe-session.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { versionOf } from "./version.ts";

/** What a session is, without its entries. */
export async function readSession(call: Call, id: string): Promise<Outcome<Session>> {
	const opened = await openSession(call, id, "bodies");
	if (opened.kind === "refused") return opened;
	return done(await describeSession(opened.view), versionOf(opened.view));
}
