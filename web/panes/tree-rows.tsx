import { useEffect, useState } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { visibleRange } from "../tree/visible-range.ts";
import { toggled } from "./run-command.ts";
import type { TreePaneProps } from "./tree-pane.tsx";
import { rowHeight, rowId, TreeRow } from "./tree-row.tsx";
import { useScroll } from "./use-scroll.ts";

/** The rows on screen, and room for all others. */
export function TreeRows(props: TreePaneProps) {
	const { picture, tree, selected, scroller } = props;
	const { rows, leaf } = picture;
	const { top, height, leafSeen, look } = useScroll(props);
	const [seen, setSeen] = useState(tree.seq);
	useEffect(() => {
		if (leafSeen) setSeen(tree.seq);
	}, [leafSeen, tree.seq]);
	const { start, end } = visibleRange({ top, height, rowHeight, count: rows.length, around: 10 });
	return (
		<div class="rows-place">
			<div
				class="rows"
				ref={scroller}
				onScroll={look}
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
							leaf={row.id === leaf}
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
			{!leafSeen && tree.seq > seen && leaf !== null && picture.rowOf.has(leaf) && (
				<button type="button" class="news" onClick={props.toLeaf}>
					<Icon name="down" />
					{(tree.seq - seen).toLocaleString()} new
				</button>
			)}
		</div>
	);
}
