import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { Api, type Credentials } from "./api/api.ts";
import { storeCredentials, storedCredentials } from "./credentials.ts";
import { Icon } from "./icons.tsx";
import { CredentialsDialog } from "./panes/credentials-dialog.tsx";
import { HelpDialog } from "./panes/help-dialog.tsx";
import { SessionView } from "./panes/session-view.tsx";
import { SessionsPane } from "./panes/sessions-pane.tsx";
import { hashOf, type Route, routeOf } from "./route.ts";

type Open = "credentials" | "help";

/** The whole page: the sessions at the left, and the one that the address names. */
export function App() {
	const route = useRoute();
	const [credentials, setCredentials] = useState<Credentials>(() => storedCredentials(sessionStorage));
	const [open, setOpen] = useState<Open>();
	const api = useMemo(
		() =>
			new Api(
				(...given) => fetch(...given),
				() => credentials,
			),
		[credentials],
	);
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
					key={`${route.session}\n${credentials.token}\n${credentials.namespace}`}
					api={api}
					route={route as Route & { session: string }}
					go={go}
					help={() => setOpen("help")}
					changed={() => setRefreshes((count) => count + 1)}
					quiet={open !== undefined}
				/>
			)}
			{open === "credentials" && <CredentialsDialog credentials={credentials} enter={enter} close={close} />}
			{open === "help" && <HelpDialog close={close} />}
		</div>
	);
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
