import { buildCommit } from "./build-commit.ts";
import { type Engine, newWriteId, viewOf } from "./engine.ts";
import type { LogState } from "./log-state.ts";
import type { Genesis, LogView, NewRecord } from "./record.ts";
import type { Scope } from "./scope.ts";
import { putAndSettle } from "./settle.ts";
import { refreshTail } from "./tail.ts";

export interface NewLog {
	/** Stored with the first line; names the request. */
	readonly tag: string;
	readonly genesis: Genesis;
	readonly records: readonly NewRecord[];
}

export type CreateOutcome =
	| { readonly kind: "created"; readonly view: LogView }
	| { readonly kind: "exists"; readonly view: LogView }
	| { readonly kind: "gone" }
	| { readonly kind: "unavailable"; readonly reason: "indeterminate" | "contention" };

/**
 * Puts commit 0 with all that the log holds, where nobody has. `state` is what is known of the log.
 * @throws Corrupt, StoreUnavailable (then it is not known whether it was created)
 */
export async function createLog(
	engine: Engine,
	scope: Scope,
	state: LogState,
	log: NewLog,
): Promise<CreateOutcome> {
	if (state.newest < 0 && !state.gone) {
		const built = buildCommit(state, newWriteId(engine.random), [log], engine.limits, {
			...log.genesis,
			tag: log.tag,
		});
		const settled = await putAndSettle(engine, scope.store, state, built);
		if (settled.kind === "unknown") return { kind: "unavailable", reason: "indeterminate" };
		if (settled.kind === "landed") {
			state.fold(built.header, built.prefixLength, built.index);
			for (const [seq, bytes] of built.ownBodies) state.keepBody(seq, bytes);
			state.confirm(settled.sent);
			engine.weigh(state);
			return { kind: "created", view: viewOf(engine, state, scope) };
		}
	}
	const standing = await refreshTail(engine, scope.store, state, "bodies");
	if (standing === "gone") return { kind: "gone" };
	if (standing === "absent") return { kind: "unavailable", reason: "contention" };
	return { kind: "exists", view: viewOf(engine, state, scope) };
}
