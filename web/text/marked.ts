/** A text in parts, those that are one of the words (given in lower case) told apart. */
export function marked(text: string, words: readonly string[]): { text: string; found: boolean }[] {
	if (words.length === 0) return [{ text, found: false }];
	const pattern = new RegExp(`(${words.map(escaped).join("|")})`, "i");
	return text
		.split(pattern)
		.map((part, at) => ({ text: part, found: at % 2 === 1 }))
		.filter((part) => part.text !== "");
}

function escaped(word: string): string {
	return word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
