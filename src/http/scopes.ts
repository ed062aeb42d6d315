export const scopes = ["sessions:read", "sessions:write", "sessions:delete"] as const;

/** What a caller may do. */
export type Scope = (typeof scopes)[number];

/** The scopes of a `scope` claim: names with spaces between them. Those of other services are left out. */
export function scopesOf(claim: unknown): ReadonlySet<Scope> {
	const names = typeof claim === "string" ? claim.split(" ") : [];
	return new Set(scopes.filter((scope) => names.includes(scope)));
}
