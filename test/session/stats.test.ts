import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Entry, isRecord } from "../../src/session/entry.ts";
import { firstMessage, sessionCard } from "../../src/session/listing.ts";
import { indexOfEntries } from "../../src/session/session-index.ts";
import { sessionStats } from "../../src/session/stats.ts";
import { entriesOfFile } from "./files.ts";
import { expectSame, fixture, fixtureNames, pi, piSession, runs } from "./pi.ts";
import { type RandomSession, randomSession } from "./random-session.ts";

/** Every usage where pi insists on one, since it stops at a message without. */
function billed({ header, entries }: RandomSession): RandomSession {
	const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } };
	return {
		header,
		entries: entries.map((entry) => {
			const { message } = entry;
			if (!isRecord(message) || message.role !== "assistant" || message.usage !== undefined) return entry;
			return { ...entry, message: { ...message, usage } };
		}),
	};
}

function compareStats(header: object, entries: readonly Entry[]): void {
	const sessionManager = piSession(header, entries);
	const reference = pi.AgentSession.prototype.getSessionStats.call({ sessionManager, getContextUsage() {} });
	const { models, contextTokens, ...stats } = sessionStats(indexOfEntries(entries));
	const { sessionFile: _file, sessionId: _id, contextUsage: _usage, ...counts } = reference;
	expectSame(stats, counts);
	expect(contextTokens).toBeGreaterThanOrEqual(0);
	// pi puts what no model is named for into a bucket of its own.
	const breakdown: { key: string; cost: number; tokens: number }[] = pi.getUsageCostBreakdown(entries);
	expectSame(
		models,
		breakdown
			.filter(({ key }) => key !== "Tools/summaries")
			.map(({ key, tokens, cost }) => ({ model: key.replace("/undefined", ""), tokens, cost })),
	);
}

describe("stats: as pi adds up", () => {
	it("of random sessions", () => {
		fc.assert(
			fc.property(randomSession().map(billed), ({ header, entries }) => compareStats(header, entries)),
			runs,
		);
	});
	for (const name of fixtureNames.slice(0, 2)) {
		it(`of ${name}`, () => {
			const { header, entries } = entriesOfFile(fixture(name));
			compareStats(header, entries);
		});
	}

	const assistant = (fields: object): Entry => ({
		type: "message",
		id: "a",
		parentId: null,
		timestamp: "",
		message: {
			role: "assistant",
			content: [],
			provider: "p",
			model: "m",
			stopReason: "stop",
			timestamp: 1,
			...fields,
		},
	});
	it("missing usage or cost, and numbers that are none, count nothing", () => {
		const odd = [
			undefined,
			null,
			5,
			{},
			{ input: "7", cost: null },
			{ input: Number.POSITIVE_INFINITY, output: 3 },
			{ cost: { total: Number.NEGATIVE_INFINITY } },
		];
		const entries = odd.map((usage, place) => ({ ...assistant({ usage }), id: `a${place}` }));
		expect(sessionStats(indexOfEntries(entries))).toMatchObject({
			assistantMessages: 7,
			tokens: { input: 0, output: 3, total: 3 },
			cost: 0,
			models: [{ model: "p/m", tokens: 3, cost: 0 }],
			contextTokens: 0,
		});
	});
	it("null or string content where blocks are expected counts no tool calls", () => {
		const contents = [null, "text", undefined, [null, 5, { type: "toolCall" }]];
		const entries = contents.map((content, place) => ({ ...assistant({ content }), id: `a${place}` }));
		expect(sessionStats(indexOfEntries(entries))).toMatchObject({ totalMessages: 4, toolCalls: 1 });
	});
});

const folder = mkdtempSync(join(tmpdir(), "leaflog-list-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("card: what pi lists", () => {
	it("of random sessions", async () => {
		const sessions = fc.sample(randomSession(), { seed: 11, numRuns: 150 });
		for (const [place, { header, entries }] of sessions.entries()) {
			const lines = [{ ...header, id: `session-${place}` }, ...entries].map((line) => JSON.stringify(line));
			// pi lists with a reader that takes U+2028 for the end of a line.
			writeFileSync(join(folder, `${place}.jsonl`), `${lines.join("\n").replaceAll("\u2028", "\\u2028")}\n`);
		}
		const listed: Listed[] = await pi.SessionManager.list("/tmp", folder);
		// pi leaves out what it cannot read; here it stays visible.
		expect(listed.length).toBeGreaterThan(40);
		for (const info of listed) {
			const session = sessions[Number(info.id.slice("session-".length))] as RandomSession;
			const card = sessionCard(indexOfEntries(session.entries), "2025-06-01T10:00:00.000Z");
			const first =
				card.firstMessageSeq === undefined ? undefined : session.entries[card.firstMessageSeq - 1];
			expectSame(
				{
					name: card.name,
					messageCount: card.messageCount,
					modified: card.modified,
					first: first === undefined ? "(no messages)" : firstMessage(first),
				},
				{
					name: info.name,
					messageCount: info.messageCount,
					modified: info.modified.toISOString(),
					first: info.firstMessage.slice(0, 256),
				},
			);
		}
	});

	interface Listed {
		readonly id: string;
		readonly name?: string;
		readonly messageCount: number;
		readonly modified: Date;
		readonly firstMessage: string;
	}

	const created = "2025-01-01T00:00:00.000Z";
	const said = (id: string, role: string, content: unknown, timestamp: unknown, at = created): Entry => ({
		type: "message",
		id,
		parentId: null,
		timestamp: at,
		message: { role, content, timestamp },
	});

	it("a rename, a label or a tool result doesn't move modified", () => {
		const later = "2026-01-01T00:00:00.000Z";
		const entries: Entry[] = [
			said("u", "user", "hi", Date.parse("2025-02-01T00:00:00.000Z")),
			said("t", "toolResult", [], Date.parse(later), later),
			{ type: "session_info", id: "n", parentId: "t", timestamp: later, name: "N" },
			{ type: "label", id: "l", parentId: "n", timestamp: later, targetId: "u", label: "L" },
			{ type: "leaf", id: "x", parentId: "l", timestamp: later, targetId: "u" },
		];
		expect(sessionCard(indexOfEntries(entries), created)).toEqual({
			name: "N",
			leafId: "u",
			entryCount: 4,
			messageCount: 2,
			firstMessageSeq: 1,
			modified: "2025-02-01T00:00:00.000Z",
			seq: 5,
		});
	});
	it("times that are none, or no date, fall back", () => {
		const modified = (...entries: Entry[]) => sessionCard(indexOfEntries(entries), created).modified;
		expect(modified()).toBe(created);
		expect(modified(said("a", "user", "x", "soon", "2025-03-01T00:00:00.000Z"))).toBe(
			"2025-03-01T00:00:00.000Z",
		);
		expect(modified(said("a", "user", "x", 1e300))).toBe(created);
		expect(modified(said("a", "user", "x", 1_740_000_000_000, "never"))).toBe("2025-02-19T21:20:00.000Z");
		expect(modified(said("a", "user", "x", undefined, "never"))).toBe(created);
	});
	it("the first message is cut at 256 characters, never inside a surrogate pair", () => {
		const text = `${"x".repeat(255)}🙂`;
		expect(firstMessage(said("a", "user", text, 1))).toBe("x".repeat(255));
		expect(
			firstMessage(
				said("a", "user", [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }], 1),
			),
		).toBe("a b");
	});
	it("no record hides a session: whatever a message is, there is a card", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (message, timestamp) => {
				const entry = { type: "message", id: "a", parentId: null, timestamp, message } as unknown as Entry;
				const index = indexOfEntries([entry]);
				expect(sessionCard(index, created).messageCount).toBe(1);
				expect(sessionStats(index).totalMessages).toBe(1);
			}),
		);
	});
});
