import { mediaParams, mediaQuery } from "../../../schemas/media.ts";
import { readMedia } from "../../operations/read-media.ts";
import { endpoint } from "../endpoint.ts";

/** Pictures that can't hold a script: SVG can. */
const shown = /^image\/(png|jpeg|gif|webp|avif|bmp|heic|heif|tiff)$/;

export const mediaEndpoints = [
	endpoint(
		{
			operationId: "getMedia",
			method: "get",
			path: "/v1/sessions/{id}/entries/{entryId}/media/{k}",
			summary: "A picture of an entry, or another base64 block, as bytes",
			description:
				"Reads with `media=link` tell its address. Where the service has a secret to sign links with, the address works without credentials for an hour, up to 65 minutes, also when the share that it was read by ends before. What is no picture is for downloading.",
			tag: "Entries",
			scope: "sessions:read",
			shared: "read",
			params: mediaParams,
			query: mediaQuery,
			answers: {
				200: { description: "The bytes, of the type that the entry names", type: "*/*" },
			},
			refusals: ["not_found", "gone"],
			conditional: "own tag",
		},
		async (call, { params, held }) => {
			const media = await readMedia(call, params.id, params.entryId, params.k);
			if (media.kind === "refused") return media;
			// Entries never change, so neither does the tag.
			const etag = `"media-${media.name}"`;
			if (held.includes(etag) || held.includes("*")) return { kind: "unchanged", etag };
			const type = contentType(media.mimeType);
			return {
				kind: "answer",
				body: { kind: "bytes", type, bytes: media.bytes },
				etag,
				headers: {
					"Cache-Control": "private, max-age=31536000, immutable",
					"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
					...(!shown.test(type) && { "Content-Disposition": "attachment" }),
				},
			};
		},
	),
];

/** The type that an entry names, where it is one and no more. */
function contentType(mimeType: string): string {
	const type = mimeType.trim().toLowerCase();
	return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type)
		? type
		: "application/octet-stream";
}
