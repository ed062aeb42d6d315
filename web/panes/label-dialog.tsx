import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";

/** Asks for a label; none takes the label away. */
export function LabelDialog(props: { label: string; enter: (label: string) => void; close: () => void }) {
	const [label, setLabel] = useState(props.label);
	return (
		<Dialog title="Label" close={props.close}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (label.trim() !== props.label) props.enter(label.trim());
					props.close();
				}}
			>
				<label>
					Label
					<input
						name="label"
						maxLength={200}
						autoFocus
						value={label}
						onInput={(event) => setLabel(event.currentTarget.value)}
					/>
				</label>
				<p class="hint">An empty one takes the label away.</p>
				<button type="submit" class="main">
					Save
				</button>
			</form>
		</Dialog>
	);
}
