import { useMemo, useState } from "preact/hooks";
import type { Context } from "../api/api.ts";
import { type ContextRow, contextRows } from "../context/context-rows.ts";
import { EntryBody } from "../text/entry-body.tsx";
import { MessageBody } from "../text/message.tsx";
import { kindOf, titleOf } from "../tree/kinds.ts";
import { pathTo } from "../tree/tree.ts";
import { useData } from "../use-data.ts";
import type { Shared } from "./session-view.tsx";
import { SideHeader } from "./side-header.tsx";

/** Cards, and hidden entries, that are shown before somebody asks for more. */
const page = 100;

/** The context as the model sees it at an entry, or at the leaf; with what a compaction or an edit keeps from it. */
export function ContextPane(props: Shared & { at: string | undefined }) {
	const { api, session, tree, close, at } = props;
	const place = at ?? tree.leafId;
	const load = async () => {
		const [entries, messages] = await Promise.all([
			api.contextEntries(session, at),
			api.contextMessages(session, at),
		]);
		return { entries, messages, path: pathTo(tree, place) };
	};
	const answer = useData(at ?? "", load, at === undefined ? tree.seq : 0);
	return (
		<aside class="side context" aria-label="Context">
			<SideHeader title={at === undefined ? "Context at the leaf" : "Context here"} close={close} />
			<div class="scroll" tabIndex={-1}>
				{answer.kind !== "ready" ? (
					<p class="empty" role={answer.kind === "failed" ? "alert" : "status"}>
						{answer.kind === "failed" ? answer.problem.message : "Loading …"}
					</p>
				) : (
					<Shown {...props} seen={answer.value} />
				)}
			</div>
		</aside>
	);
}

interface Seen {
	readonly entries: Context;
	readonly messages: Context;
	/** From the root to where the context was taken. */
	readonly path: readonly string[];
}

function Shown(props: Shared & { seen: Seen }) {
	const { entries, messages, path } = props.seen;
	const [limit, setLimit] = useState(page);
	const rows = useMemo(
		() => contextRows(path, entries.entries ?? [], messages.projection ?? []),
		[entries, messages, path],
	);
	const counted = rows.filter(({ kind }) => kind === "shown" || kind === "edited").length;
	const earlier = Math.max(0, rows.length - limit);
	const model = messages.model;
	return (
		<>
			<p class="about">
				{counted} of {path.length} entries speak to the model
				{model && (
					<span class="badge">
						{model.provider}/{model.modelId}
					</span>
				)}
				{messages.thinkingLevel !== "off" && <span class="badge">thinking {messages.thinkingLevel}</span>}
			</p>
			{earlier > 0 && (
				<button type="button" class="more" onClick={() => setLimit(limit + page)}>
					{earlier} earlier
				</button>
			)}
			{rows
				.slice(earlier)
				.map((row) =>
					row.kind === "hidden" ? (
						<Hidden key="hidden" {...props} ids={row.ids} />
					) : (
						<Card key={row.id} {...props} row={row} />
					),
				)}
			{rows.length === 0 && <p class="empty">The model sees nothing here.</p>}
		</>
	);
}

function Hidden({ tree, ids, reveal }: Shared & { ids: readonly string[] }) {
	const [limit, setLimit] = useState(page);
	return (
		<details class="hidden-entries">
			<summary>{ids.length} entries are hidden by the compaction</summary>
			<ul>
				{ids.slice(-limit).map((id) => {
					const node = tree.nodes.get(id)!;
					return (
						<li key={id} data-kind={kindOf(node)}>
							<button type="button" onClick={() => reveal(id, "entry")}>
								<span class="dot" />
								<span>{node.preview || titleOf(node)}</span>
							</button>
						</li>
					);
				})}
			</ul>
			{ids.length > limit && (
				<button type="button" class="more" onClick={() => setLimit(limit + 5 * page)}>
					{ids.length - limit} earlier
				</button>
			)}
		</details>
	);
}

const notes = {
	shown: "",
	edited: "edited",
	removed: "taken out by an edit",
	silent: "",
} as const;

function Card(props: Shared & { row: Exclude<ContextRow, { kind: "hidden" }> }) {
	const { api, tree, row, reveal } = props;
	const node = tree.nodes.get(row.id);
	if (node === undefined) return null;
	if (row.kind === "silent") {
		return (
			<p class="silent" data-kind={kindOf(node)}>
				<button type="button" class="link" onClick={() => reveal(row.id, "entry")}>
					{titleOf(node)}
				</button>{" "}
				{node.preview}
			</p>
		);
	}
	return (
		<article class={`card ${row.kind}`} data-kind={kindOf(node)}>
			<header>
				<span class="dot" />
				<button type="button" class="link" onClick={() => reveal(row.id, "entry")}>
					{titleOf(node)}
				</button>
				{notes[row.kind] && <span class="badge edit">{notes[row.kind]}</span>}
			</header>
			{row.messages.map((message, at) => (
				<MessageBody key={at} api={api} message={message} />
			))}
			{row.editId !== undefined && <Original {...props} id={row.id} />}
		</article>
	);
}

/** What an edit hides: loaded once somebody wants to see it. */
function Original(props: Shared & { id: string }) {
	const [open, setOpen] = useState(false);
	return (
		<details class="original" onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>What was said</summary>
			{open && <Loaded {...props} />}
		</details>
	);
}

function Loaded({ api, id, entryOf }: Shared & { id: string }) {
	const answer = useData(id, () => entryOf(id));
	if (answer.kind !== "ready") return <p>{answer.kind === "failed" ? answer.problem.message : "…"}</p>;
	return <EntryBody api={api} entry={answer.value.entry} />;
}
