import { useEffect, useRef, useState } from "preact/hooks";
import type { Api, Session } from "../api/api.ts";
import { follow, type Liveness } from "../api/follow.ts";
import { grown } from "../tree/grow.ts";
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
			const [session, tree] = await Promise.all([api.session(id), api.tree(id)]);
			if (signal.aborted) return;
			setState({ kind: "ready", session, tree: treeOf(tree), liveness: "away", deleted: false });
			for await (const step of follow(api, id, tree.seq, { signal, sleep })) {
				if (signal.aborted) return;
				if (step.kind === "entries") change(({ tree }) => ({ tree: grown(tree, step.entries) }));
				else if (step.kind === "liveness") change(() => ({ liveness: step.liveness }));
				else change(() => ({ deleted: true, liveness: "away" }));
			}
		};
		run().catch((problem: Error) => {
			if (!signal.aborted) setState({ kind: "failed", problem });
		});
		return () => leaving.abort();
	}, [api, id]);
	return useNewestName(state);
}

type Ready = Extract<SessionState, { kind: "ready" }>;

/** Renames come as entries: the last one in the log is the session's name. */
function useNewestName(state: SessionState): SessionState {
	const known = useRef<{ tree: Tree; name: string | undefined }>(undefined);
	if (state.kind !== "ready") return state;
	if (known.current?.tree !== state.tree) {
		let name: string | undefined;
		let named = false;
		for (const node of state.tree.nodes.values()) {
			if (node.type !== "session_info") continue;
			named = true;
			name = node.preview || undefined;
		}
		const full = state.session.name;
		// A preview is cut: the whole name is better as long as it is the same one.
		known.current = { tree: state.tree, name: named && !(name && full?.startsWith(name)) ? name : full };
	}
	return { ...state, session: { ...state.session, name: known.current.name } };
}
