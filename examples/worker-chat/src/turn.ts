import { type Append, type Entry, type Leaflog, LeaflogError, type SessionClient } from "leaflog-client";
import type { Said } from "./model.ts";

/** What a caller wants answered. */
export interface Turn {
	/** Made up by the caller. The same turn sent again has no second effect, and gets the same answer. */
	readonly id: string;
	/** Left out: another answer to the message `parentId`. */
	readonly text?: string;
	/** The entry that this follows, null for none; left out: wherever the conversation is. */
	readonly parentId?: string | null;
}

/** A question that is stored, and how the session was then. */
export interface Asked {
	readonly session: SessionClient;
	readonly questionId: string;
	readonly answerId: string;
	readonly leafId: string | null;
	readonly seq: number;
}

/** An answer that is stored. */
export interface Kept {
	readonly entry: Entry;
	readonly leafId: string | null;
	readonly seq: number;
}

/** The turn that a request's body describes; a sentence where it describes none. */
export function turnOf(body: unknown): Turn | string {
	if (typeof body !== "object" || body === null) return "The body must be a JSON object";
	const { id, text, parentId, ...others } = body as Record<string, unknown>;
	if (typeof id !== "string" || !/^[\w-]{1,60}$/.test(id))
		return "id: must be 1 to 60 of A-Z, a-z, 0-9, _ and -";
	if (text !== undefined && (typeof text !== "string" || text.trim() === ""))
		return "text: must not be empty";
	if (parentId !== undefined && parentId !== null && typeof parentId !== "string")
		return "parentId: must be an id or null";
	if (text === undefined && typeof parentId !== "string")
		return "text or parentId: one of them must be given";
	if (Object.keys(others).length > 0) return `${Object.keys(others)[0]}: is not known`;
	return { id, ...(text !== undefined && { text }), ...(parentId !== undefined && { parentId }) };
}

/**
 * Stores the question, in a new session where there is none yet. From here on nothing of it can be lost: if all dies
 * now, the session ends with a question that waits for its answer.
 */
export async function storeQuestion(leaflog: Leaflog, sessionId: string, turn: Turn): Promise<Asked> {
	const session = leaflog.session(sessionId);
	const { id, text, parentId } = turn;
	const answerId = `${id}-a`;
	if (text === undefined) {
		return { session, questionId: parentId ?? "", answerId, ...(await session.leaf()) };
	}
	const question: Append = {
		type: "message",
		id,
		...(parentId !== undefined && { parentId }),
		message: { role: "user", content: text },
	};
	try {
		return { session, questionId: id, answerId, ...(await session.append(question)) };
	} catch (error) {
		if (!isStatus(error, 404) || typeof parentId === "string") throw error;
		// The same key for all who find it missing at once: one of them makes it.
		await leaflog.createSession({ id: sessionId }, { idempotencyKey: `create-${sessionId}`.slice(0, 128) });
		return { session, questionId: id, answerId, ...(await session.append(question)) };
	}
}

/** The answer, where an earlier try of the same turn got as far. */
export async function storedAnswer({ session, answerId }: Asked): Promise<Kept | undefined> {
	try {
		const { entry } = await session.entry(answerId);
		return { entry, ...(await session.leaf()) };
	} catch (error) {
		if (isStatus(error, 404)) return undefined;
		throw error;
	}
}

/**
 * Stores an answer below its question. The conversation moves to it, unless somebody has moved it elsewhere while the
 * model spoke: then it is a branch beside the one that they read.
 */
export async function storeAnswer(asked: Asked, said: Said, provider: string): Promise<Kept> {
	const { session, questionId, answerId } = asked;
	const answer: Append = {
		type: "message",
		id: answerId,
		parentId: questionId,
		message: {
			role: "assistant",
			content: [{ type: "text", text: said.text }],
			api: "openai-completions",
			provider,
			model: said.model,
			usage: said.usage,
			stopReason: said.finish === "length" ? "length" : "stop",
			timestamp: Date.now(),
		},
	};
	for (let at: Pick<Asked, "leafId" | "seq"> = asked; ; at = await session.leaf()) {
		try {
			const keepLeaf = at.leafId !== asked.leafId;
			const { entries, leafId, seq } = await session.append(answer, { ifMatch: at.seq, keepLeaf });
			return { entry: entries[0]!, leafId, seq };
		} catch (error) {
			// The same turn was sent twice at once, and the other one was first.
			const other = isStatus(error, 409) ? await storedAnswer(asked) : undefined;
			if (other !== undefined) return other;
			// The session has moved on since it was looked at.
			if (!isStatus(error, 412)) throw error;
		}
	}
}

function isStatus(error: unknown, status: number): boolean {
	return error instanceof LeaflogError && error.status === status;
}
