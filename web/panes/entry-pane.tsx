import { useMemo } from "preact/hooks";
import { Icon, type IconName } from "../icons.tsx";
import { hashOf } from "../route.ts";
import { EntryBody } from "../text/entry-body.tsx";
import { Json } from "../text/message.tsx";
import { fullTime } from "../times.ts";
import { kindOf, titleOf } from "../tree/kinds.ts";
import { siblingsOf } from "../tree/tree.ts";
import { useData } from "../use-data.ts";
import type { Shared } from "./session-view.tsx";
import { SideHeader } from "./side-header.tsx";
import type { Actions } from "./use-actions.ts";

interface Props extends Shared {
	readonly id: string;
	/** It is on the path to the leaf. */
	readonly live: boolean;
	readonly actions: Actions;
	readonly label: (id: string) => void;
	readonly compare: (id: string) => void;
	readonly mark: string | undefined;
	readonly setMark: (id: string | undefined) => void;
}

/** One entry, whole, and what can be done from it. */
export function EntryPane(props: Props) {
	const { api, session, tree, id, live, actions, mark } = props;
	const node = tree.nodes.get(id)!;
	const answer = useData(id, () => props.entryOf(id));
	return (
		<aside class="side entry" aria-label="Entry">
			<SideHeader title={titleOf(node)} close={props.close}>
				<Siblings {...props} />
			</SideHeader>
			<div class="scroll" tabIndex={-1} data-kind={kindOf(node)}>
				<p class="about">
					<span class="dot" />
					<time dateTime={node.timestamp}>{fullTime(node.timestamp)}</time>
					<button type="button" class="link" title="Copy the id" onClick={() => actions.copyText(id, "Id")}>
						{id}
					</button>
					{node.label !== undefined && <mark class="label">{node.label}</mark>}
					{tree.leafId === id && <span class="badge leaf">leaf</span>}
					{tree.leafId !== id && live && <span class="badge">on the live path</span>}
				</p>
				<div class="actions">
					{!actions.readOnly && <Changes {...props} />}
					<Action icon="copy" name="Copy" run={() => actions.copy(id)} />
					<a class="button" href={hashOf({ session, view: "context", entry: id })}>
						<Icon name="eye" />
						Context here
					</a>
					<Action
						icon="compare"
						name={mark !== undefined && mark !== id ? "Compare with mark" : "Compare with leaf"}
						run={() => props.compare(id)}
						off={(mark === undefined || mark === id) && tree.leafId === id}
					/>
					<Action
						icon="compare"
						name={mark === id ? "Unmark" : "Mark"}
						run={() => props.setMark(mark === id ? undefined : id)}
					/>
				</div>
				{answer.kind === "ready" ? (
					<article>
						<EntryBody api={api} entry={answer.value.entry} reveal={props.reveal} />
						<details class="raw">
							<summary>JSON</summary>
							<Json value={answer.value.entry} />
						</details>
					</article>
				) : (
					<p class="empty" role={answer.kind === "failed" ? "alert" : "status"}>
						{answer.kind === "failed" ? answer.problem.message : node.preview || "…"}
					</p>
				)}
			</div>
		</aside>
	);
}

/** What needs that the session is one's own. */
function Changes({ tree, id, actions, label }: Props) {
	return (
		<>
			<Action icon="flag" name="Set leaf" run={() => actions.setLeaf(id)} off={tree.leafId === id} />
			{tree.nodes.get(id)?.role === "user" ? (
				<>
					<Action icon="fork" name="Fork before" run={() => actions.fork(id, "before")} />
					<Action icon="fork" name="Fork here" run={() => actions.fork(id, "at")} />
				</>
			) : (
				<Action icon="fork" name="Fork" run={() => actions.fork(id, "at")} />
			)}
			<Action icon="label" name="Label" run={() => label(id)} />
		</>
	);
}

function Action({ icon, name, run, off }: { icon: IconName; name: string; run: () => void; off?: boolean }) {
	return (
		<button type="button" onClick={run} disabled={off}>
			<Icon name={icon} />
			{name}
		</button>
	);
}

/** Branch arrows: the entries that were said instead of this one. */
function Siblings({ tree, id, reveal }: Props) {
	const family = useMemo(() => siblingsOf(tree, id), [tree, id]);
	if (family.length < 2) return null;
	const at = family.indexOf(id);
	return (
		<span class="siblings">
			<button
				type="button"
				class="quiet"
				title="Sibling before ([)"
				disabled={at <= 0}
				onClick={() => reveal(family[at - 1]!)}
			>
				‹
			</button>
			{at + 1} / {family.length}
			<button
				type="button"
				class="quiet"
				title="Next sibling (])"
				disabled={at === family.length - 1}
				onClick={() => reveal(family[at + 1]!)}
			>
				›
			</button>
		</span>
	);
}
