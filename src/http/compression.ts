import { compress } from "hono/compress";

/** Compresses what is worth it, where the client accepts it. Streams of events are left alone. */
export function compression() {
	return compress({
		contentTypeFilter: /^(application\/(json|problem\+json|x-ndjson)|text\/(html|css|javascript))\b/,
	});
}
