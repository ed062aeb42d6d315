import type { HonoJsonWebKey } from "hono/utils/jwt/jws";

/** Milliseconds that keys are used for before they are asked for again. */
const fresh = 10 * 60_000;
/** The same while their server doesn't answer. */
const usable = 60 * 60_000;
/** Between two questions, whatever tokens come. */
const pause = 30_000;
/** That the server may take. */
const patience = 5000;

/** The keys that tokens are signed with cannot be had now. */
export class KeysUnavailable extends Error {
	override readonly name = "KeysUnavailable";
}

/** The public keys at an address, asked for when a token needs them and kept for some minutes. One an instance. */
export class RemoteKeys {
	readonly #url: string;
	readonly #fetch: typeof fetch;
	readonly #now: () => number;
	#held: { readonly keys: readonly HonoJsonWebKey[]; readonly at: number } | undefined;
	#asked = Number.NEGATIVE_INFINITY;

	constructor(url: string, parts: { readonly fetch: typeof fetch; readonly now: () => number }) {
		this.#url = url;
		this.#fetch = parts.fetch;
		this.#now = parts.now;
	}

	/** The keys; with a `kid` that isn't among them they are asked for again. @throws KeysUnavailable */
	async keys(kid: string): Promise<readonly HonoJsonWebKey[]> {
		const age = this.#held === undefined ? Number.POSITIVE_INFINITY : this.#now() - this.#held.at;
		const known = this.#held?.keys.some((key) => key.kid === kid) ?? false;
		if (!known || age >= fresh) await this.#ask(age >= usable);
		if (this.#held === undefined || this.#now() - this.#held.at >= usable) throw new KeysUnavailable();
		return this.#held.keys;
	}

	async #ask(needed: boolean): Promise<void> {
		if (!needed && this.#now() - this.#asked < pause) return;
		this.#asked = this.#now();
		try {
			const response = await this.#fetch(this.#url, {
				headers: { Accept: "application/json" },
				signal: AbortSignal.timeout(patience),
			});
			const body: unknown = response.ok ? await response.json() : undefined;
			const keys = keysOf(body);
			if (keys !== undefined) this.#held = { keys, at: this.#now() };
		} catch {
			// What was known before is used for a while; without any the caller is told.
		}
	}
}

/** The keys of a JWK set (RFC 7517); undefined where it is none. */
export function keysOf(body: unknown): readonly HonoJsonWebKey[] | undefined {
	if (typeof body !== "object" || body === null || !("keys" in body) || !Array.isArray(body.keys))
		return undefined;
	return body.keys.filter((key) => typeof key === "object" && key !== null);
}
