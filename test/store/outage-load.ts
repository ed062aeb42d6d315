import { setTimeout as sleep } from "node:timers/promises";
import { type Moment, markOf, ObservedHistory } from "../start/observed-history.ts";
import type { Instance } from "./outage-instances.ts";

/** One answer, as its caller saw it. */
export interface Answer {
	readonly method: string;
	readonly path: string;
	readonly status: number;
	readonly body: Record<string, unknown>;
	readonly headers: Headers;
	readonly begun: Moment;
	readonly ended: Moment;
}

/** A request for entries that can be sent again. */
export interface Writing {
	readonly session: string;
	readonly marks: readonly string[];
	readonly init: { readonly method: string; readonly headers: Record<string, string>; readonly body: string };
	/** Of the first attempt. */
	readonly begun: Moment;
	/** The codes of the 503s it was answered. */
	readonly refusals: Set<unknown>;
	/** The first answer that said it is stored. */
	stored?: Record<string, unknown>;
}

/** Callers that write, read and create without end, and keep what they saw. */
export class OutageLoad {
	readonly history = new ObservedHistory();
	readonly answers: Answer[] = [];
	readonly writings: Writing[] = [];
	/** Ids of the sessions that were made on the way. */
	readonly created: string[] = [];
	/** Answers that are neither success nor an honest 503. */
	readonly amiss: string[] = [];
	/** Writings that were answered 503 `storage_unavailable` and then turned out to be stored. */
	readonly landedUnseen: Writing[] = [];
	readonly #name: string;
	readonly #instances: readonly Instance[];
	readonly #callers: Promise<void>[] = [];
	#turn = 0;
	#stopping = false;

	constructor(name: string, instances: readonly Instance[]) {
		this.#name = name;
		this.#instances = instances;
	}

	/**
	 * Sets off callers of one session that all instances write to, and of one each that is first tried on the same
	 * instance always; and a maker of sessions.
	 */
	async start(): Promise<void> {
		const shared = `${this.#name}-shared`;
		await this.ask(this.#next(), "/v1/sessions", json({ id: shared }));
		for (const [at, instance] of this.#instances.entries()) {
			const own = `${this.#name}-own-${at}`;
			await this.ask(instance, "/v1/sessions", json({ id: own }));
			this.#callers.push(this.#write(shared, `${at}-stubborn`, instance, false));
			this.#callers.push(this.#write(shared, `${at}-fickle`, instance, true));
			this.#callers.push(this.#write(own, `${at}-own`, instance, false), this.#read(own), this.#read(shared));
		}
		this.#callers.push(this.#create());
	}

	/** Resolves once all have their answers. */
	async stop(): Promise<void> {
		this.#stopping = true;
		await Promise.all(this.#callers);
	}

	/** How many writes were acknowledged since. */
	acknowledgedSince(moment: Moment): number {
		return this.history.writes.filter(({ ended }) => ended > moment).length;
	}

	/** Answers to requests that began and ended within. */
	answersWithin(from: Moment, to: Moment): Answer[] {
		return this.answers.filter(({ begun, ended }) => begun > from && ended < to);
	}

	/** Sends a writing once. True where it is stored now, as the history then tells. */
	async send(instance: Instance, writing: Writing): Promise<boolean> {
		const answer = await this.ask(instance, `/v1/sessions/${writing.session}/entries`, writing.init);
		if (answer.status === 503) writing.refusals.add(answer.body.code);
		if (answer.status !== 200 && answer.status !== 201) return false;
		const { session, marks, begun } = writing;
		const stored = (answer.body.entries as unknown[]).map(markOf);
		if (stored.join() !== marks.join()) this.amiss.push(`stored ${stored.join()} for ${marks.join()}`);
		const last = answer.body.seq as number;
		if (!writing.stored && answer.status === 200) {
			if (writing.refusals.has("storage_unavailable")) this.landedUnseen.push(writing);
			else this.amiss.push(`stored, though nobody was left in doubt: ${marks.join()}`);
		}
		if (!writing.stored) this.history.acknowledged({ session, marks, last, begun, ended: answer.ended });
		writing.stored ??= answer.body;
		return true;
	}

	async ask(instance: Instance, path: string, init: RequestInit & { method?: string } = {}): Promise<Answer> {
		const begun = this.history.tick();
		const response = await instance(new Request(`http://127.0.0.1${path}`, init));
		const text = await response.text();
		const { status, headers } = response;
		const method = init.method ?? "GET";
		const answer = {
			method,
			path,
			status,
			body: JSON.parse(text),
			headers,
			begun,
			ended: this.history.tick(),
		};
		this.answers.push(answer);
		const honest =
			status === 503 &&
			/^[1-9]\d*$/.test(headers.get("Retry-After") ?? "") &&
			["storage_unavailable", "contention"].includes(answer.body.code);
		if (status !== 200 && status !== 201 && !honest) {
			this.amiss.push(`${method} ${path}: ${status} ${text}`);
		}
		return answer;
	}

	/** A fickle one leaves what was answered 503 as it is; a stubborn one repeats it elsewhere until it knows. */
	async #write(session: string, name: string, first: Instance, fickle: boolean): Promise<void> {
		for (let round = 0; !this.#stopping; round++) {
			const writing = this.#newWriting(session, `${name}-${round}`, round);
			let stored = await this.send(first, writing);
			while (!stored && !fickle) {
				await sleep(200);
				stored = await this.send(this.#next(), writing);
			}
			await sleep(fickle ? 60 : 20);
		}
	}

	#newWriting(session: string, name: string, round: number): Writing {
		const marks = Array.from({ length: 1 + (round % 3) }, (_, at) => `${name}-${at}`);
		const keyed = round % 2 === 0;
		const entries = marks.map((content) => ({
			type: "message",
			message: { role: "user", content },
			...(!keyed && { id: content }),
		}));
		const init = json({ entries }, keyed ? name : undefined);
		const writing = { session, marks, init, begun: this.history.tick(), refusals: new Set<unknown>() };
		this.history.sent(session, marks);
		this.writings.push(writing);
		return writing;
	}

	async #read(session: string): Promise<void> {
		while (!this.#stopping) {
			const view = this.#turn % 2 === 0 ? "leaf" : "branch?limit=5";
			const { status, body, begun, ended } = await this.ask(this.#next(), `/v1/sessions/${session}/${view}`);
			const seq = body.seq as number;
			if (status === 200) this.history.sights.push({ session, seq, begun, ended });
			await sleep(50);
		}
	}

	async #create(): Promise<void> {
		for (let round = 0; !this.#stopping; round++) {
			const id = `${this.#name}-made-${round}`;
			const init = json({ id, name: id }, id);
			while ((await this.ask(this.#next(), "/v1/sessions", init)).status === 503) await sleep(200);
			this.created.push(id);
			await sleep(100);
		}
	}

	#next(): Instance {
		this.#turn += 1;
		return this.#instances[this.#turn % this.#instances.length]!;
	}
}

function json(body: unknown, key?: string): Writing["init"] {
	const headers = { "Content-Type": "application/json", ...(key && { "Idempotency-Key": key }) };
	return { method: "POST", headers, body: JSON.stringify(body) };
}
