import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Session } from "../api/api.ts";
import type { Liveness } from "../api/follow.ts";
import { Icon } from "../icons.tsx";
import { hashOf } from "../route.ts";
import { type Filter, filters } from "../tree/filters.ts";
import type { Layout } from "../tree/layout.ts";
import type { Tree } from "../tree/tree.ts";
import { scrolledTo, visibleRange } from "../tree/visible-range.ts";
import { foldOthers, toggled } from "./run-command.ts";
import { rowHeight, rowId, TreeRow } from "./tree-row.tsx";

interface Props {
	readonly session: Session;
	readonly tree: Tree;
	readonly picture: Layout;
	readonly liveness: Liveness;
	readonly deleted: boolean;
	readonly filter: Filter;
	readonly setFilter: (filter: Filter) => void;
	readonly search: string;
	readonly setSearch: (search: string) => void;
	readonly words: readonly string[];
	readonly folded: ReadonlySet<string>;
	readonly setFolded: (folded: ReadonlySet<string>) => void;
	readonly live: ReadonlySet<string>;
	readonly selected: string | undefined;
	readonly mark: string | undefined;
	readonly searchBox: RefObject<HTMLInputElement | null>;
	readonly scroller: RefObject<HTMLDivElement | null>;
	readonly select: (id: string) => void;
}

const livenessTexts = {
	live: "Live: what is appended appears",
	polling: "Looks for new entries every few seconds",
	away: "Not connected; trying again",
};

/** The tree as a picture, with what narrows it. */
export function TreePane(props: Props) {
	const { session, picture, tree, filter, liveness } = props;
	return (
		<main class="tree-pane">
			<header class="bar">
				<a class="back" href="#/" title="Sessions">
					<Icon name="back" />
				</a>
				<h1 title={session.id}>{session.name ?? session.firstMessage ?? session.id}</h1>
				{props.deleted ? (
					<span class="liveness away">deleted</span>
				) : (
					<span class={`liveness ${liveness}`} title={livenessTexts[liveness]} role="status">
						{liveness}
					</span>
				)}
				<a
					class="button"
					href={hashOf({ session: session.id, view: "context" })}
					title="As the model sees it"
				>
					<Icon name="eye" />
					Context
				</a>
			</header>
			<div class="bar narrow">
				<label class="search">
					<Icon name="search" />
					<input
						ref={props.searchBox}
						type="search"
						placeholder="Search entries"
						aria-label="Search entries"
						value={props.search}
						onInput={(event) => props.setSearch(event.currentTarget.value)}
						onKeyDown={(event) => leaveSearch(event, props)}
					/>
				</label>
				<fieldset class="filters" aria-label="Filter">
					{filters.map((name) => (
						<button
							key={name}
							type="button"
							aria-pressed={name === filter}
							onClick={() => props.setFilter(name)}
						>
							{name}
						</button>
					))}
				</fieldset>
				<button
					type="button"
					class="quiet"
					title="Fold all branches but the live one, or unfold all (z)"
					onClick={() => props.setFolded(foldOthers(props))}
				>
					<Icon name="folds" />
				</button>
				<span class="count">
					{picture.parents.size === tree.nodes.size
						? tree.nodes.size.toLocaleString()
						: `${picture.parents.size.toLocaleString()} of ${tree.nodes.size.toLocaleString()}`}
				</span>
			</div>
			<Rows {...props} />
		</main>
	);
}

/** Enter goes to the first that was found, Escape ends the search. */
function leaveSearch(event: KeyboardEvent, { picture, select, setSearch, searchBox }: Props): void {
	if (event.key === "Enter") {
		const first = picture.rows[0];
		if (first !== undefined) select(first.id);
	} else if (event.key === "Escape") setSearch("");
	else return;
	event.preventDefault();
	event.stopPropagation();
	searchBox.current?.blur();
}

/** The rows on screen, and room for all others. */
function Rows(props: Props) {
	const { picture, tree, selected, scroller } = props;
	const { rows, rowOf } = picture;
	const [view, setView] = useState({ top: 0, height: 800 });
	const measure = () => {
		const element = scroller.current;
		if (element) setView({ top: element.scrollTop, height: element.clientHeight });
	};
	useEffect(() => {
		const observer = new ResizeObserver(measure);
		observer.observe(scroller.current!);
		return () => observer.disconnect();
	}, []);
	const at = selected === undefined ? undefined : rowOf.get(selected);
	useLayoutEffect(() => {
		const element = scroller.current;
		if (at === undefined || !element) return;
		const { scrollTop: top, clientHeight: height } = element;
		const to = scrolledTo(at, { top, height, rowHeight });
		if (to !== top) element.scrollTop = to;
		measure();
	}, [selected, at]);
	const { start, end } = visibleRange({ ...view, rowHeight, count: rows.length, around: 10 });
	return (
		<div
			class="rows"
			ref={scroller}
			onScroll={measure}
			role="tree"
			aria-label="Entries"
			aria-activedescendant={selected === undefined ? undefined : rowId(selected)}
			tabIndex={0}
		>
			<div class="room" style={{ height: `${rows.length * rowHeight}px` }}>
				{rows.slice(start, end).map((row, index) => (
					<TreeRow
						key={row.id}
						row={row}
						node={tree.nodes.get(row.id)!}
						top={(start + index) * rowHeight}
						selected={row.id === selected}
						leaf={row.id === picture.leaf}
						marked={row.id === props.mark}
						words={props.words}
						select={props.select}
						fold={(id) => props.setFolded(toggled(props.folded, id))}
					/>
				))}
			</div>
			{rows.length === 0 && (
				<p class="empty">{tree.nodes.size === 0 ? "Nothing was said yet." : "No entry is like that."}</p>
			)}
		</div>
	);
}
