import { Leaflog } from "../client/src/index.ts";
import { UsageError } from "./failures.ts";
import type { Terminal } from "./terminal.ts";

/** What every command can be told. */
export interface Settings {
	readonly url?: string;
	readonly token?: string;
	readonly namespace?: string;
	readonly json?: boolean;
}

export function urlOf(settings: Settings, env: Terminal["env"]): string {
	return settings.url ?? (env.LEAFLOG_URL || "http://localhost:8787");
}

/** Milliseconds to wait for an answer to begin. */
const timeout = 120_000;

/**
 * A client of the service that is meant, and a name for service and namespace.
 * @throws UsageError
 */
export function connect(
	settings: Settings,
	env: Terminal["env"],
): { readonly leaflog: Leaflog; readonly service: string } {
	const url = urlOf(settings, env);
	const token = (settings.token ?? env.LEAFLOG_TOKEN ?? "").trim();
	const namespace = settings.namespace ?? env.LEAFLOG_NAMESPACE ?? "";
	const { protocol, username, password } = parsed(url);
	if (!/^https?:$/.test(protocol) || username !== "" || password !== "") {
		throw new UsageError("--url or LEAFLOG_URL: expected http:// or https://, without a user's name");
	}
	if (!/^[\x21-\x7e]*$/.test(token)) {
		throw new UsageError("--token or LEAFLOG_TOKEN: no token has such characters");
	}
	const leaflog = new Leaflog({
		baseUrl: url,
		timeout,
		...(token && { token }),
		...(namespace && { namespace }),
	});
	return { leaflog, service: `${url.replace(/\/+$/, "")} ${namespace}`.trim() };
}

function parsed(url: string): URL {
	try {
		return new URL(url);
	} catch {
		throw new UsageError("--url or LEAFLOG_URL: expected an address, as https://sessions.example.com");
	}
}
