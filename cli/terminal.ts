import { plainJson, plainLines } from "./plain.ts";

/** What the program works with. */
export interface Terminal {
	readonly env: Readonly<Record<string, string | undefined>>;
	out(text: string): void;
	err(text: string): void;
	/** Columns of the terminal that `out` writes to; undefined where it is none. */
	readonly columns?: number | undefined;
	/** Whether somebody looks at what goes to `err`. */
	readonly interactive: boolean;
	/** Aborted when the program is to stop. Who asks for it promises to stop then. */
	untilStopped(): AbortSignal;
}

/** Writes to a terminal, as text or as JSON, and nothing that could command it. */
export class Printer {
	readonly terminal: Terminal;
	readonly json: boolean;

	constructor(terminal: Terminal, json: boolean) {
		this.terminal = terminal;
		this.json = json;
	}

	/** Lines for people. */
	say(text: string): void {
		this.terminal.out(`${plainLines(text)}\n`);
	}

	/** One value in one line. */
	value(value: unknown): void {
		this.terminal.out(`${plainJson(JSON.stringify(value))}\n`);
	}

	/** A text of JSON lines: byte for byte, but for what a terminal would obey. */
	lines(text: string): void {
		this.terminal.out(this.terminal.columns === undefined ? text : plainJson(text));
	}

	warn(text: string): void {
		this.terminal.err(`leaflog: ${plainLines(text)}\n`);
	}
}

/** How far some work is, on a line of its own that each call writes anew; nothing where nobody looks. */
export class ProgressBar {
	readonly #terminal: Terminal;

	constructor(terminal: Terminal) {
		this.#terminal = terminal;
	}

	show(done: number, total: number): void {
		const full = total === 0 ? 20 : Math.round((20 * done) / total);
		const bar = `[${"#".repeat(full)}${" ".repeat(20 - full)}] ${done}/${total}`;
		if (this.#terminal.interactive) this.#terminal.err(`${clearLine}${bar}`);
	}

	clear(): void {
		if (this.#terminal.interactive) this.#terminal.err(clearLine);
	}
}

const clearLine = "\r\u001b[K";
