import { useMemo, useState } from "preact/hooks";
import { type Piece, pieces } from "./pieces.ts";

/** Characters that are shown before somebody asks for more. */
const shownAtFirst = 20_000;
/** Characters up to which code, links and bold words are told apart. */
const richUpTo = 200_000;

/** A text of anybody's: shown as text, with code and links told apart. */
export function RichText({ text }: { text: string }) {
	const [whole, setWhole] = useState(false);
	const shown = whole || text.length <= shownAtFirst ? text : text.slice(0, shownAtFirst);
	const parts = useMemo(
		() => (shown.length > richUpTo ? [{ kind: "text" as const, text: shown }] : pieces(shown)),
		[shown],
	);
	return (
		<div class="text" dir="auto">
			{parts.map((piece, at) => (
				<Part key={at} piece={piece} />
			))}
			{shown !== text && <More text={text} show={() => setWhole(true)} />}
		</div>
	);
}

/** A text in which each character counts: output, code, JSON. */
export function PlainText({ text }: { text: string }) {
	const [whole, setWhole] = useState(false);
	const shown = whole || text.length <= shownAtFirst ? text : text.slice(0, shownAtFirst);
	return (
		<>
			<pre dir="auto">{shown}</pre>
			{shown !== text && <More text={text} show={() => setWhole(true)} />}
		</>
	);
}

function Part({ piece }: { piece: Piece }) {
	switch (piece.kind) {
		case "text":
			return <>{piece.text}</>;
		case "code":
			return <code>{piece.text}</code>;
		case "strong":
			return <strong>{piece.text}</strong>;
		case "block":
			return (
				<pre class={piece.language ? "titled" : undefined}>
					{piece.language && <span class="language">{piece.language}</span>}
					{piece.text}
				</pre>
			);
		case "link":
			return (
				<a href={piece.href} title={piece.href} target="_blank" rel="noopener noreferrer">
					{piece.text}
				</a>
			);
	}
}

function More({ text, show }: { text: string; show: () => void }) {
	return (
		<button type="button" class="more" onClick={show}>
			Show all {text.length.toLocaleString()} characters
		</button>
	);
}
