import { useEffect, useState } from "preact/hooks";
import type { Api, Session } from "../api/api.ts";
import { follow, type Liveness } from "../api/follow.ts";
import { type Entry, grown } from "../tree/grow.ts";
import { previewOf } from "../tree/preview.ts";
import { type Tree, treeOf } from "../tree/tree.ts";

export type SessionState =
	| { readonly kind: "loading" }
	| { readonly kind: "failed"; readonly problem: Error }
	| {
			readonly kind: "ready";
			readonly session: Session;
			readonly tree: Tree;
			readonly liveness: Liveness;
			readonly deleted: boolean;
			/** Why it is not kept up to date any more. */
			readonly problem?: Error;
	  };

/** A session with its tree, kept up to date for as long as it is on screen. */
export function useSession(api: Api, id: string): SessionState {
	const [state, setState] = useState<SessionState>({ kind: "loading" });
	useEffect(() => {
		const leaving = new AbortController();
		const { signal } = leaving;
		const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
		const change = (part: (now: Ready) => Partial<Ready>) =>
			setState((now) => (now.kind === "ready" ? { ...now, ...part(now) } : now));
		const run = async () => {
			const [early, tree] = await Promise.all([api.session(id), api.tree(id)]);
			// What happened between the two answers would be told neither by this one nor by what follows.
			const session = early.seq < tree.seq ? await api.session(id) : early;
			if (signal.aborted) return;
			setState({ kind: "ready", session, tree: treeOf(tree), liveness: "away", deleted: false });
			for await (const step of follow(api, id, tree.seq, { signal, sleep })) {
				if (signal.aborted) return;
				if (step.kind === "entries")
					change(({ session, tree }) => ({
						session: told(session, step.entries),
						tree: grown(tree, step.entries),
					}));
				else if (step.kind === "liveness") change(() => ({ liveness: step.liveness }));
				else change(() => ({ deleted: true, liveness: "away" }));
			}
		};
		run().catch((problem: Error) => {
			if (signal.aborted) return;
			setState((now) =>
				now.kind === "ready" ? { ...now, liveness: "away", problem } : { kind: "failed", problem },
			);
		});
		return () => leaving.abort();
	}, [api, id]);
	return state;
}

type Ready = Extract<SessionState, { kind: "ready" }>;

/** The session with what these new entries say of it. */
function told(session: Session, entries: readonly Entry[]): Session {
	const { name: before, ...rest } = session;
	const renamed = entries.findLast(({ type }) => type === "session_info");
	const name = renamed === undefined ? before : oneLine(renamed.name) || undefined;
	const first = entries.find(({ message }) => (message as { role?: unknown } | undefined)?.role === "user");
	const firstMessage = session.firstMessage ?? (first && (previewOf(first) || undefined));
	return {
		...rest,
		...(name !== undefined && { name }),
		...(firstMessage !== undefined && { firstMessage }),
	};
}

function oneLine(text: unknown): string {
	return typeof text === "string" ? text.replace(/\s+/gu, " ").trim() : "";
}
