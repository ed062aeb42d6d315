/** A page of documentation as a program: its TypeScript blocks in order, and what they claim to print. */
export interface PageProgram {
	/** Each line of code stands at its line of the page, so that compilers and stack traces point there. */
	readonly source: string;
	/** Lines of the page whose output is claimed. */
	readonly claims: readonly number[];
}

const call = /^(\s*)console\.log\((.*)\);\s*(?:\/\/ → (.*))?$/;
const more = /^\s*\/\/ (?:→ | {2})(.*)$/;

/**
 * The blocks marked `ts`. `console.log(value); // → expected` claims a value, as a TypeScript expression; it may go on,
 * or begin, in `//` lines below. `…` in a string stands for anything but nothing.
 * @throws Error where an arrow follows no `console.log` of one line
 */
export function programOf(markdown: string): PageProgram {
	const source: string[] = [];
	const claims: number[] = [];
	let inside = false;
	const lines = markdown.split("\n");
	for (let at = 0; at < lines.length; at++) {
		const line = lines[at] ?? "";
		if (/^```/.test(line)) {
			inside = !inside && line === "```ts";
			source.push("");
			continue;
		}
		const found = inside ? call.exec(line) : null;
		const expected = found?.[3] === undefined ? [] : [found[3]];
		const below: string[] = [];
		while (found !== null) {
			const next = more.exec(lines[at + 1 + below.length] ?? "");
			if (next === null || (expected.length === 0 && !/\/\/ → /.test(next[0]))) break;
			expected.push(next[1] ?? "");
			below.push("");
		}
		if (found !== null && expected.length > 0) {
			source.push(`${found[1]}claim(${at + 1}, () => (${expected.join(" ")}), ${found[2]});`, ...below);
			claims.push(at + 1);
			at += below.length;
		} else if (inside && line.includes("// →")) {
			throw new Error(`line ${at + 1} claims something, but of no console.log on one line`);
		} else source.push(inside ? line : "");
	}
	return { source: source.join("\n"), claims };
}

/** Whether a value is as it is claimed to be: equal as JSON, but for `…` in claimed strings. */
export function meets(expected: unknown, actual: unknown): boolean {
	if (typeof expected === "string" && expected.includes("…")) {
		const parts = expected.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
		return typeof actual === "string" && new RegExp(`^${parts.join("[^]+")}$`).test(actual);
	}
	if (typeof expected !== "object" || expected === null) return Object.is(expected, actual);
	if (typeof actual !== "object" || actual === null) return false;
	if (Array.isArray(expected) !== Array.isArray(actual)) return false;
	const [a, b] = [defined(expected), defined(actual)];
	return (
		Object.keys(a).length === Object.keys(b).length &&
		Object.entries(a).every(([key, value]) => Object.hasOwn(b, key) && meets(value, b[key]))
	);
}

function defined(value: object): Record<string, unknown> {
	return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
