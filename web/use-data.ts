import { useEffect, useRef, useState } from "preact/hooks";

/** What was asked for: on its way, there, or refused. */
export type Loaded<Value> =
	| { readonly kind: "loading" }
	| { readonly kind: "failed"; readonly problem: Error }
	| { readonly kind: "ready"; readonly value: Value };

/**
 * Loads anew whenever `key` changes; an answer that comes too late is not taken. Where only `version` changes, what is
 * there stays until its successor comes, and one load follows the other however fast versions do.
 */
export function useData<Value>(key: string, load: () => Promise<Value>, version = 0): Loaded<Value> {
	const [state, setState] = useState<{ key: string; loaded: Loaded<Value> }>();
	const newest = useRef(load);
	newest.current = load;
	const work = useRef<{ key: string; again: boolean }>(undefined);
	useEffect(() => {
		if (work.current?.key === key) work.current.again = true;
		else run();

		async function run() {
			const mine = { key, again: true };
			work.current = mine;
			while (mine.again) {
				mine.again = false;
				const loaded = await settled(newest.current());
				if (work.current !== mine) return;
				setState((now) => (now?.key === key && loaded.kind === "failed" ? now : { key, loaded }));
			}
			work.current = undefined;
		}
	}, [key, version]);
	useEffect(
		() => () => {
			work.current = undefined;
		},
		[],
	);
	return state?.key === key ? state.loaded : { kind: "loading" };
}

function settled<Value>(promise: Promise<Value>): Promise<Loaded<Value>> {
	return promise.then(
		(value) => ({ kind: "ready", value }),
		(problem: Error) => ({ kind: "failed", problem }),
	);
}
