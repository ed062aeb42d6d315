import { useEffect, useState } from "preact/hooks";

/** What was asked for: on its way, there, or refused. While it is asked for again, what was there stays. */
export type Loaded<Value> =
	| { readonly kind: "loading" }
	| { readonly kind: "failed"; readonly problem: Error }
	| { readonly kind: "ready"; readonly value: Value };

/** Loads anew whenever `key` changes; an answer that comes too late is not taken. */
export function useData<Value>(key: string, load: () => Promise<Value>): Loaded<Value> {
	const [state, setState] = useState<{ key: string; loaded: Loaded<Value> }>();
	useEffect(() => {
		let wanted = true;
		const settle = (loaded: Loaded<Value>) => {
			if (wanted) setState({ key, loaded });
		};
		load().then(
			(value) => settle({ kind: "ready", value }),
			(problem: Error) => settle({ kind: "failed", problem }),
		);
		return () => {
			wanted = false;
		};
	}, [key]);
	return state?.key === key ? state.loaded : { kind: "loading" };
}
