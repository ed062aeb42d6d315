import { buildContext, type ProjectedEntry, projection } from "../session/context.ts";
import { type ContextModel, neededSeqs, planContext } from "../session/context-plan.ts";
import type { Entry, JsonRecord } from "../session/entry.ts";
import { convertToLlm } from "../session/llm.ts";
import { entryOf } from "../session/record.ts";
import type { Call } from "./call.ts";
import { entryLines, type Lines } from "./entry-lines.ts";
import { linkedLines, type MediaHref } from "./link-media.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refuse } from "./refusal.ts";
import { versionOf } from "./version.ts";

export interface ContextRequest {
	readonly id: string;
	/** An entry's id; the leaf unless given. */
	readonly from?: string;
	readonly view: "messages" | "entries" | "projection";
	readonly format: "agent" | "llm";
	/** Puts links in the place of base64 data of `entries`; messages are for a model, which can't follow them. */
	readonly media?: MediaHref;
}

export interface ContextAnswer {
	readonly shown:
		| { readonly view: "messages"; readonly messages: readonly JsonRecord[] }
		| { readonly view: "entries"; readonly entries: Lines }
		| { readonly view: "projection"; readonly projection: readonly ProjectedEntry[] };
	readonly thinkingLevel: string;
	readonly model: ContextModel | null;
	readonly leafId: string | null;
	readonly seq: number;
}

/** What the model would be sent at the leaf, or at `from`. Reads the bodies of that context only. */
export async function readContext(call: Call, request: ContextRequest): Promise<Outcome<ContextAnswer>> {
	const opened = await openSession(call, request.id, "bodies");
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const plan = planContext(view, request.from);
	if (plan === undefined) return refuse("not_found", "No entry has the id that `from` names");
	const { thinkingLevel, model } = plan;
	const rest = { thinkingLevel, model, leafId: view.head, seq: view.length };
	const version = versionOf(view);
	if (request.view === "entries") {
		const entries = await entryLines(
			view,
			plan.entries.map(({ seq }) => seq),
		);
		const linked = linkedLines(entries, request.media);
		return done({ shown: { view: "entries", entries: linked }, ...rest }, version);
	}
	const bodies = entriesOf(await view.bodies(neededSeqs(plan, request.view)));
	const converted = request.format === "llm" ? convertToLlm : (messages: readonly JsonRecord[]) => messages;
	if (request.view === "messages") {
		const messages = converted(buildContext(plan, bodies).messages);
		return done({ shown: { view: "messages", messages }, ...rest }, version);
	}
	const projected = projection(plan, bodies, (seq) => view.id(seq)).map((part) => ({
		...part,
		messages: converted(part.messages),
	}));
	return done({ shown: { view: "projection", projection: projected }, ...rest }, version);
}

function entriesOf(lines: ReadonlyMap<number, Uint8Array>): Map<number, Entry> {
	return new Map(Array.from(lines, ([seq, line]) => [seq, entryOf(line)]));
}
