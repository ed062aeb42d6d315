import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../icons.tsx";

/** A dialog over the page; Escape and a click beside it close it. */
export function Dialog(props: { title: string; close: () => void; children: ComponentChildren }) {
	const element = useRef<HTMLDialogElement>(null);
	useEffect(() => element.current?.showModal(), []);
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key of dialogs anyway
		<dialog
			ref={element}
			aria-label={props.title}
			onClose={props.close}
			onClick={(event) => event.target === element.current && element.current?.close()}
		>
			<header>
				<h2>{props.title}</h2>
				<button type="button" class="quiet" title="Close" onClick={() => element.current?.close()}>
					<Icon name="close" />
				</button>
			</header>
			{props.children}
		</dialog>
	);
}
