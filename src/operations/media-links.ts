import { createHmac, timingSafeEqual } from "node:crypto";
import { type Namespace, namespacePrefix } from "../log/log.ts";
import { type Call, logOf, type SharedPart } from "./call.ts";
import type { MediaHref } from "./link-media.ts";

/** What a link leads to. */
export interface LinkedMedia {
	readonly session: string;
	readonly entryId: string;
	readonly k: number;
}

/** What a signed link brings in its query. */
export interface LinkSignature {
	/** Epoch seconds. */
	readonly expires: number;
	/** The owner's hash, as keys in the bucket have it, sealed: a name that is guessed can't be tried on it. */
	readonly owner: string;
	readonly signature: string;
}

/** Seconds for which a link works at least; at most five minutes more, so that links stay the same for a while. */
const lifetime = 3600;
const step = 300;

/** Signs links to media, so that an `<img>`, which sends no header, can load them. */
export class MediaLinks {
	readonly #secret: string;

	constructor(secret: string) {
		this.#secret = secret;
	}

	/** The query of a link that works for the next hour. `now` in epoch ms. */
	sign(namespace: Namespace, media: LinkedMedia, now: number): string {
		const owner = namespacePrefix(namespace).slice(0, -1);
		const expires = Math.ceil(now / 1000 / step) * step + lifetime;
		const signature = this.#signatureOf(owner, media, expires);
		const sealed = this.#sealed(owner, signature);
		return `expires=${expires}&owner=${sealed}&signature=${signature.toString("base64url")}`;
	}

	/** The session that a link lets see, or undefined where it isn't ours, or not any more. */
	verify(media: LinkedMedia, given: LinkSignature, now: number): SharedPart | undefined {
		const signature = Buffer.from(given.signature, "base64url");
		const owner = this.#sealed(given.owner, signature);
		const expected = this.#signatureOf(owner, media, given.expires);
		if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
		if (given.expires * 1000 <= now) return undefined;
		return { namespace: { hash: owner }, session: media.session };
	}

	/** Seals an owner's hash, and opens it again. The pad follows from the signature: each owner has another one. */
	#sealed(owner: string, signature: Buffer): string {
		const pad = createHmac("sha256", this.#secret).update("leaflog owner").update(signature).digest();
		const bytes = new Uint8Array(Buffer.from(owner, "hex"));
		return Buffer.from(bytes.map((byte, at) => byte ^ (pad[at] ?? 0))).toString("hex");
	}

	#signatureOf(owner: string, { session, entryId, k }: LinkedMedia, expires: number): Buffer {
		const text = JSON.stringify(["leaflog media", owner, session, entryId, k, expires]);
		return createHmac("sha256", this.#secret).update(text).digest();
	}
}

/** How answers about a session link to its media: signed where a secret is configured. */
export function mediaHrefOf(call: Call, session: string): MediaHref {
	const namespace = call.shared?.namespace ?? logOf(call, session).namespace;
	return (entryId, k) => {
		const path = `/v1/sessions/${session}/entries/${encodeURIComponent(entryId)}/media/${k}`;
		const query = call.mediaLinks?.sign(namespace, { session, entryId, k }, call.clock.now());
		return query === undefined ? path : `${path}?${query}`;
	};
}
