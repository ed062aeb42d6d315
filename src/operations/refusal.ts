import type { ErrorCode, Issue } from "../../schemas/error.ts";

/** Why an operation did not do what it was asked to. Nothing was stored, unless the code's table entry says otherwise. */
export interface Refusal {
	readonly kind: "refused";
	readonly code: ErrorCode;
	/** For the client's developer: one sentence without secrets and without another tenant's data. */
	readonly detail: string;
	readonly errors?: readonly Issue[];
}

/** A refusal with its reason; several reasons are listed in `errors`. */
export function refuse(code: ErrorCode, detail: string, errors?: readonly Issue[]): Refusal {
	return errors === undefined ? { kind: "refused", code, detail } : { kind: "refused", code, detail, errors };
}

export const noSuchSession = refuse("not_found", "There is no session with this id");
export const deletedSession = refuse("gone", "The session was deleted");
