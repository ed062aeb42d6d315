import type { Session } from "../../schemas/session.ts";
import type { JsonObject, LogView } from "../log/log.ts";
import { isRecord, type SessionHeader } from "../session/entry.ts";
import { firstMessage, sessionCard } from "../session/listing.ts";
import { entryOf } from "../session/record.ts";
import type { SessionIndex } from "../session/session-index.ts";
import { headAt } from "./earlier-request.ts";

/** What a session is described from: its index, its first line's fields, and the body of its first message. */
export type Describable = SessionIndex & Pick<LogView, "genesis" | "bodies">;

/** What the first line of a session's log is known by without its body. */
export function genesisMeta(header: SessionHeader): JsonObject {
	const { id, timestamp, cwd, parentSession, metadata } = header;
	return {
		id,
		timestamp,
		cwd,
		...(typeof parentSession === "string" && { parentSession }),
		...(isRecord(metadata) && { metadata: metadata as JsonObject }),
	};
}

/** The id of a log's session. */
export function idOf(view: Pick<LogView, "genesis">): string {
	return text(view.genesis.id);
}

/**
 * A session as clients see it. Reads one body at most, that of the first message, and not even that where the session
 * is known as it was at some time before.
 */
export async function describeSession(view: Describable, known?: Session): Promise<Session> {
	const { genesis } = view;
	const timestamp = text(genesis.timestamp);
	const card = sessionCard(view, timestamp);
	const metadata = metadataOf(view, card.metadata);
	const first = known?.firstMessage ?? (await firstMessageOf(view, card.firstMessageSeq));
	return {
		id: idOf(view),
		version: 3,
		timestamp,
		cwd: text(genesis.cwd),
		...(typeof genesis.parentSession === "string" && { parentSession: genesis.parentSession }),
		...(card.name !== undefined && { name: card.name }),
		leafId: card.leafId,
		entryCount: card.entryCount,
		messageCount: card.messageCount,
		...(first !== undefined && { firstMessage: first }),
		modified: card.modified,
		seq: card.seq,
		...(metadata !== undefined && { metadata }),
	};
}

async function firstMessageOf(view: Describable, seq: number | undefined): Promise<string | undefined> {
	const line = seq === undefined ? undefined : (await view.bodies([seq])).get(seq);
	return line && firstMessage(entryOf(line));
}

/** What the latest entry says that says anything of it, else what the session was made with. */
function metadataOf(view: Describable, said: Session["metadata"]): Session["metadata"] {
	const made = view.genesis.metadata;
	if (said !== undefined || !isRecord(made)) return said;
	for (let seq = view.length; seq >= 1; seq--) {
		if (view.kind(seq) === "session_info" && view.meta(seq).md !== undefined) return undefined;
	}
	return made;
}

function text(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** A session as it was when entry `length` was its last. */
export function describeEarlier(view: LogView, length: number): Promise<Session> {
	if (length === view.length) return describeSession(view);
	const earlier: Describable = {
		genesis: view.genesis,
		length,
		head: headAt(view, length),
		seqOf: (id) => {
			const seq = view.seqOf(id);
			return seq !== undefined && seq <= length ? seq : undefined;
		},
		id: (seq) => view.id(seq),
		parent: (seq) => view.parent(seq),
		parentSeq: (seq) => (view.parentSeq(seq) <= length ? view.parentSeq(seq) : 0),
		kind: (seq) => view.kind(seq),
		time: (seq) => view.time(seq),
		byteLength: (seq) => view.byteLength(seq),
		meta: (seq) => view.meta(seq),
		bodies: (seqs) => view.bodies(seqs),
	};
	return describeSession(earlier);
}
