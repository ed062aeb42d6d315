import stringWidth from "string-width";

/** Control characters, and what changes the direction or the meaning of the text after it. Joiners stay. */
const commands =
	/[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu;

/** A text on one line that can't command the terminal: control characters become spaces. */
export function plain(text: string): string {
	return text.replaceAll(commands, " ").replaceAll(/\s+/gu, " ").trim();
}

/** The same over several lines. */
export function plainLines(text: string): string {
	return text
		.split(/\r\n|\n|\r/)
		.map((line) => line.replaceAll("\t", "    ").replaceAll(commands, " "))
		.join("\n");
}

/** JSON with the same value, in which no character can command the terminal either. */
export function plainJson(json: string): string {
	// Within a JSON text these stand in strings only, but for the space between its values.
	return json.replaceAll(commands, (found) => found.replaceAll(/[^\t\n\r]/g, escaped));
}

function escaped(unit: string): string {
	return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
	return stringWidth(text);
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A text cut to so many columns of a terminal. */
export function cut(text: string, columns: number): string {
	// No character is wider than two columns.
	if (text.length * 2 <= columns || stringWidth(text) <= columns) return text;
	let width = 0;
	let kept = "";
	for (const { segment } of graphemes.segment(text)) {
		width += stringWidth(segment);
		if (width > columns - 1) break;
		kept += segment;
	}
	return `${kept}…`;
}
