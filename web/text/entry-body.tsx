import type { Api } from "../api/api.ts";
import type { Entry } from "../tree/grow.ts";
import { Content, Json, MessageBody } from "./message.tsx";
import { RichText } from "./rich-text.tsx";

/** What an entry holds, by its type. */
export function EntryBody({ api, entry, reveal }: { api: Api; entry: Entry; reveal?: (id: string) => void }) {
	const goTo = (id: unknown) => <EntryLink id={id} reveal={reveal} />;
	switch (entry.type) {
		case "message": {
			const { message } = entry;
			if (typeof message !== "object" || message === null) return <Json value={entry} />;
			return <MessageBody api={api} message={message as { [field: string]: unknown }} />;
		}
		case "custom_message":
			return <Content api={api} content={entry.content} />;
		case "compaction":
			return (
				<>
					<p class="fact">
						Keeps from {goTo(entry.firstKeptEntryId)} on; {count(entry.tokensBefore)} tokens before.
					</p>
					<RichText text={String(entry.summary ?? "")} />
				</>
			);
		case "branch_summary":
			return (
				<>
					<p class="fact">Of the branch that ended at {goTo(entry.fromId)}.</p>
					<RichText text={String(entry.summary ?? "")} />
				</>
			);
		case "context_edit": {
			const replacement = entry.replacement as { content?: unknown } | null;
			return (
				<>
					<p class="fact">
						{replacement === null ? "Takes out" : "Replaces"} {goTo(entry.targetId)} in the context.
					</p>
					{replacement !== null && <Content api={api} content={replacement?.content} />}
				</>
			);
		}
		case "label":
			return (
				<p class="fact">
					{entry.label ? <mark class="label">{String(entry.label)}</mark> : "No label"} at{" "}
					{goTo(entry.targetId)}.
				</p>
			);
		case "session_info":
			return <p class="fact">The session is called “{String(entry.name ?? "")}”.</p>;
		case "model_change":
			return (
				<p class="fact">
					{String(entry.provider ?? "")}/{String(entry.modelId ?? "")}
				</p>
			);
		case "thinking_level_change":
			return <p class="fact">{String(entry.thinkingLevel ?? "")}</p>;
		default:
			return <Json value={entry} />;
	}
}

function EntryLink({ id, reveal }: { id: unknown; reveal?: ((id: string) => void) | undefined }) {
	if (typeof id !== "string") return <>nothing</>;
	if (reveal === undefined) return <code>{id}</code>;
	return (
		<button type="button" class="link" onClick={() => reveal(id)}>
			{id}
		</button>
	);
}

function count(value: unknown): string {
	return typeof value === "number" ? value.toLocaleString() : "?";
}
