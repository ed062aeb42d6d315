import { encodeTombstone } from "./commit.ts";
import { type Engine, isTrusted, newWriteId, viewOf } from "./engine.ts";
import type { LogState } from "./log-state.ts";
import type { LogView } from "./record.ts";
import type { Scope } from "./scope.ts";
import { putAndSettle } from "./settle.ts";
import { readFromList, refreshTail } from "./tail.ts";

/** The condition of an end does not hold; nothing was done. */
export interface EndRefused {
	readonly kind: "refused";
	readonly view: LogView;
}

export type EndOutcome =
	| { readonly kind: "ended" }
	| { readonly kind: "absent" }
	| { readonly kind: "gone" }
	| { readonly kind: "unavailable"; readonly reason: "indeterminate" | "contention" };

/**
 * Puts a tombstone at the next number, where `mayEnd` holds of all that is before it.
 * @throws Corrupt, StoreUnavailable
 */
export async function endLog(
	engine: Engine,
	scope: Scope,
	state: LogState,
	mayEnd: (view: LogView) => boolean,
): Promise<EndOutcome | EndRefused> {
	const arrived = engine.moments.now();
	for (;;) {
		if (!isTrusted(engine, state)) {
			const standing = await refreshTail(engine, scope.store, state, "index");
			if (standing !== "current") return { kind: standing };
		}
		if (state.gone) return { kind: "gone" };
		const view = viewOf(engine, state, scope);
		if (!mayEnd(view)) {
			if (state.confirmed && state.confirmed.order > arrived.order) return { kind: "refused", view };
			const standing = await refreshTail(engine, scope.store, state, "index");
			if (standing !== "current") return { kind: standing };
			continue;
		}
		const n = state.newest + 1;
		const writeId = newWriteId(engine.random);
		const commit = {
			n,
			writeId,
			isEnd: true,
			bytes: encodeTombstone(state.prefix, n, writeId),
		};
		const settled = await putAndSettle(engine, scope.store, state, commit);
		if (settled.kind === "unknown") return { kind: "unavailable", reason: "indeterminate" };
		if (settled.kind === "gone") return { kind: "gone" };
		if (settled.kind === "landed") {
			state.gone = true;
			return { kind: "ended" };
		}
		if (engine.moments.age(arrived) > engine.limits.patience)
			return { kind: "unavailable", reason: "contention" };
		const standing = await readFromList(engine, scope.store, state, "index");
		if (standing !== "current") return { kind: standing };
	}
}
