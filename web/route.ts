/** What is on screen, as the address says it after its `#`: so links can be kept, and the way back works. */
export interface Route {
	readonly session?: string;
	/** `entry` shows one, `context` what the model sees at it, `compare` its branch beside another's. */
	readonly view?: View;
	readonly entry?: string;
	/** The other side of a comparison. */
	readonly with?: string;
}

/** A share's token behind an address: `#/{session}?share={token}`. Browsers send nothing after `#` to anybody. */
export function shareOf(hash: string): { readonly session: string; readonly token: string } | undefined {
	const [place = "", query = ""] = hash.split("?");
	const { session } = routeOf(place);
	const token = new URLSearchParams(query).get("share");
	return session !== undefined && token ? { session, token } : undefined;
}

export function shareHash({ session, token }: { session: string; token: string }): string {
	return `${hashOf({ session })}?${new URLSearchParams({ share: token })}`;
}

export const views = ["entry", "context", "compare"] as const;

export type View = (typeof views)[number];

/** `#/{session}/{view}/{entry}/{with}`; `-` stands for an entry that isn't named. */
export function hashOf({ session, view, entry, with: other }: Route): string {
	if (session === undefined) return "#/";
	const parts: (string | undefined)[] = [session];
	if (view !== undefined) parts.push(view, entry ?? "-", other);
	return `#/${parts.flatMap((part) => (part === undefined ? [] : [encodeURIComponent(part)])).join("/")}`;
}

/** The route of an address; one that makes no sense leads as far as it makes any. */
export function routeOf(hash: string): Route {
	const [session, view, entry, other] = hash
		.replace(/^#?\/?/, "")
		.split("/")
		.map(decoded);
	if (!session) return {};
	const known = views.find((name) => name === view);
	if (known === undefined) return { session };
	return {
		session,
		view: known,
		...(entry && entry !== "-" && { entry }),
		...(other && { with: other }),
	};
}

function decoded(part: string): string | undefined {
	try {
		return decodeURIComponent(part);
	} catch {
		return undefined;
	}
}
