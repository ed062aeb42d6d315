import type { Api } from "../api/api.ts";
import { Picture } from "./picture.tsx";
import { PlainText, RichText } from "./rich-text.tsx";

type Fields = { readonly [field: string]: unknown };

/** What a message says, whatever its role; of unknown shapes their JSON. */
export function MessageBody({ api, message }: { api: Api; message: Fields }) {
	if (message.role === "bashExecution") {
		return (
			<>
				<PlainText text={`$ ${stringOf(message.command)}`} />
				{message.output !== "" && <PlainText text={stringOf(message.output)} />}
				{typeof message.exitCode === "number" && message.exitCode !== 0 && (
					<p class="fault">Exit code {message.exitCode}</p>
				)}
			</>
		);
	}
	if (typeof message.summary === "string") return <RichText text={message.summary} />;
	const plain = message.role === "toolResult";
	return (
		<>
			{message.role === "toolResult" && typeof message.toolName === "string" && (
				<p class="tool-name">
					{message.toolName}
					{message.isError === true && <span class="fault">failed</span>}
				</p>
			)}
			<Content api={api} content={message.content} plain={plain} />
			{typeof message.errorMessage === "string" && <p class="fault">{message.errorMessage}</p>}
			{message.role === "system" && (
				<Extras of={message} fields={["sections", "toolsAdded", "toolsRemoved"]} />
			)}
		</>
	);
}

/** A content: a text, or blocks. */
export function Content({ api, content, plain = false }: { api: Api; content: unknown; plain?: boolean }) {
	const Text = plain ? PlainText : RichText;
	if (typeof content === "string") return <Text text={content} />;
	if (!Array.isArray(content)) return content == null ? null : <Json value={content} />;
	return (
		<>
			{content.map((block: unknown, at) => (
				<Block key={at} api={api} block={block} plain={plain} />
			))}
		</>
	);
}

function Block({ api, block, plain }: { api: Api; block: unknown; plain: boolean }) {
	if (typeof block !== "object" || block === null) return <Json value={block} />;
	const fields = block as Fields;
	switch (fields.type) {
		case "text":
			return plain ? <PlainText text={stringOf(fields.text)} /> : <RichText text={stringOf(fields.text)} />;
		case "thinking":
			return (
				<details class="thinking">
					<summary>Thinking</summary>
					<RichText text={stringOf(fields.thinking)} />
				</details>
			);
		case "toolCall":
			return (
				<div class="tool-call">
					<p class="tool-name">{stringOf(fields.name)}</p>
					<Json value={fields.arguments} />
				</div>
			);
		case "image":
			return <Picture api={api} block={fields} />;
		default:
			return <Json value={block} />;
	}
}

function Extras({ of, fields }: { of: Fields; fields: readonly string[] }) {
	const given = fields.filter((field) => of[field] !== undefined);
	return (
		<>
			{given.map((field) => (
				<details key={field}>
					<summary>{field}</summary>
					<Json value={of[field]} />
				</details>
			))}
		</>
	);
}

export function Json({ value }: { value: unknown }) {
	return <PlainText text={JSON.stringify(value, null, 2) ?? ""} />;
}

function stringOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
