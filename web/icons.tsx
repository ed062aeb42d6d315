const paths = {
	leaf: "M4 20C3 10 9 4 21 3c0 12-6 18-14 16M4 21c2-6 6-10 11-12",
	key: "M15 9a4 4 0 1 1-8 0 4 4 0 0 1 8 0M14 12l7 7m-3-3 2-2",
	help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2m0 3v.5M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0",
	import: "M12 4v11m-4-4 4 4 4-4M5 20h14",
	back: "M15 5l-7 7 7 7",
	close: "M6 6l12 12M18 6L6 18",
	search: "M16 11a5 5 0 1 1-10 0 5 5 0 0 1 10 0m-1 4 5 5",
	fork: "M7 4v16M7 13c0-4 10-2 10-8m-3 2 3-3 3 3",
	copy: "M9 9h10v11H9zM5 15V4h10",
	label: "M4 4h8l8 8-8 8-8-8zM8 8h.5",
	compare: "M7 4v16M17 4v16M3 8h4m10 0h4M3 16h4m10 0h4",
	eye: "M2 12c4-8 16-8 20 0-4 8-16 8-20 0m13 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0",
	share:
		"M8 12l8-5M8 12l8 5M8 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M21 6a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0m0 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0",
	up: "M6 15l6-6 6 6",
	down: "M6 9l6 6 6-6",
	folds: "M7 4l5 5 5-5M7 20l5-5 5 5",
	flag: "M6 21V4h11l-2 4 2 4H6",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
			<path d={paths[name]} />
		</svg>
	);
}
