import fc from "fast-check";
import type { Entry } from "../../src/session/entry.ts";
import type { Reply, World } from "./world.ts";

/** One thing to do: what it is, and numbers that its parts are picked by. */
export interface Step {
	readonly what: number;
	readonly parent: number;
	readonly pick: number;
	readonly other: number;
	readonly text: string;
}

const step: fc.Arbitrary<Step> = fc.record({
	what: fc.nat(99),
	parent: fc.nat(99),
	pick: fc.nat(1 << 20),
	other: fc.nat(1 << 20),
	text: fc.oneof(
		fc.constantFrom(
			"",
			"hello",
			"a\r\nb",
			"  ",
			"重构这个模块",
			"🙂🙃",
			"\u2028\u0000",
			"\ud83d",
			"__proto__",
		),
		fc.string({ maxLength: 30 }),
	),
});

/** So many things to do on one session. */
export function randomSteps(least: number, most: number): fc.Arbitrary<Step[]> {
	return fc.array(step, { minLength: least, maxLength: most, size: "max" });
}

/** Does what steps say over HTTP, and remembers what was answered: the session as it should be. */
export class Player {
	/** As answered, in log order, `leaf` entries included. */
	readonly entries: Entry[] = [];
	leafId: string | null = null;
	readonly session: string;
	readonly #instances: readonly World[];
	readonly #byId = new Map<string, Entry>();

	constructor(session: string, instances: readonly World[]) {
		this.session = session;
		this.#instances = instances;
	}

	async play(steps: readonly Step[]): Promise<void> {
		for (const [at, step] of steps.entries()) await this.#do(at, step);
	}

	/** Ids of entries that nothing hangs below. */
	tips(): string[] {
		const parents = new Set(this.entries.map(({ parentId }) => parentId));
		return this.entries.filter(({ type, id }) => type !== "leaf" && !parents.has(id)).map(({ id }) => id);
	}

	async #do(at: number, step: Step): Promise<void> {
		const { what, pick, other } = step;
		if (what < 12) return this.#move(at, step);
		const count = what < 20 ? 1 + (other % 4) : 1;
		const drafts: object[] = [];
		for (let n = 0; n < count; n++) {
			const own = { ...step, what: (what * 7 + n * 31) % 100, pick: pick + n * 977 };
			drafts.push(this.#draft(own, n === 0, `e${at.toString(36)}-${n}`));
		}
		const keepLeaf = what === 20 || what === 21;
		await this.#append(at, count === 1 && pick % 2 === 0 ? drafts[0] : { entries: drafts }, keepLeaf);
	}

	/** A request, sent again now and then: with the same key it is answered as it was. */
	async #send(at: number, method: "POST" | "PUT", path: string, body: unknown): Promise<Reply> {
		const [usual, now] = this.#instances as [World, World];
		const instance = at % 4 === 0 ? now : usual;
		const headers = at % 5 === 0 ? { "Idempotency-Key": `key-${at}` } : {};
		const reply = await instance.call(method, this.session + path, body, headers as Record<string, string>);
		if (reply.status >= 300) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${reply.text}`);
		if (at % 15 === 0) {
			const other = instance === usual ? now : usual;
			const again = await other.call(method, this.session + path, body, headers as Record<string, string>);
			const same = again.text === reply.text && again.headers.get("ETag") === reply.headers.get("ETag");
			if (!same || again.status !== 200) throw new Error(`${path} was not repeated: ${again.text}`);
		}
		return reply;
	}

	async #move(at: number, { pick, parent }: Step): Promise<void> {
		const targets = this.entries.filter(({ type }) => type !== "leaf");
		const targetId =
			parent > 95 || targets.length === 0 ? null : (targets[pick % targets.length] as Entry).id;
		const reply = await this.#send(at, "PUT", "/leaf", { targetId });
		if (reply.body.entry !== undefined) this.#keep(reply.body.entry);
		this.#expectState(reply);
	}

	async #append(at: number, body: unknown, keepLeaf: boolean): Promise<void> {
		const before = this.leafId;
		const reply = await this.#send(at, "POST", `/entries${keepLeaf ? "?keepLeaf=true" : ""}`, body);
		for (const entry of reply.body.entries) this.#keep(entry);
		if (keepLeaf) {
			const last = this.entries.at(-1) as Entry;
			const instance = this.#instances[0] as World;
			const log = await instance.get(`${this.session}/entries?after=${reply.body.seq - 1}`);
			this.#keep(log.body.entries[0]);
			const [leaf] = log.body.entries;
			if (leaf.parentId !== last.id || leaf.targetId !== before) throw new Error(`not back: ${log.text}`);
		}
		this.#expectState(reply);
	}

	#keep(entry: Entry): void {
		this.entries.push(entry);
		this.#byId.set(entry.id, entry);
		this.leafId = entry.type === "leaf" ? (entry.targetId as string | null) : entry.id;
	}

	#expectState({ body, text }: Reply): void {
		if (body.seq !== this.entries.length || body.leafId !== this.leafId) {
			throw new Error(`expected ${this.leafId} at ${this.entries.length}: ${text}`);
		}
	}

	#path(id: string | null): Entry[] {
		const path: Entry[] = [];
		for (let at = id; at !== null; ) {
			const entry = this.#byId.get(at);
			if (entry === undefined) break;
			path.unshift(entry);
			at = entry.parentId;
		}
		return path;
	}

	/** An entry that can be appended as it is. Only the first one of a request chooses its parent. */
	#draft(step: Step, first: boolean, ownId: string): object {
		const { what, parent, pick, other } = step;
		const nodes = this.entries.filter(({ type }) => type !== "leaf");
		const chosen = first && parent < 25 && nodes.length > 0;
		const parentId =
			parent === 0 ? null : ((nodes[pick % Math.max(1, nodes.length)]?.id ?? null) as string | null);
		const place = chosen ? { parentId } : {};
		const id = other % 3 === 0 ? { id: ownId } : {};
		const path = first ? this.#path(chosen ? parentId : this.leafId) : [];
		const fields = this.#fields(step, what, path, nodes);
		return { ...fields, ...id, ...place };
	}

	#fields(step: Step, what: number, path: readonly Entry[], nodes: readonly Entry[]): object {
		const { pick, other, text } = step;
		const target = nodes[other % Math.max(1, nodes.length)];
		if (what >= 92 && target !== undefined) {
			return { type: "label", targetId: target.id, ...(pick % 4 === 0 ? {} : { label: text }) };
		}
		const editable = path.filter(isEditable);
		const edited = editable[other % Math.max(1, editable.length)];
		if (what >= 84 && edited !== undefined) {
			const blocks = [{ type: "text", text }];
			const replacement = pick % 3 === 0 ? null : { content: pick % 2 === 0 ? text : blocks };
			return { type: "context_edit", targetId: edited.id, replacement };
		}
		if (what >= 78 && path.length > 0) {
			const kept = pick % 5 === 0 ? null : (path[other % path.length] as Entry).id;
			return { type: "compaction", summary: text, firstKeptEntryId: kept, tokensBefore: pick };
		}
		if (what >= 73) return { type: "branch_summary", fromId: target?.id ?? "root", summary: text };
		if (what >= 70) return { type: "session_info", name: text };
		if (what >= 67) return { type: "model_change", provider: `p${pick % 3}`, modelId: `m${other % 3}` };
		if (what >= 64) return { type: "thinking_level_change", thinkingLevel: ["off", "low", "high"][pick % 3] };
		if (what >= 61) return { type: "custom", customType: "x", data: { [text]: [other, null] } };
		if (what >= 57) {
			return {
				type: "custom_message",
				customType: "x",
				content: text,
				display: pick % 2 === 0,
				details: { pick },
			};
		}
		if (what >= 55) return { type: "usage", kind: "warm", provider: "p", model: "m", usage: usage(pick) };
		return { type: "message", message: message(step) };
	}
}

function isEditable(entry: Entry): boolean {
	if (entry.type === "custom_message") return true;
	const role = (entry.message as { role?: string } | undefined)?.role ?? "";
	return entry.type === "message" && ["user", "assistant", "toolResult"].includes(role);
}

function usage(pick: number): object {
	const parts = { input: pick % 900, output: pick % 70, cacheRead: 0, cacheWrite: pick % 7 };
	return {
		...parts,
		totalTokens: pick % 1000,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: pick / 1e6 },
	};
}

function message({ pick, other, text }: Step): object {
	const timestamp = 1_748_770_000_000 + other;
	const blocks = [
		{ type: "text", text },
		...(pick % 9 === 0 ? [{ type: "image", data: "aGk=", mimeType: "image/png" }] : []),
	];
	switch (pick % 8) {
		case 0:
		case 1:
		case 2:
			return { role: "user", content: other % 2 === 0 ? text : blocks, timestamp, extra: { [text]: 1 } };
		case 3:
		case 4:
			return {
				role: "assistant",
				content: [
					{ type: "text", text },
					...(pick % 3 === 0
						? [{ type: "toolCall", id: `c${other}`, name: "x", arguments: { [text]: text } }]
						: []),
				],
				api: "x",
				provider: `p${other % 3}`,
				model: `m${pick % 3}`,
				usage: usage(pick),
				stopReason: (["stop", "toolUse", "aborted", "error"] as const)[other % 4],
				timestamp,
			};
		case 5:
			return {
				role: "toolResult",
				toolCallId: `unknown-${other}`,
				toolName: "x",
				content: blocks,
				isError: other % 2 === 0,
				timestamp,
			};
		case 6:
			return {
				role: "bashExecution",
				command: text,
				output: text,
				exitCode: other % 3,
				cancelled: other % 5 === 0,
				truncated: false,
				...(other % 4 === 0 ? { excludeFromContext: true } : {}),
				timestamp,
			};
		default:
			return {
				role: "system",
				content: text,
				...(other % 2 === 0 ? { sections: { [`s${pick % 3}`]: other % 3 === 0 ? null : text } } : {}),
				...(other % 3 === 1
					? { toolsAdded: [{ name: `t${pick % 3}`, description: text, parameters: {} }] }
					: {}),
				...(other % 5 === 1 ? { toolsRemoved: [{ name: `t${other % 3}` }] } : {}),
				timestamp,
			};
	}
}
