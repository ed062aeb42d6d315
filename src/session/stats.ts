import { liveContextTokens } from "./compaction.ts";
import { isMessageKind } from "./kind.ts";
import type { SessionIndex } from "./session-index.ts";
import { type UsageNumbers, unpackUsage } from "./usage.ts";

export interface TokenCounts {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	/** The sum of the four. */
	readonly total: number;
}

export interface SessionStats {
	readonly totalMessages: number;
	readonly userMessages: number;
	readonly assistantMessages: number;
	readonly toolResults: number;
	readonly toolCalls: number;
	readonly tokens: TokenCounts;
	/** In the currency of the messages' own costs. */
	readonly cost: number;
	/** What assistant messages and usage entries name a model for; the dearest first. */
	readonly models: readonly { readonly model: string; readonly tokens: number; readonly cost: number }[];
	/** Of the live context. */
	readonly contextTokens: number;
}

/** Adds up in log order, so that the sums are pi's to the last digit. */
class Totals {
	input = 0;
	output = 0;
	cacheRead = 0;
	cacheWrite = 0;
	cost = 0;

	add(usage: UsageNumbers): void {
		this.input += usage.input;
		this.output += usage.output;
		this.cacheRead += usage.cacheRead;
		this.cacheWrite += usage.cacheWrite;
		this.cost += usage.cost;
	}
	get total(): number {
		return this.input + this.output + this.cacheRead + this.cacheWrite;
	}
}

const kindsWithUsage = new Set(["m.assistant", "m.toolResult", "usage", "compaction", "branch_summary"]);

/** Totals over all branches of a session, what was compacted away included. */
export function sessionStats(index: SessionIndex): SessionStats {
	const totals = new Totals();
	const models = new Map<string, Totals>();
	const count = { totalMessages: 0, userMessages: 0, assistantMessages: 0, toolResults: 0, toolCalls: 0 };
	for (let seq = 1; seq <= index.length; seq++) {
		const kind = index.kind(seq);
		if (isMessageKind(kind)) count.totalMessages++;
		if (kind === "m.user") count.userMessages++;
		else if (kind === "m.assistant") count.assistantMessages++;
		else if (kind === "m.toolResult") count.toolResults++;
		if (!kindsWithUsage.has(kind)) continue;
		const meta = index.meta(seq);
		if (kind === "m.assistant" && Array.isArray(meta.c)) count.toolCalls += meta.c.length;
		const usage = unpackUsage(meta.u);
		if (usage === undefined) continue;
		totals.add(usage);
		if (kind !== "m.assistant" && kind !== "usage") continue;
		const model = modelName(meta.m);
		const own = models.get(model) ?? new Totals();
		own.add(usage);
		models.set(model, own);
	}
	const { input, output, cacheRead, cacheWrite, total, cost } = totals;
	return {
		...count,
		tokens: { input, output, cacheRead, cacheWrite, total },
		cost,
		models: [...models]
			.map(([model, own]) => ({ model, tokens: own.total, cost: own.cost }))
			.filter((own) => own.cost > 0 || own.tokens > 0)
			.sort((one, other) => other.cost - one.cost),
		contextTokens: liveContextTokens(index),
	};
}

/** `provider/model`; what is missing is left out. */
function modelName(model: unknown): string {
	if (!Array.isArray(model)) return "";
	return model.filter((part) => typeof part === "string").join("/");
}
