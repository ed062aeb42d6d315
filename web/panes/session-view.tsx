import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Api, EntryAnswer } from "../api/api.ts";
import { Icon } from "../icons.tsx";
import { hashOf, type Route, type View } from "../route.ts";
import type { Filter } from "../tree/filters.ts";
import { shows, wordsOf } from "../tree/filters.ts";
import { isLive } from "../tree/layout.ts";
import { pathTo, type Tree } from "../tree/tree.ts";
import { ComparePane } from "./compare-pane.tsx";
import { ContextPane } from "./context-pane.tsx";
import { EntryPane } from "./entry-pane.tsx";
import { LabelDialog } from "./label-dialog.tsx";
import { Overview } from "./overview.tsx";
import { runCommand } from "./run-command.ts";
import { ShareDialog } from "./share-dialog.tsx";
import { TokenButton } from "./token-button.tsx";
import { TreePane } from "./tree-pane.tsx";
import { useActions } from "./use-actions.ts";
import { useKeys } from "./use-keys.ts";
import { usePicture } from "./use-picture.ts";
import { useSession } from "./use-session.ts";

interface Props {
	readonly api: Api;
	readonly route: Route & { session: string };
	readonly go: (to: Route, replace?: boolean) => void;
	readonly help: () => void;
	readonly askCredentials: () => void;
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
				{state.kind === "failed" && <TokenButton problem={state.problem} ask={props.askCredentials} />}
			</p>
		</main>
	);
}

type ReadyProps = Props & Extract<ReturnType<typeof useSession>, { kind: "ready" }>;

function Ready(props: ReadyProps) {
	const { api, route, go, help, changed, quiet, session, tree } = props;
	const [filter, setFilter] = useState<Filter>("conversation");
	const [search, setSearch] = useState("");
	const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
	const [mark, setMark] = useState<string>();
	const [picked, setPicked] = useState<string>();
	const [selections, setSelections] = useState(0);
	const [labelling, setLabelling] = useState<string>();
	const [sharing, setSharing] = useState(false);
	useTitle(session.name ?? session.firstMessage ?? session.id);
	const searchBox = useRef<HTMLInputElement>(null);
	const scroller = useRef<HTMLDivElement>(null);

	const words = useMemo(() => wordsOf(search), [search]);
	const picture = usePicture(tree, filter, words, folded);
	const chosen = route.entry ?? picked;
	const selected = chosen ?? picture.leaf ?? picture.rows[0]?.id;
	const entryOf = useEntries(api, route.session);
	const actions = useActions({ api, id: route.session, tree, go, changed });

	const select = useCallback(
		(id: string, view: View | undefined = route.view, replace = view === route.view) => {
			// Who goes to the leaf stays with it when it moves.
			setPicked(id === picture.leaf ? undefined : id);
			setSelections((count) => count + 1);
			if (view !== undefined)
				go({ session: route.session, view, entry: id, ...(view === "compare" && { with: mark }) }, replace);
		},
		[route.session, route.view, mark, go, picture.leaf],
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

	useKeys(quiet || sharing || labelling !== undefined, (command, atSide) => {
		runCommand(command, {
			picture,
			tree,
			selected,
			folded,
			setFolded,
			rowsOnScreen: Math.floor((scroller.current?.clientHeight ?? 340) / 34),
			select,
			open: (id, view) => {
				if (id === route.entry && view === route.view)
					document.querySelector<HTMLElement>(".scroll")?.focus();
				else select(id, view, false);
			},
			search: () => searchBox.current?.focus(),
			mark: (id) => setMark((now) => (now === id ? undefined : id)),
			compare,
			label: setLabelling,
			actions,
			help,
			back: () => {
				if (atSide) scroller.current?.focus();
				else go(route.view === undefined ? {} : { session: route.session });
			},
		});
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
				liveness={props.liveness}
				deleted={props.deleted}
				problem={props.problem}
				askCredentials={props.askCredentials}
				share={actions.readOnly ? undefined : () => setSharing(true)}
				filter={filter}
				setFilter={setFilter}
				search={search}
				setSearch={setSearch}
				words={words}
				folded={folded}
				setFolded={setFolded}
				selected={selected}
				chosen={chosen !== undefined}
				selections={selections}
				mark={mark}
				searchBox={searchBox}
				scroller={scroller}
				select={(id) => select(id, route.view ?? "entry")}
				toLeaf={() => picture.leaf !== null && select(picture.leaf)}
			/>
			{route.view === "context" ? (
				<ContextPane {...shared} at={entry} />
			) : route.view === "compare" && entry !== undefined ? (
				<ComparePane {...shared} left={route.with ?? tree.leafId} right={entry} />
			) : entry !== undefined ? (
				<EntryPane
					{...shared}
					id={entry}
					live={isLive(picture, tree, entry)}
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
			{sharing && (
				<ShareDialog
					api={api}
					session={route.session}
					entry={selected}
					copy={actions.copyText}
					close={() => setSharing(false)}
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

/** The tab is called like what it shows. */
function useTitle(title: string): void {
	useEffect(() => {
		document.title = `${title} · Leaflog`;
		return () => {
			document.title = "Leaflog";
		};
	}, [title]);
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
