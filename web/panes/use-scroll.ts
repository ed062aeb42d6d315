import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Layout } from "../tree/layout.ts";
import { scrolledTo } from "../tree/visible-range.ts";
import { rowHeight } from "./tree-row.tsx";

interface Given {
	readonly scroller: RefObject<HTMLDivElement | null>;
	readonly picture: Layout;
	readonly selected: string | undefined;
	readonly chosen: boolean;
	/** Grows whenever something is selected, be it what was. */
	readonly selections: number;
}

/** What was on screen when it was last looked at. */
interface Sight {
	readonly picture: Layout;
	readonly selected: string | undefined;
	readonly selections: number;
	/** The row that keeps its place, and how far below the upper edge it stands. */
	readonly anchor: string | undefined;
	readonly below: number;
	readonly leafSeen: boolean;
}

/**
 * Which part of the rows is on screen, in CSS pixels. What one looks at keeps its place when rows come or go above it;
 * a selection is brought on screen; and who sees the leaf, and chose nothing else, goes on seeing it.
 */
export function useScroll(given: Given): {
	top: number;
	height: number;
	leafSeen: boolean;
	look: () => void;
} {
	const { scroller, picture, selected, chosen, selections } = given;
	const [view, setView] = useState({ top: 0, height: 800, leafSeen: true });
	const sight = useRef<Sight>(undefined);
	const newest = useRef(given);
	newest.current = given;
	const look = () => {
		const element = scroller.current;
		if (!element) return;
		sight.current = sightOf(element, newest.current);
		const { scrollTop: top, clientHeight: height } = element;
		setView({ top, height, leafSeen: sight.current.leafSeen });
	};
	useEffect(() => {
		const observer = new ResizeObserver(look);
		observer.observe(scroller.current!);
		return () => observer.disconnect();
	}, []);
	useLayoutEffect(() => {
		const element = scroller.current;
		if (!element) return;
		const before = sight.current;
		const anchor = before?.anchor === undefined ? undefined : picture.rowOf.get(before.anchor);
		if (before && anchor !== undefined && picture !== before.picture)
			element.scrollTop = anchor * rowHeight - before.below;
		const asked = selections !== before?.selections || (chosen && selected !== before.selected);
		const follows = !chosen && before?.leafSeen;
		const wanted = asked || follows || anchor === undefined ? selected : undefined;
		const at = wanted === undefined ? undefined : picture.rowOf.get(wanted);
		if (at !== undefined) {
			const { scrollTop: top, clientHeight: height } = element;
			const to = scrolledTo(at, { top, height, rowHeight });
			if (to !== top) element.scrollTop = to;
		}
		look();
	}, [picture, selected, chosen, selections]);
	return { ...view, look };
}

function sightOf(element: HTMLElement, { picture, selected, selections }: Given): Sight {
	const { scrollTop: top, clientHeight: height } = element;
	const onScreen = (id: string | null | undefined) => {
		const at = picture.rowOf.get(id ?? "");
		return at !== undefined && at * rowHeight >= top - rowHeight && at * rowHeight < top + height;
	};
	const anchor = onScreen(selected) ? selected : picture.rows[Math.ceil(top / rowHeight)]?.id;
	const at = picture.rowOf.get(anchor ?? "") ?? 0;
	return {
		picture,
		selected,
		selections,
		anchor,
		below: at * rowHeight - top,
		leafSeen: onScreen(picture.leaf),
	};
}
