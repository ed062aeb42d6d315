import type { Random } from "../src/log/log.ts";
import type { Entry } from "../src/session/entry.ts";
import { seededRandom } from "./random.ts";

const words =
	"the a session tree leaf entry branch context reads writes object store commit block index append token file function test value type returns import const while under which because model answers summary path error line code".split(
		" ",
	);

const epoch = Date.UTC(2026, 0, 1);

/** Text to cut from, as long as the longest entry. */
const longestEntry = 2_000_000;

/**
 * One long conversation with a coding agent: user messages, answers with tool calls and usage, tool results.
 * The sizes of its lines are those of real chats: log-normal, half of them below 1.1 KB, 2.6 KB on average.
 */
export class Chat {
	readonly #random: Random;
	readonly #text: string;
	#parent: string | null = null;
	#seq = 0;
	/** Tool calls that wait for their results. */
	#calls: string[] = [];

	constructor(seed: number) {
		this.#random = seededRandom(seed);
		this.#text = longText(this.#random, longestEntry + 1000);
	}

	/** The next entry, below the one before it. */
	next(): Entry {
		this.#seq++;
		const bytes = this.#size();
		const seconds = this.#seq * 20;
		const timestamp = new Date(epoch + seconds * 1000).toISOString();
		const message = this.#message(epoch + seconds * 1000);
		const entry = { type: "message", id: this.#id(), parentId: this.#parent, timestamp, message };
		const room = bytes - JSON.stringify(entry).length;
		if (room > 0) message.content[0].text += this.#cut(room);
		this.#parent = entry.id;
		return entry;
	}

	#message(timestamp: number): { readonly role: string; readonly content: [{ text: string }, ...object[]] } {
		const content: [{ type: "text"; text: string }] = [{ type: "text", text: this.#cut(20) }];
		const call = this.#calls.shift();
		if (call !== undefined) {
			return {
				role: "toolResult",
				toolCallId: call,
				toolName: "read",
				content,
				isError: false,
				timestamp,
			} as never;
		}
		if (this.#seq % 9 === 1) return { role: "user", content, timestamp } as never;
		const calls = Array.from({ length: Math.floor(this.#random.fraction() * 3) }, () => this.#toolCall());
		this.#calls = calls.map(({ id }) => id);
		return {
			role: "assistant",
			content: [...content, ...calls],
			api: "anthropic-messages",
			provider: "anthropic",
			model: "claude-sonnet-4-5",
			usage: this.#usage(),
			stopReason: calls.length > 0 ? "toolUse" : "stop",
			timestamp,
		} as never;
	}

	#toolCall() {
		const id = `toolu_${this.#letters(24)}`;
		return { type: "toolCall", id, name: "read", arguments: { path: `src/${this.#letters(8)}.ts` } };
	}

	#usage() {
		const [input, output, cacheRead, cacheWrite] = [9, 900, 90_000, 3000].map((most) => this.#below(most));
		const cost = {
			input: input! * 3e-6,
			output: output! * 15e-6,
			cacheRead: cacheRead! * 3e-7,
			cacheWrite: 0,
		};
		const total = Number((cost.input + cost.output + cost.cacheRead).toFixed(6));
		return { input, output, cacheRead, cacheWrite, cost: { ...cost, total } };
	}

	/** Bytes of a line. */
	#size(): number {
		const { fraction } = this.#random;
		const normal = Math.sqrt(-2 * Math.log(fraction() + 1e-9)) * Math.cos(2 * Math.PI * fraction());
		return Math.min(longestEntry, Math.round(Math.exp(6.8 + 1.4 * normal))) + 200;
	}

	/** Multiplying by an odd number never gives one twice. */
	#id(): string {
		return (Math.imul(this.#seq, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
	}

	#letters(length: number): string {
		let letters = "";
		while (letters.length < length) letters += this.#below(36).toString(36);
		return letters;
	}

	#cut(length: number): string {
		const from = this.#below(this.#text.length - length);
		return this.#text.slice(from, from + length);
	}

	#below(bound: number): number {
		return Math.floor(this.#random.fraction() * bound);
	}
}

function longText(random: Random, length: number): string {
	const parts: string[] = [];
	for (let sum = 0; sum < length; ) {
		const word = words[Math.floor(random.fraction() * words.length)]!;
		parts.push(word);
		sum += word.length + 1;
	}
	return parts.join(" ").slice(0, length);
}

/** What a user says in about 1 KB, below an entry. */
export function userMessage(id: string, parentId: string | null): Entry {
	const timestamp = new Date(epoch).toISOString();
	const text = "and what does this mean for the session that we looked at? ".repeat(14);
	const message = { role: "user", content: [{ type: "text", text }], timestamp: epoch };
	return { type: "message", id, parentId, timestamp, message };
}

/** A compaction with a summary of about 4 KB, below an entry. */
export function compaction(id: string, parentId: string | null, firstKeptEntryId: string): Entry {
	const timestamp = new Date(epoch).toISOString();
	const summary = "Goal, progress and next steps of all that was said. ".repeat(80);
	return { type: "compaction", id, parentId, timestamp, summary, firstKeptEntryId, tokensBefore: 300_000 };
}
