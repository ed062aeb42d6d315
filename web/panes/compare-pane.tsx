import { useMemo } from "preact/hooks";
import { EntryBody } from "../text/entry-body.tsx";
import type { Entry } from "../tree/grow.ts";
import { kindOf, titleOf } from "../tree/kinds.ts";
import { parting, type Tree } from "../tree/tree.ts";
import { useData } from "../use-data.ts";
import type { Shared } from "./session-view.tsx";
import { SideHeader } from "./side-header.tsx";

/** The newest entries of each branch that are read at once. */
const most = 200;

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
							{titleOf(common)}: {common.preview || common.id}
						</button>
					</>
				)}
			</p>
			<div class="columns">
				<Column {...props} title={left === tree.leafId ? "Live" : "Marked"} ids={parted.left} />
				<Column {...props} title={right === tree.leafId ? "Live" : "Chosen"} ids={parted.right} />
			</div>
		</aside>
	);
}

function Column(props: Shared & { title: string; ids: readonly string[] }) {
	const { api, session, title, ids } = props;
	const tip = ids.at(-1);
	const limit = Math.min(ids.length, most);
	const answer = useData(`${tip}\n${limit}`, () =>
		tip === undefined ? Promise.resolve(undefined) : api.branch(session, tip, limit),
	);
	return (
		<section aria-label={title}>
			<h3>
				{title}
				<small>{ids.length === 1 ? "1 entry" : `${ids.length} entries`}</small>
			</h3>
			{tip === undefined && <p class="empty">Ends where they part.</p>}
			{ids.length > limit && <p class="empty">{ids.length - limit} entries before these</p>}
			{answer.kind === "failed" && (
				<p class="empty" role="alert">
					{answer.problem.message}
				</p>
			)}
			{answer.kind === "ready" &&
				answer.value?.entries.map((entry) => <Card key={entry.id} {...props} entry={entry} />)}
		</section>
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
