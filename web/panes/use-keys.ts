import { useLayoutEffect } from "preact/hooks";
import { type Command, commandOf } from "../keys.ts";

/** Keys that scroll whatever has the focus. */
const scrollKeys: ReadonlySet<string> = new Set([
	"ArrowUp",
	"ArrowDown",
	"PageUp",
	"PageDown",
	"Home",
	"End",
	" ",
]);

/**
 * Tells `run` what each key asks for, unless the page is `quiet` or the key is for what has the focus: a field, a
 * button, a pane at the side that scrolls. `atSide`: the focus is in such a pane.
 */
export function useKeys(quiet: boolean, run: (command: Command, atSide: boolean) => void): void {
	// Before the next key comes: it is to find what this one changed.
	useLayoutEffect(() => {
		const pressed = (event: KeyboardEvent) => {
			const { key, target } = event;
			if (quiet || isIn(target, "input, textarea, select")) return;
			const command = commandOf(event);
			if (command === undefined) return;
			if ((key === "Enter" || key === " ") && isIn(target, "button, a, summary")) return;
			const atSide = isIn(target, ".side");
			if (atSide && scrollKeys.has(key)) return;
			event.preventDefault();
			run(command, atSide);
		};
		addEventListener("keydown", pressed);
		return () => removeEventListener("keydown", pressed);
	});
}

function isIn(target: EventTarget | null, selector: string): boolean {
	return target instanceof Element && target.closest(selector) !== null;
}
