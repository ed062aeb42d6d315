import { createHash } from "node:crypto";
import type { Scheduler } from "./scheduler.ts";

/** What happened, a line an event, in order. Keeps only a digest unless the lines are wanted. */
export class Trace {
	readonly lines: string[] = [];
	readonly #scheduler: Scheduler;
	readonly #keep: boolean;
	readonly #digest = createHash("sha256");

	constructor(scheduler: Scheduler, keep: boolean) {
		this.#scheduler = scheduler;
		this.#keep = keep;
	}

	/** Notes what `who` did or suffered now. */
	note(who: string, what: string): void {
		const line = `${this.#scheduler.step}\t${clockText(this.#scheduler.now)}\t${who}\t${what}`;
		this.#digest.update(line).update("\n");
		if (this.#keep) this.lines.push(line);
	}

	/** SHA-256 of all lines so far, hex. Ends the trace. */
	digest(): string {
		return this.#digest.digest("hex");
	}
}

/** Virtual time as h:mm:ss.mmm. */
function clockText(ms: number): string {
	const part = (value: number, width: number) => String(Math.floor(value)).padStart(width, "0");
	return `${Math.floor(ms / 3_600_000)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}
