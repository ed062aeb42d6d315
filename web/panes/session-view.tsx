import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Api, EntryAnswer } from "../api/api.ts";
import { Icon } from "../icons.tsx";
import { commandOf } from "../keys.ts";
import { hashOf, type Route, type View } from "../route.ts";
import type { Filter } from "../tree/filters.ts";
import { shows, wordsOf } from "../tree/filters.ts";
import { layout } from "../tree/layout.ts";
import { pathTo, type Tree } from "../tree/tree.ts";
import { ComparePane } from "./compare-pane.tsx";
import { ContextPane } from "./context-pane.tsx";
import { EntryPane } from "./entry-pane.tsx";
import { LabelDialog } from "./label-dialog.tsx";
import { Overview } from "./overview.tsx";
import { runCommand } from "./run-command.ts";
import { TreePane } from "./tree-pane.tsx";
import { useActions } from "./use-actions.ts";
import { useSession } from "./use-session.ts";

interface Props {
	readonly api: Api;
	readonly route: Route & { session: string };
	readonly go: (to: Route, replace?: boolean) => void;
	readonly help: () => void;
	/** Something happened that lists of sessions show. */
	readonly changed: () => void;
	/** A dialog is open: keys are not for the tree. */
	readonly quiet: boolean;
}

/** One session: its tree, and at its side an entry, a context, or two branches. */
export function SessionView(props: Props) {
	const state = useSession(props.api, props.route.session);
	if (state.kind === "ready") return <Ready {...props} {...state} />;
	return (
		<main class="tree-pane">
			<header class="bar">
				<a class="back" href="#/" title="Sessions">
					<Icon name="back" />
				</a>
				<h1>{props.route.session}</h1>
			</header>
			<p class="empty" role={state.kind === "failed" ? "alert" : "status"}>
				{state.kind === "failed" ? state.problem.message : "Loading …"}
			</p>
		</main>
	);
}

type ReadyProps = Props & Extract<ReturnType<typeof useSession>, { kind: "ready" }>;

function Ready({ api, route, go, help, changed, quiet, session, tree, liveness, deleted }: ReadyProps) {
	const [filter, setFilter] = useState<Filter>("conversation");
	const [search, setSearch] = useState("");
	const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
	const [mark, setMark] = useState<string>();
	const [picked, setPicked] = useState<string>();
	const [labelling, setLabelling] = useState<string>();
	const searchBox = useRef<HTMLInputElement>(null);
	const scroller = useRef<HTMLDivElement>(null);

	const words = useMemo(() => wordsOf(search), [search]);
	const picture = useMemo(
		() => layout(tree, (id) => shows(tree.nodes.get(id)!, filter, words), folded),
		[tree, filter, words, folded],
	);
	const live = useMemo(() => new Set(pathTo(tree, tree.leafId)), [tree]);
	const selected = route.entry ?? picked ?? picture.leaf ?? picture.rows[0]?.id;
	const entryOf = useEntries(api, route.session);
	const actions = useActions({ api, id: route.session, tree, go, changed });

	const select = useCallback(
		(id: string, view: View | undefined = route.view, replace = view === route.view) => {
			setPicked(id);
			if (view !== undefined)
				go({ session: route.session, view, entry: id, ...(view === "compare" && { with: mark }) }, replace);
		},
		[route.session, route.view, mark, go],
	);
	/** Selects an entry wherever it is, and unfolds and shows what hides it. */
	const reveal = useCallback(
		(id: string, view?: View) => {
			const above = new Set(pathTo(tree, id).slice(0, -1));
			setFolded((now) => new Set([...now].filter((folded) => !above.has(folded))));
			if (!picture.parents.has(id)) {
				setSearch("");
				if (!shows(tree.nodes.get(id)!, filter, [])) setFilter("all");
			}
			select(id, view);
		},
		[tree, picture, filter, select],
	);
	const compare = (id: string) =>
		go({ session: route.session, view: "compare", entry: id, ...(mark !== undefined && { with: mark }) });

	// Before the next key comes: it is to find what this one changed.
	useLayoutEffect(() => {
		const pressed = (event: KeyboardEvent) => {
			if (quiet || labelling !== undefined || isTyping(event.target)) return;
			const command = commandOf(event);
			if (command === undefined || (event.key === "Enter" && isControl(event.target))) return;
			if (event.key === " " && isControl(event.target)) return;
			event.preventDefault();
			runCommand(command, {
				picture,
				tree,
				live,
				selected,
				folded,
				setFolded,
				rowsOnScreen: Math.floor((scroller.current?.clientHeight ?? 340) / 34),
				select,
				open: (id, view) => select(id, view, false),
				search: () => searchBox.current?.focus(),
				mark: (id) => setMark((now) => (now === id ? undefined : id)),
				compare,
				label: setLabelling,
				actions,
				help,
				back: () => go(route.view === undefined ? {} : { session: route.session }),
			});
		};
		addEventListener("keydown", pressed);
		return () => removeEventListener("keydown", pressed);
	});

	const entry = route.entry !== undefined && tree.nodes.has(route.entry) ? route.entry : undefined;
	const close = hashOf({ session: route.session });
	const shared = { api, session: route.session, tree, close, reveal, entryOf };
	return (
		<>
			<TreePane
				session={session}
				tree={tree}
				picture={picture}
				liveness={liveness}
				deleted={deleted}
				filter={filter}
				setFilter={setFilter}
				search={search}
				setSearch={setSearch}
				words={words}
				folded={folded}
				setFolded={setFolded}
				live={live}
				selected={selected}
				mark={mark}
				searchBox={searchBox}
				scroller={scroller}
				select={(id) => select(id, route.view ?? "entry")}
			/>
			{route.view === "context" ? (
				<ContextPane {...shared} at={entry} />
			) : route.view === "compare" && entry !== undefined ? (
				<ComparePane {...shared} left={route.with ?? tree.leafId} right={entry} />
			) : entry !== undefined ? (
				<EntryPane
					{...shared}
					id={entry}
					live={live}
					actions={actions}
					label={setLabelling}
					compare={compare}
					mark={mark}
					setMark={setMark}
				/>
			) : (
				<Overview session={session} tree={tree} reveal={reveal} missing={route.entry} />
			)}
			{labelling !== undefined && (
				<LabelDialog
					label={tree.nodes.get(labelling)?.label ?? ""}
					enter={(label) => actions.label(labelling, label)}
					close={() => setLabelling(undefined)}
				/>
			)}
			{actions.message && (
				<p class="toast" role="status">
					{actions.message}
				</p>
			)}
		</>
	);
}

/** Entries never change, so each is asked for once. */
function useEntries(api: Api, session: string): (id: string) => Promise<EntryAnswer> {
	return useMemo(() => {
		const known = new Map<string, Promise<EntryAnswer>>();
		return (id) => {
			let answer = known.get(id);
			if (answer === undefined) {
				answer = api.entry(session, id);
				answer.catch(() => known.delete(id));
				if (known.size > 200) known.delete(known.keys().next().value!);
				known.set(id, answer);
			}
			return answer;
		};
	}, [api, session]);
}

/** What the panes at the side have in common. */
export interface Shared {
	readonly api: Api;
	readonly session: string;
	readonly tree: Tree;
	/** The address without the pane. */
	readonly close: string;
	readonly reveal: (id: string, view?: View) => void;
	readonly entryOf: (id: string) => Promise<EntryAnswer>;
}

function isTyping(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && target.matches("input, textarea, select");
}

function isControl(target: EventTarget | null): boolean {
	return target instanceof HTMLElement && target.closest("button, a, summary") !== null;
}
