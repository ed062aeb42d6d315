import type { Moments } from "./clocks.ts";
import type { LogLimits } from "./limits.ts";
import type { LogState } from "./log-state.ts";
import type { Mutation } from "./mutations.ts";
import type { Clock, Random, Scope } from "./scope.ts";
import { SnapshotView } from "./snapshot-view.ts";

/** What the parts of one instance's engine share. */
export interface Engine {
	readonly clock: Clock;
	readonly random: Random;
	readonly moments: Moments;
	readonly limits: LogLimits;
	/** Empty outside a simulation. */
	readonly mutations: ReadonlySet<Mutation>;
	/** Counts what a state weighs now, and keeps all of them within bounds. */
	weigh(state: LogState): void;
}

/** Whether a state's tail was confirmed so lately that no purge can lie between. */
export function isTrusted(engine: Engine, state: LogState): boolean {
	if (state.confirmed === undefined) return false;
	return engine.mutations.has("trust-window") || engine.moments.age(state.confirmed) <= engine.limits.trust;
}

/** The view of a state as it is now, which reads bodies on this scope's way to the store. */
export function viewOf(
	engine: Engine,
	state: LogState,
	scope: Pick<Scope, "store" | "announce" | "admit">,
): SnapshotView {
	return new SnapshotView(state, {
		store: scope.store,
		gap: engine.limits.gap,
		loaded: () => engine.weigh(state),
		...(scope.admit && { admit: (bytes) => scope.admit?.(bytes) ?? Promise.resolve() }),
		...(scope.announce && { announce: (reads) => scope.announce?.(reads) }),
	});
}

/** 12 characters that nobody has used: names the exact bytes of one commit. */
export function newWriteId(random: Random): string {
	return base64url(random.bytes(9));
}

/** Full jitter: anything up to a bound that doubles. */
export function jitter(engine: Engine, attempt: number): number {
	const { firstPause, longestPause } = engine.limits;
	return engine.random.fraction() * Math.min(longestPause, firstPause * 2 ** attempt);
}

function base64url(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
}
