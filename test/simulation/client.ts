import type { Log, LogName, LogView } from "../../src/log/log.ts";
import { ambush } from "./ambush.ts";
import type { Cleaner } from "./cleaner.ts";
import { Arrival, bodyOf } from "./decisions.ts";
import type { Desk } from "./desk.ts";
import { type Answer, type Seen, type Wish, wantedId } from "./history.ts";
import type { Host } from "./host.ts";
import type { World } from "./machine.ts";
import type { SimulatedMutation } from "./mutation.ts";
import { type Action, drawPause, type Profile } from "./profile.ts";
import type { Rumour, Wishes } from "./wishes.ts";

/** A log as its clients know it. */
export interface Subject {
	readonly name: LogName;
	readonly desk: Desk;
	readonly wishes: Wishes;
	readonly rumour: Rumour;
}

/** Somebody who uses the logs through any of the hosts, one thing after the other, and asks again what he got no answer to. */
export class Client {
	readonly #world: World;
	readonly #profile: Profile;
	readonly #hosts: readonly Host[];
	readonly #subjects: readonly Subject[];
	/** A log that nobody knows yet. */
	readonly newSubject: () => Subject;
	readonly #cleaner: Cleaner;
	readonly #mutation: SimulatedMutation | undefined;

	constructor(parts: {
		readonly world: World;
		readonly profile: Profile;
		readonly hosts: readonly Host[];
		readonly subjects: readonly Subject[];
		readonly newSubject: () => Subject;
		readonly cleaner: Cleaner;
		readonly mutation: SimulatedMutation | undefined;
	}) {
		this.#world = parts.world;
		this.#profile = parts.profile;
		this.#hosts = parts.hosts;
		this.#subjects = parts.subjects;
		this.newSubject = parts.newSubject;
		this.#cleaner = parts.cleaner;
		this.#mutation = parts.mutation;
	}

	async live(): Promise<void> {
		const { random, scheduler } = this.#world;
		const first = random.pick(this.#subjects);
		await this.pursue(first, "create", first.wishes.create());
		for (let done = 0; done < this.#profile.actions; done++) {
			await scheduler.pause(drawPause(random, this.#profile));
			await this.#act(random.pick(this.#subjects), random.weighted(this.#profile.weights));
		}
	}

	async #act(subject: Subject, action: Action): Promise<void> {
		const { random } = this.#world;
		const { wishes, rumour } = subject;
		switch (action) {
			case "append":
				return this.pursue(subject, "append", wishes.append());
			case "move head":
				return this.pursue(subject, "append", wishes.moveHead());
			case "repeat":
				return rumour.wishes.length > 0
					? this.pursue(subject, "append", random.pick(rumour.wishes))
					: undefined;
			case "burst":
				return this.#burst(subject);
			case "create":
				return this.pursue(subject, "create", wishes.create());
			case "read":
			case "read bodies":
				return this.read(subject, action === "read bodies");
			case "ambush":
				return ambush(this, this.#world, this.#profile, this.#hosts);
			case "tip":
			case "newest":
				return this.ask(subject, action);
			case "end":
				return this.#endAndClean(subject);
		}
	}

	/** An end, and somebody who has the logs cleaned soon after: before it is time, that must do nothing. */
	async #endAndClean(subject: Subject): Promise<void> {
		const { random, scheduler } = this.#world;
		await this.end(subject);
		await scheduler.pause(random.spread(100, 600_000));
		await this.clean(subject);
	}

	async clean(subject: Subject): Promise<void> {
		await this.#cleaner.clean(subject.name);
	}

	/** Several appends at once at one host, some about what others of them bring. */
	async #burst(subject: Subject): Promise<void> {
		const { random, scheduler } = this.#world;
		const host = random.pick(this.#hosts);
		const near: string[] = [];
		const pursuits: Promise<void>[] = [];
		for (let left = random.between(2, 7); left > 0; left--) {
			const wish = random.chance(0.75) ? subject.wishes.append(near) : subject.wishes.moveHead(near);
			if (!wish.serverIds) near.push(...wish.records.map(({ id }) => id));
			pursuits.push(this.pursue(subject, "append", wish, host));
			if (random.chance(0.2)) pursuits.push(this.pursue(subject, "append", wish, host));
			if (random.chance(0.5)) await scheduler.pause(random.below(40));
		}
		await Promise.all(pursuits);
	}

	/** Asks for a wish, here or there, until it is clear what became of it or interest fades. */
	async pursue(subject: Subject, kind: "append" | "create", wish: Wish, at?: Host): Promise<void> {
		const { random, scheduler } = this.#world;
		for (let host = at; ; host = undefined) {
			const answer = await subject.desk.ask(
				host ?? random.pick(this.#hosts),
				{ kind, wish },
				async (log, scope) => {
					const arrival = new Arrival(wish, random, this.#mutation);
					if (kind === "create") {
						const genesis = { meta: { of: wish.tag }, bytes: bodyOf(wish.tag, this.#profile.size) };
						const outcome = await log.create(scope, subject.name, {
							tag: wish.tag,
							genesis,
							records: arrival.records(null),
						});
						if ("view" in outcome) return { kind: outcome.kind, seen: seenIn(outcome.view) };
						return outcome.kind === "unavailable" ? unsettled(outcome.reason) : outcome;
					}
					const outcome = await log.append(scope, subject.name, arrival);
					if (outcome.kind === "done") return outcome.answer;
					return outcome.kind === "unavailable" ? unsettled(outcome.reason) : outcome;
				},
			);
			this.#talk(subject.rumour, answer);
			if (!["lost", "indeterminate", "undone", "absent"].includes(answer.kind) || random.chance(0.2)) return;
			await scheduler.pause(drawPause(random, this.#profile));
		}
	}

	/** Asks once where the log ends. */
	async ask({ desk, name }: Subject, kind: "tip" | "newest"): Promise<void> {
		await desk.ask(this.#world.random.pick(this.#hosts), { kind }, async (log, scope) => {
			if (kind === "newest") return { kind, commit: await log.newestCommit(scope, name) };
			const outcome = await log.tip(scope, name);
			if (outcome.kind !== "ok") return outcome;
			return { kind: "seen", seen: { commit: outcome.commit, length: outcome.length, head: outcome.head } };
		});
	}

	/** Asks once to end a log, perhaps only at the length it is said to have. */
	async end({ desk, name, rumour }: Subject, at?: Host): Promise<void> {
		const { random } = this.#world;
		const ifLength = random.chance(this.#profile.conditions) ? rumour.length : undefined;
		const question = { kind: "end" as const, ...(ifLength === undefined ? {} : { ifLength }) };
		await desk.ask(at ?? random.pick(this.#hosts), question, async (log, scope) => {
			const outcome =
				ifLength === undefined
					? await log.end(scope, name)
					: await log.endIf(scope, name, (view) => view.length === ifLength);
			if (outcome.kind === "refused") return { kind: "refused", why: "length" };
			return outcome.kind === "unavailable" ? unsettled(outcome.reason) : outcome;
		});
	}

	/** Reads a log, and perhaps bodies of it, then or later. */
	async read(subject: Subject, bodies: boolean, at?: Host): Promise<void> {
		const { random, scheduler } = this.#world;
		const { desk, name, rumour } = subject;
		const host = at ?? random.pick(this.#hosts);
		let view: LogView | undefined;
		let reader: Log | undefined;
		const answer = await desk.ask(host, { kind: "read" }, async (log, scope) => {
			const outcome = await log.read(scope, name, random.pick(["index", "bodies"]));
			if (outcome.kind !== "ok") return outcome;
			view = outcome.view;
			reader = log;
			return { kind: "seen", seen: seenIn(view) };
		});
		this.#talk(rumour, answer);
		if (!bodies || view === undefined) return;
		const held = view;
		if (random.chance(0.5)) await scheduler.pause(drawPause(random, this.#profile));
		// A view lives no longer than the process that gave it.
		if (host.running?.log !== reader) return;
		await desk.ask(host, { kind: "bodies" }, async () => {
			desk.problems.push(...(await wrongBodies(held, rumour, random.fraction())));
			return { kind: "indeterminate" };
		});
	}

	#talk(rumour: Rumour, answer: Answer | { readonly kind: "lost" }): void {
		if (answer.kind === "landed") {
			rumour.ids.push(...answer.ids.filter((id) => !rumour.ids.includes(id)));
			if (answer.last > rumour.length)
				Object.assign(rumour, { length: answer.last, head: answer.ids.at(-1) });
		} else if ("seen" in answer && answer.seen.length >= rumour.length) {
			Object.assign(rumour, { length: answer.seen.length, head: answer.seen.head });
		}
	}
}

function unsettled(reason: "indeterminate" | "contention"): Answer {
	return { kind: reason === "contention" ? "undone" : "indeterminate" };
}

function seenIn(view: LogView): Seen {
	const ids = Array.from({ length: view.length }, (_, index) => view.id(index + 1));
	return { commit: view.commit, length: view.length, head: view.head, ids };
}

/** Reads the bodies of some share of a view's records, and tells which are not theirs. */
async function wrongBodies(view: LogView, rumour: Rumour, share: number): Promise<string[]> {
	const from = 1 + Math.floor(view.length * (1 - share));
	const seqs = Array.from({ length: view.length + 1 - from }, (_, index) => from + index);
	const bodies = await view.bodies(seqs);
	return seqs
		.filter((seq) => {
			const id = view.id(seq);
			const right = bodyOf(id, rumour.sizes.get(wantedId(id)) ?? -1);
			const body = bodies.get(seq);
			return body === undefined || Buffer.compare(body, right) !== 0;
		})
		.map((seq) => `the body of ${view.id(seq)} (seq ${seq}) is not its own`);
}
