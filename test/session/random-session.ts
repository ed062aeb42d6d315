import fc from "fast-check";
import type { Entry } from "../../src/session/entry.ts";

/**
 * Sessions in odd arrangements: every entry type, parents and targets anywhere, labels in the middle of paths,
 * compactions that keep what isn't there, edits of what is hidden, contents that are null or of another type, equal and
 * invalid timestamps. Never a cycle and never an entry that is its own parent: pi runs round in those for ever.
 */
export interface RandomSession {
	readonly header: { readonly type: "session"; readonly [field: string]: unknown };
	readonly entries: readonly Entry[];
}

/** One entry to be made: what it is, and numbers that its parts are picked by. */
interface Step {
	readonly what: number;
	readonly parent: number;
	readonly pick: number;
	readonly other: number;
	readonly odd: number;
	readonly text: string;
}

const step: fc.Arbitrary<Step> = fc.record({
	what: fc.nat(99),
	parent: fc.nat(99),
	pick: fc.nat(1 << 20),
	other: fc.nat(1 << 20),
	odd: fc.nat(99),
	text: fc.oneof(
		fc.constantFrom("", "hello", "a\nb", "  ", "重构这个模块", "🙂🙃", "x".repeat(300), "\u2028", "\ud83d"),
		fc.string({ maxLength: 40 }),
		fc.nat(5000).map((length) => "word ".repeat(length / 5)),
	),
});

/** Sessions of up to so many entries, drawn from a seed by fast-check. */
export function randomSession(maxLength = 80): fc.Arbitrary<RandomSession> {
	return fc.array(step, { maxLength, size: "max" }).map((steps) => ({
		header: {
			type: "session",
			version: 3,
			id: "random-session",
			timestamp: "2025-06-01T10:00:00.000Z",
			cwd: "/tmp",
		},
		entries: new Builder().build(steps),
	}));
}

const models = [
	["anthropic", "claude-sonnet-4-5"],
	["openai", "gpt-5"],
	["openrouter", "vendor/model"],
] as const;

class Builder {
	readonly #entries: Entry[] = [];
	#clock = Date.parse("2025-06-01T10:00:00.000Z");

	build(steps: readonly Step[]): Entry[] {
		for (const step of steps) this.#entries.push(this.#entry(step));
		return this.#entries;
	}

	#entry(step: Step): Entry {
		const { type, ...fields } = this.#fields(step);
		const id = (0xa0000000 + this.#entries.length).toString(16);
		return { type, id, parentId: this.#parent(step), timestamp: this.#timestamp(step), ...fields };
	}

	/** Mostly the entry before; else any earlier one, a root, or nothing that exists. */
	#parent({ parent, pick }: Step): string | null {
		const last = this.#entries.at(-1);
		if (last === undefined || parent >= 97) return null;
		if (parent === 96) return "";
		if (parent === 95) return "gone0000";
		if (parent < 75) return last.id;
		return this.#any(pick)?.id ?? null;
	}

	#timestamp({ odd, other }: Step): string {
		if (odd === 0) return "not a date";
		if (odd === 1) return "";
		if (odd > 15) this.#clock += (other % 5) * 1000;
		const back = odd < 8 ? other % 10_000 : 0;
		return new Date(this.#clock - back).toISOString();
	}

	#any(pick: number): Entry | undefined {
		return this.#entries[pick % this.#entries.length];
	}

	/** An id to point at: of the last few, of any entry, or of none. */
	#target({ pick, other }: Step): string {
		if (pick % 17 === 0) return "gone0000";
		const near = pick % 3 === 0 ? 0 : Math.max(0, this.#entries.length - 8);
		const choices = this.#entries.slice(near);
		return choices[other % Math.max(1, choices.length)]?.id ?? "gone0000";
	}

	#fields(step: Step): { type: string; [field: string]: unknown } {
		const { what, pick, odd, text } = step;
		if (what < 60) return { type: "message", message: this.#message(step) };
		if (what < 64) return { type: "label", targetId: this.#target(step), ...this.#label(step) };
		if (what < 70) return this.#edit(step);
		if (what < 75) return this.#compaction(step);
		if (what < 79) {
			const usage = pick % 2 === 0 ? { usage: this.#usage(step) } : {};
			return { type: "branch_summary", fromId: this.#target(step), summary: text, ...usage };
		}
		if (what < 82) {
			const [provider, modelId] = models[pick % models.length] ?? models[0];
			return { type: "model_change", provider, modelId };
		}
		if (what < 85) return { type: "thinking_level_change", thinkingLevel: ["off", "low", "high"][pick % 3] };
		if (what < 88) return { type: "session_info", name: text };
		if (what < 91) return { type: "custom", customType: "extension", data: { odd } };
		if (what < 95) {
			const content = odd < 10 ? null : odd < 30 ? text : [{ type: "text", text }];
			return { type: "custom_message", customType: "note", content, display: odd % 2 === 0 };
		}
		if (what < 98) {
			const [provider, model] = models[pick % models.length] ?? models[0];
			return { type: "usage", kind: "cache_warm", provider, model, usage: this.#usage(step) };
		}
		return { type: "future_type", payload: text };
	}

	#label({ pick, text }: Step): { label?: string } {
		if (pick % 4 === 0) return {};
		return { label: pick % 7 === 0 ? "" : `mark ${text.slice(0, 10)}` };
	}

	#edit(step: Step): { type: string; [field: string]: unknown } {
		const { pick, odd, text } = step;
		const blocks = [
			{ type: "text", text },
			{ type: "image", data: "aGk=", mimeType: "image/png" },
		];
		const replacement = pick % 3 === 0 ? null : { content: odd % 2 === 0 ? text : blocks };
		return { type: "context_edit", targetId: this.#target(step), replacement };
	}

	#compaction(step: Step): { type: string; [field: string]: unknown } {
		const { pick, odd, text } = step;
		const own = (0xa0000000 + this.#entries.length).toString(16);
		const later = (0xa0000000 + this.#entries.length + 3).toString(16);
		const kept = odd < 10 ? own : odd < 15 ? later : this.#target(step);
		return {
			type: "compaction",
			summary: text,
			...(odd === 99 ? {} : { firstKeptEntryId: kept }),
			tokensBefore: pick,
			...(pick % 3 === 0 ? { systemMessage: this.#system(step) } : {}),
			...(pick % 5 === 0 ? { usage: this.#usage(step) } : {}),
		};
	}

	#usage({ pick, other }: Step): object {
		const parts = { input: pick % 5000, output: other % 900, cacheRead: pick % 77, cacheWrite: 0 };
		const sum = parts.input + parts.output + parts.cacheRead;
		const total = pick % 4 === 0 ? 0 : sum + (pick % 3);
		return { ...parts, totalTokens: total, cost: { input: 0, output: 0, total: (other % 1000) / 70_000 } };
	}

	#system({ pick, other, text }: Step): object {
		const tool = (place: number) => ({
			name: `tool${(other + place) % 4}`,
			description: text,
			parameters: {},
		});
		return {
			role: "system",
			content: pick % 2 === 0 ? text : [{ type: "text", text }],
			...(pick % 3 === 0
				? { sections: { [`part${other % 3}`]: pick % 4 === 0 ? null : text, skills: text } }
				: {}),
			...(pick % 4 === 1 ? { toolsAdded: [tool(0), tool(1)] } : {}),
			...(pick % 5 === 1 ? { toolsRemoved: [{ name: `tool${other % 4}` }] } : {}),
			timestamp: 1_748_000_000_000 + other,
		};
	}

	#message(step: Step): object {
		const { pick, odd, other, text } = step;
		const timestamp = 1_748_770_000_000 + other;
		const blocks = [
			{ type: "text", text },
			...(pick % 9 === 0 ? [{ type: "image", data: "aGk=", mimeType: "image/png" }] : []),
			...(pick % 11 === 0 ? [{ type: "text", text: "more" }] : []),
		];
		const content = odd < 3 ? null : odd < 25 ? text : blocks;
		switch (pick % 10) {
			case 0:
			case 1:
			case 2:
				return { role: "user", ...(odd === 3 ? {} : { content }), timestamp };
			case 3:
			case 4:
			case 5:
				return this.#assistant(step, timestamp);
			case 6:
				return {
					role: "toolResult",
					toolCallId: `call-${other % 12}`,
					toolName: "bash",
					content,
					isError: odd % 2 === 0,
					...(other % 3 === 0 ? { usage: this.#usage(step) } : {}),
					timestamp,
				};
			case 7:
				return {
					role: "bashExecution",
					command: text.slice(0, 20),
					output: text,
					exitCode: odd % 3,
					cancelled: odd % 5 === 0,
					truncated: odd % 7 === 0,
					...(odd % 2 === 0 ? { fullOutputPath: "/tmp/out" } : {}),
					...(odd % 4 === 0 ? { excludeFromContext: true } : {}),
					timestamp,
				};
			case 8:
				return other % 2 === 0
					? { ...this.#system(step), ...(odd < 3 ? { content: null } : {}) }
					: { role: "custom", customType: "note", content, display: true, timestamp };
			default:
				return other % 2 === 0
					? { role: "someone", content: text, timestamp }
					: { role: "branchSummary", summary: text, fromId: null, timestamp };
		}
	}

	#assistant(step: Step, timestamp: number): object {
		const { pick, odd, other, text } = step;
		const [provider, model] = models[other % models.length] ?? models[0];
		const blocks = [
			...(pick % 4 === 0 ? [{ type: "thinking", thinking: text }] : []),
			{ type: "text", text },
			...(pick % 3 === 0
				? [{ type: "toolCall", id: `call-${other % 12}`, name: "bash", arguments: { command: text } }]
				: []),
		];
		return {
			role: "assistant",
			content: odd < 3 ? null : odd < 6 ? text : blocks,
			api: "messages",
			provider,
			...(odd === 7 ? {} : { model }),
			...(odd === 8 ? {} : { usage: this.#usage(step) }),
			stopReason: (["stop", "toolUse", "aborted", "error"] as const)[odd % 4],
			timestamp,
		};
	}
}
