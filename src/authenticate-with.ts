import { type Authenticate, notConfigured, openOnLoopback } from "./http/auth.ts";
import { bearers, type CredentialSettings } from "./http/credentials.ts";
import { systemClock } from "./platform.ts";

/**
 * Who is let in. Without credentials: in `development` whoever comes by a loopback name, and else nobody; the log says
 * so once.
 */
export function authenticateWith(
	credentials: CredentialSettings | undefined,
	development: boolean,
): Authenticate {
	if (credentials)
		return bearers(credentials, { fetch: (url, init) => fetch(url, init), now: systemClock.now });
	const open = development ? openOnLoopback("local") : notConfigured;
	let told = false;
	return async (request) => {
		const outcome = await open(request);
		if (outcome.kind === "refused" && !told) {
			told = true;
			console.error(
				"No credentials are configured (API_KEYS, JWT_…), so all of /v1 answers 501 not_configured",
			);
		}
		return outcome;
	};
}
