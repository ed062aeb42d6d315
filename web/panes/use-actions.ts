import { useRef, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { Route } from "../route.ts";
import { entryText } from "../text/entry-text.ts";
import type { Tree } from "../tree/tree.ts";

/** What can be done to a session from its tree. */
export interface Actions {
	/** How the last one ended, for some seconds. */
	readonly message: string | undefined;
	setLeaf(id: string): Promise<void>;
	label(id: string, label: string): Promise<void>;
	/** Before a user's message, to say it otherwise; at any other entry. */
	fork(id: string, position?: "before" | "at"): Promise<void>;
	/** The entry's text to the clipboard. */
	copy(id: string): Promise<void>;
	copyText(text: string, what: string): Promise<void>;
}

export function useActions(of: {
	api: Api;
	id: string;
	tree: Tree;
	go: (to: Route) => void;
	changed: () => void;
}): Actions {
	const { api, id, tree, go, changed } = of;
	const [message, setMessage] = useState<string>();
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const tell = (text: string) => {
		clearTimeout(timer.current);
		setMessage(text);
		timer.current = setTimeout(() => setMessage(undefined), 4000);
	};
	const doing = async (work: () => Promise<string>) => {
		try {
			tell(await work());
		} catch (problem) {
			tell((problem as Error).message);
		}
	};
	const copyText = (text: string, what: string) =>
		doing(async () => {
			await navigator.clipboard.writeText(text);
			return `${what} copied`;
		});
	return {
		message,
		setLeaf: (target) =>
			doing(async () => {
				await api.setLeaf(id, target);
				return "The leaf is here now";
			}),
		label: (target, label) =>
			doing(async () => {
				await api.label(id, target, label);
				return label.trim() === "" ? "Label taken away" : "Labelled";
			}),
		fork: (target, position) =>
			doing(async () => {
				const before = position ?? (tree.nodes.get(target)?.role === "user" ? "before" : "at");
				const { session } = await api.fork(id, target, before);
				changed();
				go({ session: session.id });
				return "Forked";
			}),
		copy: async (target) => {
			const { entry } = await api.entry(id, target);
			await copyText(entryText(entry), "Text");
		},
		copyText,
	};
}
