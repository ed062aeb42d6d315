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
