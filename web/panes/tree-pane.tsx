import type { RefObject } from "preact";
import type { Session } from "../api/api.ts";
import type { Liveness } from "../api/follow.ts";
import { Icon } from "../icons.tsx";
import { hashOf } from "../route.ts";
import { type Filter, filters } from "../tree/filters.ts";
import type { Layout } from "../tree/layout.ts";
import type { Tree } from "../tree/tree.ts";
import { foldOthers } from "./run-command.ts";
import { TokenButton } from "./token-button.tsx";
import { TreeRows } from "./tree-rows.tsx";

export interface TreePaneProps {
	readonly session: Session;
	readonly tree: Tree;
	readonly picture: Layout;
	readonly liveness: Liveness;
	readonly deleted: boolean;
	readonly problem: Error | undefined;
	readonly askCredentials: () => void;
	/** Not there where the session is somebody else's. */
	readonly share: (() => void) | undefined;
	readonly filter: Filter;
	readonly setFilter: (filter: Filter) => void;
	readonly search: string;
	readonly setSearch: (search: string) => void;
	readonly words: readonly string[];
	readonly folded: ReadonlySet<string>;
	readonly setFolded: (folded: ReadonlySet<string>) => void;
	readonly selected: string | undefined;
	/** Somebody selected it; otherwise it is the leaf, wherever that goes. */
	readonly chosen: boolean;
	readonly selections: number;
	readonly mark: string | undefined;
	readonly searchBox: RefObject<HTMLInputElement | null>;
	readonly scroller: RefObject<HTMLDivElement | null>;
	readonly select: (id: string) => void;
	readonly toLeaf: () => void;
}

const livenessTexts = {
	live: "Live: what is appended appears",
	polling: "Looks for new entries every few seconds",
	away: "Not connected; trying again",
};

/** The tree as a picture, with what narrows it. */
export function TreePane(props: TreePaneProps) {
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
				{props.share ? (
					<button type="button" onClick={props.share} title="Let others read it" aria-label="Share">
						<Icon name="share" />
						<span class="wide">Share</span>
					</button>
				) : (
					<span class="badge">shared with you</span>
				)}
				<a
					class="button"
					href={hashOf({ session: session.id, view: "context" })}
					title="As the model sees it"
					aria-label="Context"
				>
					<Icon name="eye" />
					<span class="wide">Context</span>
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
			{props.problem && (
				<p class="problem" role="alert">
					{props.problem.message} <TokenButton problem={props.problem} ask={props.askCredentials} />
				</p>
			)}
			<TreeRows {...props} />
		</main>
	);
}

/** Enter goes to the first that was found, Escape ends the search. */
function leaveSearch(event: KeyboardEvent, { picture, select, setSearch, searchBox }: TreePaneProps): void {
	if (event.key === "Enter") {
		const first = picture.rows[0];
		if (first !== undefined) select(first.id);
	} else if (event.key === "Escape") setSearch("");
	else return;
	event.preventDefault();
	event.stopPropagation();
	searchBox.current?.blur();
}
