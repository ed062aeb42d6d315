import { createHash } from "node:crypto";
import { mediaBlocks } from "../session/media.ts";
import { entryOf } from "../session/record.ts";
import type { Call } from "./call.ts";
import { entryLine } from "./entry-lines.ts";
import { openSession } from "./open-session.ts";
import { type Refusal, refuse } from "./refusal.ts";

export type Media =
	| Refusal
	| {
			readonly kind: "media";
			/** As the entry names it: any string. */
			readonly mimeType: string;
			readonly bytes: Uint8Array<ArrayBuffer>;
			/** Names these bytes among all of the session. */
			readonly name: string;
	  };

/** Nothing of the entry's place in the log: a link to it may have been made for whoever sees but one path. */
function nameOf(entryId: string, k: number): string {
	return createHash("sha256")
		.update(JSON.stringify([entryId, k]))
		.digest("base64url")
		.slice(0, 22);
}

/** The k-th base64 block (from 0) of an entry. */
export async function readMedia(call: Call, id: string, entryId: string, k: number): Promise<Media> {
	const opened = await openSession(call, id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const seq = view.seqOf(entryId);
	if (seq === undefined) return refuse("not_found", "No entry of this session has this id");
	const block = mediaBlocks(entryOf(await entryLine(view, seq)))[k];
	if (block === undefined) return refuse("not_found", "The entry has no base64 block with this number");
	const bytes = new Uint8Array(Buffer.from(block.data, "base64"));
	return { kind: "media", mimeType: block.mimeType, bytes, name: nameOf(entryId, k) };
}
