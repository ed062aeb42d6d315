import type { Session } from "../../schemas/session.ts";
import { sanitizeName } from "../session/name.ts";
import { branchOff, type FromSource } from "./branch-off.ts";
import type { Call } from "./call.ts";
import { nameTooLong } from "./incoming-entries.ts";
import type { Outcome } from "./outcome.ts";
import { refuse } from "./refusal.ts";
import { takeBranch } from "./take-branch.ts";

export interface BranchedSessionRequest extends FromSource {
	/** Where the path ends. */
	readonly leafId: string;
	readonly name?: string;
}

/** Makes a session of the path to an entry of another one: the same entry ids, labels taken out and put at the end. */
export async function createBranchedSession(
	call: Call,
	request: BranchedSessionRequest,
): Promise<Outcome<Session>> {
	const { leafId, name, ...from } = request;
	const long = nameTooLong(name, call.limits);
	if (long) return refuse("payload_too_large", long, [{ path: "name", message: long }]);
	const outcome = await branchOff(call, {
		...from,
		request: {
			by: "createBranchedSession",
			leafId,
			...(name !== undefined && { name: sanitizeName(name) }),
		},
		take: (view) => takeBranch(call, view, leafId, name),
	});
	return outcome.kind === "refused" ? outcome : { ...outcome, value: outcome.value.session };
}
