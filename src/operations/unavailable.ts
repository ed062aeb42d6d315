import { type Refusal, refuse } from "./refusal.ts";

/** A write that the log could not bring to an end. */
export function unavailable(reason: "indeterminate" | "contention"): Refusal {
	return reason === "contention"
		? refuse("contention", "Others were faster each time; nothing was stored")
		: refuse(
				"storage_unavailable",
				"Indeterminate: the store gave no clear answer, so it is not known whether this was stored. " +
					"A repeat with the same ids or the same Idempotency-Key finds out",
			);
}
