import { createHash } from "node:crypto";
import type { AppendRequest, Decision, LogView, NewRecord, Placed } from "../../src/log/log.ts";
import type { Answer, Refusal, WantedRecord, Wish } from "./history.ts";
import type { SimulatedMutation } from "./mutation.ts";
import type { Seeded } from "./seeded.ts";

/** One arrival of a wish at a process: what the layer above the log makes of it. */
export class Arrival implements AppendRequest<Answer> {
	readonly #wish: Wish;
	readonly #random: Seeded;
	readonly #mutation: SimulatedMutation | undefined;
	/** Switched off: that ids and tag are fixed. Where the client gave the ids, they are. */
	readonly #drifts: boolean;
	#suffix: string;

	constructor(wish: Wish, random: Seeded, mutation?: SimulatedMutation) {
		this.#wish = wish;
		this.#random = random;
		this.#mutation = mutation;
		this.#drifts = mutation === "ids-fixed-on-arrival" && wish.serverIds === true;
		this.#suffix = this.#anotherSuffix();
	}

	get tag(): string {
		return this.#drifts ? `${this.#wish.tag}${this.#suffix.replace("@", "#")}` : this.#wish.tag;
	}

	decide(view: LogView, own: boolean): Decision<Answer> | Promise<Decision<Answer>> {
		return this.#wish.reads && view.length > 0 ? this.#readAndDecide(view, own) : this.#decide(view, own);
	}

	async #readAndDecide(view: LogView, own: boolean): Promise<Decision<Answer>> {
		await view.bodies([view.length]);
		return this.#decide(view, own);
	}

	#decide(view: LogView, own: boolean): Decision<Answer> {
		if (this.#drifts) this.#suffix = this.#anotherSuffix();
		const refuse = (why: Refusal): Decision<Answer> => ({ kind: "answer", answer: { kind: "refused", why } });
		const { ifLength } = this.#wish;
		if (
			this.#mutation === "duplicate-before-if-match" &&
			ifLength !== undefined &&
			ifLength !== view.length
		) {
			return refuse("length");
		}
		const known = view.request(this.tag);
		if (known.length > 0) return { kind: "answer", answer: replayed(view, known, own) };
		const records = this.records(view.head);
		const why = refusal(this.#wish, records, view);
		if (why) return refuse(why);
		const ids = records.map(({ id }) => id);
		return { kind: "commit", records, result: (placed) => landed(placed, ids) };
	}

	/** The records as they lie where the head is `head`. */
	records(head: string | null): NewRecord[] {
		let parent = head;
		return this.#wish.records.map((wanted) => {
			const id = this.#wish.serverIds ? `${wanted.id}${this.#suffix}` : wanted.id;
			const record = {
				...recordOf(wanted, id),
				parent: wanted.parent === undefined ? parent : wanted.parent,
			};
			parent = wanted.head === undefined ? id : wanted.head;
			return record;
		});
	}

	#anotherSuffix(): string {
		return `@${this.#random.next().toString(36)}`;
	}
}

function refusal(wish: Wish, records: readonly NewRecord[], view: LogView): Refusal | undefined {
	if (wish.ifLength !== undefined && view.length !== wish.ifLength) return "length";
	if (wish.targets?.some((id) => view.seqOf(id) === undefined)) return "target";
	if (records.some(({ id }) => view.seqOf(id) !== undefined)) return "taken";
	return wish.unlessHead !== undefined && view.head === wish.unlessHead ? "nothing" : undefined;
}

function replayed(view: LogView, seqs: readonly number[], own: boolean): Answer {
	const [first, last] = [seqs[0]!, seqs.at(-1)!];
	return {
		kind: "landed",
		commit: view.commitOf(first),
		first,
		last,
		ids: seqs.map((seq) => view.id(seq)),
		own,
	};
}

function landed({ commit, first, last }: Placed, ids: readonly string[]): Answer {
	return { kind: "landed", commit, first, last, ids, own: true };
}

function recordOf({ head, size }: WantedRecord, id: string): Omit<NewRecord, "parent"> {
	const digest = createHash("sha256").update(id).digest();
	const kind = head === undefined ? "message" : "leaf";
	const time =
		digest[0]! < 200 ? new Date(1.7e12 + digest.readUInt32LE(1)).toISOString() : `${digest[1]}-odd`;
	const meta = digest[2]! < 128 ? { preview: `of ${id} ✓` } : undefined;
	return { id, kind, time, meta, bytes: bodyOf(id, size), ...(head === undefined ? {} : { head }) };
}

/** The line of a record: anybody who knows its id and size can tell whether it is the right one. */
export function bodyOf(id: string, size: number): Uint8Array {
	return new TextEncoder().encode(
		`{"id":${JSON.stringify(id)},"filling":"${"é·".repeat(Math.ceil(size / 4))}"}`,
	);
}
