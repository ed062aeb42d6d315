/** A text on one line that can't command the terminal: control characters become spaces. */
export function plain(text: string): string {
	return text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}

/** The same over several lines. */
export function plainLines(text: string): string {
	return text
		.split(/\r\n|\n|\r/)
		.map((line) => line.replaceAll(/\t/g, "    ").replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " "))
		.join("\n");
}

const characters = new Intl.Segmenter();

/** As many of a text's characters as fit in a line; wide ones (those of East Asia, emoji) take two columns. */
export function shortened(text: string, columns: number): string {
	let width = 0;
	let kept = "";
	let whole = "";
	for (const { segment } of characters.segment(text)) {
		width += wide.test(segment) ? 2 : 1;
		whole += segment;
		if (width <= columns - 1) kept = whole;
		if (width > columns) return `${kept}…`;
	}
	return text;
}

const wide =
	/\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
