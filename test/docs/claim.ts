/** Loaded before a page's program: keeps what it claims, and tells it at the end. */
import { writeFileSync } from "node:fs";
import { meets } from "./page.ts";

/** A claim as it was met, or not, whenever its line ran. */
export interface Outcome {
	readonly line: number;
	readonly expected: unknown;
	readonly actual: unknown;
	readonly met: boolean;
}

const outcomes: Outcome[] = [];
Object.assign(globalThis, {
	claim(line: number, expected: () => unknown, ...values: readonly unknown[]): void {
		const [wanted, actual] = [expected(), values.length === 1 ? values[0] : values];
		outcomes.push({ line, expected: wanted, actual, met: meets(wanted, actual) });
	},
});
process.once("exit", () => writeFileSync(process.env.CLAIMS ?? "claims.json", JSON.stringify(outcomes)));
