import { useMemo } from "preact/hooks";
import type { Session } from "../api/api.ts";
import { hashOf, type View } from "../route.ts";
import { fullTime } from "../times.ts";
import { kindOf } from "../tree/kinds.ts";
import type { Tree } from "../tree/tree.ts";

/** What there is to say of a session as long as nothing of it is chosen. */
export function Overview(props: {
	session: Session;
	tree: Tree;
	reveal: (id: string, view?: View) => void;
	missing: string | undefined;
}) {
	const { session, tree, reveal, missing } = props;
	const facts = useMemo(() => factsOf(tree), [tree]);
	return (
		<aside class="side overview" aria-label="The session">
			<h2>{session.name ?? "This session"}</h2>
			{missing !== undefined && (
				<p class="problem" role="alert">
					There is no entry {missing} here.
				</p>
			)}
			<dl class="facts">
				<Fact name="Entries" value={tree.nodes.size} />
				<Fact name="Users’ messages" value={facts.users} />
				<Fact name="Branches" value={facts.branches} />
				<Fact name="Version" value={tree.seq} />
			</dl>
			<dl class="lines">
				<dt>Id</dt>
				<dd>
					<code>{session.id}</code>
				</dd>
				<dt>Folder</dt>
				<dd>
					<code>{session.cwd}</code>
				</dd>
				<dt>Made</dt>
				<dd>{fullTime(session.timestamp)}</dd>
				{session.parentSession !== undefined && (
					<>
						<dt>From</dt>
						<dd>
							<a href={hashOf({ session: session.parentSession })}>{session.parentSession}</a>
						</dd>
					</>
				)}
			</dl>
			{facts.labelled.length > 0 && (
				<>
					<h3>Labels</h3>
					<ul class="labels">
						{facts.labelled.map(({ id, label, preview }) => (
							<li key={id}>
								<button type="button" onClick={() => reveal(id, "entry")}>
									<mark class="label">{label}</mark>
									<span>{preview}</span>
								</button>
							</li>
						))}
					</ul>
				</>
			)}
			<p class="hint">
				Choose an entry to read it. <kbd>?</kbd> shows the keys.
			</p>
		</aside>
	);
}

function Fact({ name, value }: { name: string; value: number }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{value.toLocaleString()}</dd>
		</div>
	);
}

function factsOf(tree: Tree) {
	let [users, branches] = [0, 0];
	const labelled: { id: string; label: string; preview: string }[] = [];
	for (const node of tree.nodes.values()) {
		if (kindOf(node) === "user") users++;
		if (node.children.length === 0) branches++;
		if (node.label !== undefined) labelled.push({ ...node, label: node.label });
	}
	return { users, branches, labelled };
}
