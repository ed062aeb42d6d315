/** A part of a text, as it is shown. All of it is text: nothing here can become markup. */
export type Piece =
	| { readonly kind: "text" | "code" | "strong"; readonly text: string }
	| { readonly kind: "block"; readonly text: string; readonly language: string }
	| { readonly kind: "link"; readonly text: string; readonly href: string };

const fence = /^```([^\n`]*)\n([\s\S]*?)(?:\n```[ \t]*(?:\n|$)|(?![\s\S]))/gm;

const inline =
	/`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^[\]\n]+)\]\((https?:\/\/[^\s()<>]+)\)|(https?:\/\/[^\s<>"'`\\]+)/gi;

/** Splits a text at what Markdown writers use most: fenced and inline code, bold words, links to http and https. */
export function pieces(text: string): Piece[] {
	const found: Piece[] = [];
	let at = 0;
	for (const match of text.matchAll(fence)) {
		// A block stands on lines of its own anyway.
		for (const piece of inlinePieces(withoutEnd(text.slice(at, match.index)))) found.push(piece);
		found.push({ kind: "block", text: match[2]!, language: match[1]!.trim() });
		at = match.index + match[0].length;
	}
	for (const piece of inlinePieces(text.slice(at))) found.push(piece);
	return found;
}

function inlinePieces(text: string): Piece[] {
	const found: Piece[] = [];
	let at = 0;
	const say = (until: number) => {
		if (until > at) found.push({ kind: "text", text: text.slice(at, until) });
	};
	for (const match of text.matchAll(inline)) {
		const piece = inlinePiece(match);
		if (piece === undefined) continue;
		say(match.index);
		found.push(piece.shown);
		at = match.index + piece.length;
	}
	say(text.length);
	return found;
}

function inlinePiece(match: RegExpMatchArray): { shown: Piece; length: number } | undefined {
	const [whole, code, strong, title, target, bare] = match;
	if (code !== undefined) return { shown: { kind: "code", text: code }, length: whole.length };
	if (strong !== undefined) return { shown: { kind: "strong", text: strong }, length: whole.length };
	// A full stop after an address belongs to the sentence.
	const address = target ?? bare!.slice(0, sentenceEnd(bare!));
	const href = safeHref(address);
	if (href === undefined) return undefined;
	return {
		shown: { kind: "link", text: title === undefined ? address : honest(title, href), href },
		length: title === undefined ? address.length : whole.length,
	};
}

/** Without the empty lines at its end. */
function withoutEnd(text: string): string {
	let end = text.length;
	while (end > 0 && text[end - 1] === "\n") end--;
	return text.slice(0, end);
}

/** Where the marks begin that end a sentence. In one pass from the end: a pattern would try each of many marks. */
function sentenceEnd(text: string): number {
	let end = text.length;
	while (end > 0 && ".,;:!?)]}".includes(text[end - 1]!)) end--;
	return end;
}

/** A title that looks like an address might hide where the link leads: then that is said beside it. */
function honest(title: string, href: string): string {
	const { host } = new URL(href);
	return /[^\s.]\.[^\s.]|:\/\//u.test(title) && !title.includes(host) ? `${title} (${host})` : title;
}

/** The address where it is one of the web, as browsers write it; undefined for all else. */
export function safeHref(address: string): string | undefined {
	const url = URL.parse(address);
	return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}
