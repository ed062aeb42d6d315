import type { Random } from "../../src/log/log.ts";
import { markOf, type ObservedHistory } from "./observed-history.ts";

/** An answer with what a caller needs of it. */
interface Answer {
	readonly status: number;
	readonly body: Record<string, unknown>;
	readonly headers: Headers;
	readonly begun: number;
	readonly ended: number;
}

interface Sent {
	readonly method: string;
	readonly path: string;
	readonly headers: Record<string, string>;
	readonly body: string;
}

/** A write that was acknowledged and can be recognised, with its first answer. */
interface Known {
	readonly sent: Sent;
	readonly answer: Answer;
}

/** One of many clients of a session, on whatever server comes first. */
export class Client {
	/** What should not have been answered. */
	readonly amiss: string[] = [];
	/** How often each thing was done. */
	readonly done: Record<string, number> = {};
	readonly #known: Known[] = [];
	/** Ids of stored entries, for leaves. */
	readonly #ids: string[] = [];
	#made = 0;

	constructor(
		readonly name: string,
		readonly session: string,
		readonly servers: readonly string[],
		readonly history: ObservedHistory,
		readonly chance: Random,
	) {}

	/** Does one thing after the other, chosen by chance. */
	async act(times: number): Promise<void> {
		for (let round = 0; round < times; round++) {
			const kinds = ["append", "append", "conditional", "repeat", "leaf", "read"] as const;
			const kind = kinds[Math.floor(this.chance.fraction() * kinds.length)]!;
			if (kind === "append") await this.#append({});
			else if (kind === "conditional") await this.#appendIfMatch();
			else if (kind === "repeat") await this.#repeat();
			else if (kind === "leaf") await this.#setLeaf();
			else await this.#read();
		}
	}

	/** One to three entries, recognised by a key, by their ids, or not at all. */
	async #append(condition: Record<string, string>): Promise<Answer | undefined> {
		const marks = Array.from({ length: 1 + Math.floor(this.chance.fraction() * 3) }, () => this.#newName());
		const by = this.chance.fraction();
		const entries = marks.map((content) => ({
			type: "message",
			message: { role: "user", content },
			...(by < 0.4 && { id: content }),
		}));
		const key = by > 0.6 ? { "Idempotency-Key": this.#newName() } : undefined;
		this.history.sent(this.session, marks);
		const sent = this.#writing("POST", "entries", { entries }, { ...condition, ...key });
		const answer = await this.#settled(sent, by < 0.4 || by > 0.6);
		if (answer?.status !== 201) return answer;
		this.#count(key ? "append with key" : by < 0.4 ? "append with ids" : "append");
		const stored = (answer.body.entries as { id: string }[]) ?? [];
		if (stored.map(markOf).join() !== marks.join()) this.amiss.push(`${marks.join()}: ${describe(answer)}`);
		this.#acknowledged(marks, answer);
		this.#ids.push(...stored.map(({ id }) => id));
		if (by < 0.4 || key) this.#known.push({ sent, answer });
		return answer;
	}

	/** Holds only where the session is as it was read: then the entries come right after it. */
	async #appendIfMatch(): Promise<void> {
		const read = await this.#read();
		if (!read) return;
		const answer = await this.#append({ "If-Match": read.headers.get("ETag") ?? "" });
		if (answer?.status === 412) return this.#count("refused by If-Match");
		const entries = answer?.body.entries as unknown[] | undefined;
		if (!answer || !entries) return;
		this.#count("held by If-Match");
		const first = (answer.body.seq as number) - entries.length + 1;
		if (first !== (read.body.seq as number) + 1) {
			this.amiss.push(`If-Match ${read.body.seq} held at ${first}`);
		}
	}

	/** Has no second effect on any server, and the first answer. */
	async #repeat(): Promise<void> {
		const known = this.#known[Math.floor(this.chance.fraction() * this.#known.length)];
		if (!known) return;
		const answer = await this.#ask(known.sent);
		if (answer.status === 503) return;
		const same =
			answer.status === 200 &&
			answer.headers.get("Idempotency-Replayed") === "true" &&
			answer.headers.get("ETag") === known.answer.headers.get("ETag") &&
			JSON.stringify(answer.body) === JSON.stringify(known.answer.body);
		if (same) this.#count("repeat");
		else this.amiss.push(`${describe(known.answer)}, repeated: ${describe(answer)}`);
	}

	/** With a key it always leaves an entry; without one only where the leaf is elsewhere. */
	async #setLeaf(): Promise<void> {
		const targetId = this.#ids[Math.floor(this.chance.fraction() * this.#ids.length)];
		if (targetId === undefined) return;
		const key = this.chance.fraction() < 0.5 ? { "Idempotency-Key": this.#newName() } : undefined;
		const sent = this.#writing("PUT", "leaf", { targetId }, { ...key });
		const answer = await this.#settled(sent, key !== undefined);
		if (answer?.status !== 200) return;
		if (answer.body.leafId !== targetId) this.amiss.push(`leaf ${targetId}: ${describe(answer)}`);
		if (answer.body.entry === undefined) {
			if (key) this.amiss.push(`a key that left no mark: ${describe(answer)}`);
			this.#count("leaf was there");
			this.#saw(answer);
			return;
		}
		this.#count(key ? "leaf with key" : "leaf");
		this.#acknowledged([markOf(answer.body.entry)], answer);
		if (key) this.#known.push({ sent, answer });
	}

	/** The leaf, now and again asked a second time, unless it is the same. */
	async #read(): Promise<Answer | undefined> {
		const read = { method: "GET", path: this.#path("leaf"), headers: {}, body: "" };
		const answer = await this.#ask(read);
		if (answer.status !== 200) return undefined;
		this.#count("read");
		this.#saw(answer);
		const tag = { "If-None-Match": answer.headers.get("ETag") ?? "" };
		const again = await this.#ask({ ...read, headers: tag });
		if (again.status === 200) this.#saw(again);
		if (again.status !== 304) return answer;
		this.#count("not modified");
		this.#saw({ ...again, body: answer.body });
		return answer;
	}

	/** The first clear answer: 503 leads to a repeat where it can be recognised, and to nothing where it can't. */
	async #settled(sent: Sent, recognised: boolean): Promise<Answer | undefined> {
		const first = await this.#ask(sent);
		for (let answer = first; ; answer = await this.#ask(sent)) {
			// A repeat that finds its entries stored is as good as the first answer.
			const status = sent.method === "POST" && answer.status === 200 ? 201 : answer.status;
			if (status !== 503) return { ...answer, status, begun: first.begun };
			if (!recognised) return undefined;
		}
	}

	async #ask({ method, path, headers, body }: Sent): Promise<Answer> {
		const server = this.servers[Math.floor(this.chance.fraction() * this.servers.length)];
		const begun = this.history.tick();
		const response = await fetch(server + path, { method, headers, ...(body && { body }) });
		const text = await response.text();
		const ended = this.history.tick();
		const answer = { status: response.status, body: {}, headers: response.headers, begun, ended };
		if (text !== "") answer.body = JSON.parse(text);
		const fine = [200, 201, 304, 503, ...("If-Match" in headers ? [412] : [])];
		if (!fine.includes(answer.status)) this.amiss.push(`${method} ${server}${path}: ${describe(answer)}`);
		return answer;
	}

	#writing(method: string, path: string, body: unknown, headers: Record<string, string>): Sent {
		const type = { "Content-Type": "application/json" };
		return { method, path: this.#path(path), headers: { ...type, ...headers }, body: JSON.stringify(body) };
	}

	#acknowledged(marks: readonly string[], { body, begun, ended }: Answer): void {
		this.history.acknowledged({ session: this.session, marks, last: body.seq as number, begun, ended });
	}

	#saw({ body, begun, ended }: Answer): void {
		this.history.sights.push({ session: this.session, seq: body.seq as number, begun, ended });
	}

	#path(rest: string): string {
		return `/v1/sessions/${this.session}/${rest}`;
	}

	#newName(): string {
		this.#made += 1;
		return `${this.name}-${this.#made}`;
	}

	#count(kind: string): void {
		this.done[kind] = (this.done[kind] ?? 0) + 1;
	}
}

function describe({ status, body }: Answer): string {
	return `${status} ${JSON.stringify(body)}`;
}
