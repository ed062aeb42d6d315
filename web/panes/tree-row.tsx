import { marked } from "../text/marked.ts";
import { shortened } from "../text/shortened.ts";
import { ago } from "../times.ts";
import { kindOf, titleOf } from "../tree/kinds.ts";
import type { Row } from "../tree/layout.ts";
import type { TreeNode } from "../tree/tree.ts";

/** CSS pixels. */
export const rowHeight = 34;

const laneWidth = 18;
/** Lanes that are drawn; deeper branches share the last one, with their depth in figures. */
const lanes = 10;
const middle = rowHeight / 2;

interface Props {
	readonly row: Row;
	readonly node: TreeNode;
	readonly top: number;
	readonly selected: boolean;
	readonly leaf: boolean;
	readonly marked: boolean;
	readonly words: readonly string[];
	readonly select: (id: string) => void;
	readonly fold: (id: string) => void;
}

/** One entry in the picture: its lines, its dot, and a line of what it says. */
export function TreeRow(props: Props) {
	const { row, node, top, selected, leaf } = props;
	const kind = kindOf(node);
	const says = shortened(node) || (kind === "assistant" && row.children > 0 ? "calls tools" : titleOf(node));
	const classes = [
		"row",
		selected && "selected",
		row.live && "live",
		leaf && "is-leaf",
		props.marked && "marked",
	];
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: keys are for the whole page, and know what is selected
		<div
			id={rowId(row.id)}
			tabIndex={-1}
			class={classes.filter(Boolean).join(" ")}
			style={{ top: `${top}px` }}
			data-kind={kind}
			data-id={row.id}
			role="treeitem"
			aria-level={row.lane + 1}
			aria-selected={selected}
			aria-expanded={row.children > 0 ? row.folded === 0 : undefined}
			onClick={(event) => {
				const onNode = event.target instanceof Element && event.target.matches(".hit");
				if (onNode) props.fold(row.id);
				else props.select(row.id);
			}}
			title={`${titleOf(node)} ${node.id}`}
		>
			<Lines row={row} />
			<span class={node.preview ? "says" : "says faint"} dir="auto">
				{marked(says, props.words).map(({ text, found }, at) =>
					found ? <mark key={at}>{text}</mark> : text,
				)}
			</span>
			{row.folded > 0 && (
				<button
					type="button"
					class="folded"
					title="Unfold"
					onClick={(event) => {
						event.stopPropagation();
						props.fold(row.id);
					}}
				>
					+{row.folded.toLocaleString()}
				</button>
			)}
			{node.label !== undefined && (
				<mark class="label" dir="auto">
					{node.label}
				</mark>
			)}
			{leaf && <span class="badge leaf">leaf</span>}
			{props.marked && <span class="badge">mark</span>}
			<time>{ago(node.timestamp, Date.now())}</time>
		</div>
	);
}

/** The id of a row's element. */
export function rowId(entryId: string): string {
	return `entry-${entryId}`;
}

function Lines({ row }: { row: Row }) {
	const lane = Math.min(row.lane, lanes);
	const x = (of: number) => of * laneWidth + 13;
	const width = x(lane) + 11;
	const passing = Array.from({ length: lane }, (_, at) => at);
	const own = row.live ? "line live" : "line";
	return (
		<svg class="lines" width={width} height={rowHeight} aria-hidden="true">
			{row.joins && (
				<path
					class="line"
					d={`M${x(lane - 1)} 0C${x(lane - 1)} ${middle} ${x(lane - 1)} ${middle} ${x(lane)} ${middle}`}
				/>
			)}
			{passing.map((at) => (
				<path
					key={at}
					class={at === 0 && row.passesLive ? "line live" : "line"}
					d={`M${x(at)} 0V${rowHeight}`}
				/>
			))}
			{row.up && <path class={own} d={`M${x(lane)} 0V${middle}`} />}
			{row.down && (
				<path class={row.downLive ? "line live" : "line"} d={`M${x(lane)} ${middle}V${rowHeight}`} />
			)}
			{row.children > 0 && row.folded > 0 && <circle class="halo" cx={x(lane)} cy={middle} r="8.5" />}
			<circle class="node" cx={x(lane)} cy={middle} r="5" />
			{row.children > 0 && (
				// Larger than what is seen: fingers are.
				<rect class="hit" x={x(lane) - 13} y="0" width="26" height={rowHeight}>
					<title>{row.folded > 0 ? "Unfold" : "Fold what is below"}</title>
				</rect>
			)}
			{row.lane > lanes && (
				<text class="depth" x={x(lane) + 8} y={middle + 3}>
					{row.lane}
				</text>
			)}
		</svg>
	);
}
