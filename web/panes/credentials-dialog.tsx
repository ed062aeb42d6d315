import { useState } from "preact/hooks";
import type { Credentials } from "../api/api.ts";
import { Dialog } from "./dialog.tsx";

/** Asks for what says who is looking. It stays in this tab. */
export function CredentialsDialog(props: {
	credentials: Credentials;
	/** Why it is asked for. */
	refusal: string | undefined;
	enter: (credentials: Credentials) => void;
	close: () => void;
}) {
	const [token, setToken] = useState(props.credentials.token);
	const [namespace, setNamespace] = useState(props.credentials.namespace);
	const entered = (event: Event) => {
		event.preventDefault();
		props.enter({ token: token.trim(), namespace: namespace.trim() });
	};
	return (
		<Dialog title="Credentials" close={props.close}>
			<form onSubmit={entered}>
				{props.refusal !== undefined && (
					<p class="problem" role="alert">
						{props.refusal}
					</p>
				)}
				<label>
					Token
					<input
						type="password"
						name="token"
						autoFocus
						autocomplete="off"
						placeholder="API key or JWT"
						value={token}
						onInput={(event) => setToken(event.currentTarget.value)}
					/>
				</label>
				<label>
					Namespace
					<input
						name="namespace"
						autocomplete="off"
						placeholder="only for keys that act for any"
						value={namespace}
						onInput={(event) => setNamespace(event.currentTarget.value)}
					/>
				</label>
				<p class="hint">Kept in this tab, and gone with it.</p>
				<button type="submit" class="main">
					Use
				</button>
			</form>
		</Dialog>
	);
}
