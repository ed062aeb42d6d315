import { useMemo, useState } from "preact/hooks";
import { EntryBody } from "../text/entry-body.tsx";
import { shortened } from "../text/shortened.ts";
import type { Entry } from "../tree/grow.ts";
import { kindOf, titleOf } from "../tree/kinds.ts";
import { parting, type Tree } from "../tree/tree.ts";
import { useData } from "../use-data.ts";
import type { Shared } from "./session-view.tsx";
import { SideHeader } from "./side-header.tsx";

/** Entries of a branch that are read at once. */
const page = 100;

/** Two branches side by side, from where they part. */
export function ComparePane(props: Shared & { left: string | null; right: string }) {
	const { tree, left, right, close, reveal } = props;
	const parted = useMemo(() => parting(tree, left, right), [tree, left, right]);
	const common = parted.ancestor === null ? undefined : tree.nodes.get(parted.ancestor);
	return (
		<aside class="side compare" aria-label="Two branches">
			<SideHeader title="Two branches" close={close} />
			<p class="about common">
				{common === undefined ? (
					"They have nothing in common."
				) : (
					<>
						They part after{" "}
						<button type="button" class="link" onClick={() => reveal(common.id, "entry")}>
							{titleOf(common)}: {shortened(common) || common.id}
						</button>
					</>
				)}
			</p>
			<div class="columns">
				<Column
					key={`left ${left}`}
					{...props}
					title={left === tree.leafId ? "Live" : "Marked"}
					ids={parted.left}
				/>
				<Column
					key={`right ${right}`}
					{...props}
					title={right === tree.leafId ? "Live" : "Chosen"}
					ids={parted.right}
				/>
			</div>
		</aside>
	);
}

/** A branch from the parting on, a page at a time. */
function Column(props: Shared & { title: string; ids: readonly string[] }) {
	const { title, ids } = props;
	const [pages, setPages] = useState(1);
	const shown = Math.min(ids.length, pages * page);
	return (
		<section aria-label={title}>
			<h3>
				{title}
				<small>{ids.length === 1 ? "1 entry" : `${ids.length.toLocaleString()} entries`}</small>
			</h3>
			{ids.length === 0 && <p class="empty">Ends where they part.</p>}
			{Array.from({ length: Math.ceil(shown / page) }, (_, at) => (
				<Page key={at} {...props} ids={ids.slice(at * page, Math.min(shown, (at + 1) * page))} />
			))}
			{shown < ids.length && (
				<button type="button" class="more" onClick={() => setPages(pages + 1)}>
					{(ids.length - shown).toLocaleString()} more
				</button>
			)}
		</section>
	);
}

/** Neighbours of a path, root first. A page of a branch that goes on is read anew when it has grown. */
function Page(props: Shared & { ids: readonly string[] }) {
	const { api, session, ids } = props;
	const tip = ids.at(-1)!;
	const answer = useData(ids[0]!, () => api.branch(session, tip, ids.length), ids.length);
	if (answer.kind === "ready")
		return (
			<>
				{answer.value.entries.map((entry) => (
					<Card key={entry.id} {...props} entry={entry} />
				))}
			</>
		);
	return (
		<p class="empty" role={answer.kind === "failed" ? "alert" : "status"}>
			{answer.kind === "failed" ? answer.problem.message : "Loading …"}
		</p>
	);
}

function Card({ api, tree, entry, reveal }: Shared & { entry: Entry }) {
	const node = nodeOf(tree, entry);
	return (
		<article class="card" data-kind={kindOf(node)}>
			<header>
				<span class="dot" />
				<button type="button" class="link" onClick={() => reveal(entry.id, "entry")}>
					{titleOf(node)}
				</button>
				{node.label !== undefined && <mark class="label">{node.label}</mark>}
			</header>
			<EntryBody api={api} entry={entry} />
		</article>
	);
}

function nodeOf(tree: Tree, entry: Entry) {
	return tree.nodes.get(entry.id) ?? { type: entry.type, role: undefined, label: undefined };
}
