import { keys } from "../keys.ts";
import { Dialog } from "./dialog.tsx";

const names: ReadonlyMap<string, string> = new Map([
	["ArrowDown", "↓"],
	["ArrowUp", "↑"],
	["ArrowLeft", "←"],
	["ArrowRight", "→"],
	[" ", "Space"],
	["Escape", "Esc"],
]);

export function HelpDialog({ close }: { close: () => void }) {
	return (
		<Dialog title="Keys" close={close}>
			<dl class="keys">
				{keys.map(({ keys: those, command, does }) => (
					<div key={command}>
						<dt>
							{those.map((key) => (
								<kbd key={key}>{names.get(key) ?? key}</kbd>
							))}
						</dt>
						<dd>{does}</dd>
					</div>
				))}
			</dl>
		</Dialog>
	);
}
