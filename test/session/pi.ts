import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, vi } from "vitest";
import type { Entry } from "../../src/session/entry.ts";

/** pi 1.6.0, what these tests compare with. Its own types say more than its files hold, so it is taken untyped. */

// Comparing a thousand sessions takes a while where other work goes on beside it.
vi.setConfig({ testTimeout: 60_000 });

const packages = join(import.meta.dirname, "../../node_modules/@earendil-works");
const load = (file: string): Promise<Loose> => import(join(packages, file));

// biome-ignore lint/suspicious/noExplicitAny: the reference is called without types on purpose
type Loose = any;

const [manager, messages, compaction, summarization, ai, agent, usage] = await Promise.all([
	load("pi-coding-agent/dist/core/session-manager.js"),
	load("pi-coding-agent/dist/core/messages.js"),
	load("pi-coding-agent/dist/core/compaction/compaction.js"),
	load("pi-coding-agent/dist/core/compaction/branch-summarization.js"),
	load("pi-ai/dist/utils/transcript.js"),
	load("pi-coding-agent/dist/core/agent-session.js"),
	load("pi-coding-agent/dist/core/usage-totals.js"),
]);

export const pi = { ...manager, ...messages, ...compaction, ...summarization, ...ai, ...agent, ...usage };

/** A session manager over entries, with the leaf where asked; at the last entry unless given. */
export function piSession(
	header: object,
	entries: readonly Entry[],
	leaf?: string | null,
): ReturnType<typeof pi.SessionManager.inMemory> {
	const copies = structuredClone([header, ...entries]);
	const session = pi.SessionManager.inMemory("/tmp", undefined, copies);
	if (leaf === null) session.resetLeaf();
	else if (leaf !== undefined) session.branch(leaf);
	return session;
}

/** A value as JSON has it: without undefined fields, and null for what is no number. */
export function plain(value: unknown): unknown {
	return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** The entries without the contents that pi cannot count: null in a message of the role custom. */
export function countable(entries: readonly Entry[]): Entry[] {
	return entries.map((entry) => {
		const message = entry.message as { role?: unknown; content?: unknown } | undefined;
		if (message?.role !== "custom" || message.content !== null) return entry;
		return { ...entry, message: { ...message, content: [] } };
	});
}

/** Expects two values to be the same JSON. */
export function expectSame(actual: unknown, expected: unknown): void {
	const [one, other] = [plain(actual), plain(expected)];
	if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other);
}

const fixtures = join(import.meta.dirname, "../fixtures/sessions");

export const fixtureNames = [
	"01-v1-large-session.jsonl",
	"05-v2-from-html-export.jsonl",
	"07-v3-branches-branch-summary-unicode.jsonl",
	"08-v3-compaction.jsonl",
	"09-v3-tools-bashExecution.jsonl",
	"12-v3-raw-u2028-u2029.jsonl",
];

/** The bytes of a session file among the fixtures. */
export function fixture(name: string): Uint8Array {
	return new Uint8Array(readFileSync(join(fixtures, name)));
}

/** How often properties are tried. */
export const runs = { numRuns: 120, seed: 20_250_603 };
