import type { ComponentChildren } from "preact";
import { Icon } from "../icons.tsx";

/** The head of a pane at the side, with the way back. */
export function SideHeader({
	title,
	close,
	children,
}: {
	title: string;
	close: string;
	children?: ComponentChildren;
}) {
	return (
		<header class="side-head">
			<h2>{title}</h2>
			{children}
			<a class="close" href={close} title="Close (Esc)">
				<Icon name="close" />
			</a>
		</header>
	);
}
