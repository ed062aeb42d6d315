import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { Api, type ApiProblem, type Credentials, type Share } from "./api/api.ts";
import { storeCredentials, storedCredentials, storedShare, storeShare } from "./credentials.ts";
import { Icon } from "./icons.tsx";
import { CredentialsDialog } from "./panes/credentials-dialog.tsx";
import { HelpDialog } from "./panes/help-dialog.tsx";
import { SessionView } from "./panes/session-view.tsx";
import { SessionsPane } from "./panes/sessions-pane.tsx";
import { hashOf, type Route, routeOf, shareOf } from "./route.ts";

type Open = "credentials" | "help";

/** The whole page: the sessions at the left, and the one that the address names. */
export function App() {
	// First of all: it changes the address.
	const share = useShare();
	const route = useRoute();
	const [credentials, setCredentials] = useState<Credentials>(() => storedCredentials(sessionStorage));
	const [open, setOpen] = useState<Open>();
	const [refusal, setRefusal] = useState<string>();
	const api = useMemo(() => {
		// Asked once by itself: who closes the dialog opens it again by its button.
		let asked = false;
		const unauthorized = (problem: ApiProblem) => {
			setRefusal(refusalOf(credentials, problem));
			if (!asked && share === undefined) setOpen("credentials");
			asked = true;
		};
		return new Api((...given) => fetch(...given), credentials, { share, unauthorized });
	}, [credentials, share]);
	const [refreshes, setRefreshes] = useState(0);
	const go = useCallback((to: Route, replace = false) => {
		if (replace) {
			history.replaceState(null, "", hashOf(to));
			dispatchEvent(new HashChangeEvent("hashchange"));
		} else location.hash = hashOf(to);
	}, []);
	const close = () => setOpen(undefined);
	const enter = (entered: Credentials) => {
		storeCredentials(sessionStorage, entered);
		setCredentials(entered);
		setRefusal(undefined);
		close();
	};
	const tools = (
		<div class="tools">
			<button type="button" class="quiet" title="Credentials" onClick={() => setOpen("credentials")}>
				<Icon name="key" />
			</button>
			<button type="button" class="quiet" title="Keys (?)" onClick={() => setOpen("help")}>
				<Icon name="help" />
			</button>
		</div>
	);
	const shown = route.session === undefined ? "sessions" : route.view === undefined ? "tree" : "detail";
	return (
		<div class="app" data-shown={shown} data-view={route.view ?? ""}>
			<SessionsPane
				api={api}
				current={route.session}
				refreshes={refreshes}
				shared={share !== undefined && credentials.token === ""}
				go={go}
				tools={tools}
				askCredentials={() => setOpen("credentials")}
			/>
			{route.session === undefined ? (
				<main class="welcome">
					<Icon name="leaf" />
					<p>Choose a session, or drop a session file here.</p>
				</main>
			) : (
				<SessionView
					key={[route.session, credentials.token, credentials.namespace, share?.token].join("\n")}
					api={api}
					route={route as Route & { session: string }}
					go={go}
					help={() => setOpen("help")}
					askCredentials={() => setOpen("credentials")}
					changed={() => setRefreshes((count) => count + 1)}
					quiet={open !== undefined}
				/>
			)}
			{open === "credentials" && (
				<CredentialsDialog credentials={credentials} refusal={refusal} enter={enter} close={close} />
			)}
			{open === "help" && <HelpDialog close={close} />}
		</div>
	);
}

function refusalOf({ token }: Credentials, { message }: ApiProblem): string {
	return token === "" ? "This service asks who you are." : `The token was refused: ${message}`;
}

/** The share that the address brings, which is then taken out of it: it stays in this tab, not in its history. */
function useShare(): Share | undefined {
	const [share, setShare] = useState(() => taken() ?? storedShare(sessionStorage));
	useEffect(() => {
		const changed = () => setShare((now) => taken() ?? now);
		addEventListener("hashchange", changed);
		return () => removeEventListener("hashchange", changed);
	}, []);
	return share;

	function taken(): Share | undefined {
		const found = shareOf(location.hash);
		if (found === undefined) return undefined;
		storeShare(sessionStorage, found);
		history.replaceState(null, "", hashOf({ session: found.session }));
		return found;
	}
}

function useRoute(): Route {
	const [hash, setHash] = useState(location.hash);
	useEffect(() => {
		const changed = () => setHash(location.hash);
		addEventListener("hashchange", changed);
		return () => removeEventListener("hashchange", changed);
	}, []);
	return useMemo(() => routeOf(hash), [hash]);
}
