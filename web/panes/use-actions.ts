import { useRef, useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import type { Route } from "../route.ts";
import { entryText } from "../text/entry-text.ts";
import type { Tree } from "../tree/tree.ts";

/** What can be done to a session from its tree. */
export interface Actions {
	/** How the last one ended, for some seconds. */
	readonly message: string | undefined;
	/** The session is somebody else's: it can only be read. */
	readonly readOnly: boolean;
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
	const readOnly = api.isShared(id);
	const doing = async (work: () => Promise<string>) => {
		try {
			tell(await work());
		} catch (problem) {
			tell((problem as Error).message);
		}
	};
	const changing = (work: () => Promise<string>) =>
		doing(readOnly ? async () => "This session was shared with you to be read" : work);
	const copyText = (text: string, what: string) => doing(() => copied(text, what));
	return {
		message,
		readOnly,
		setLeaf: (target) =>
			changing(async () => {
				await api.setLeaf(id, target);
				return "The leaf is here now";
			}),
		label: (target, label) =>
			changing(async () => {
				await api.label(id, target, label);
				return label.trim() === "" ? "Label taken away" : "Labelled";
			}),
		fork: (target, position) =>
			changing(async () => {
				const before = position ?? (tree.nodes.get(target)?.role === "user" ? "before" : "at");
				const { session } = await api.fork(id, target, before);
				changed();
				go({ session: session.id });
				return "Forked";
			}),
		copy: (target) =>
			doing(async () => {
				const { entry } = await api.entry(id, target);
				return copied(entryText(entry), "Text");
			}),
		copyText,
	};
}

/** Browsers give pages the clipboard on https and on this machine alone. */
async function copied(text: string, what: string): Promise<string> {
	if (navigator.clipboard === undefined) return "Pages may only copy over https";
	await navigator.clipboard.writeText(text);
	return `${what} copied`;
}
