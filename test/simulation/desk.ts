import { Corrupt, type Log, LogGone, type Scope } from "../../src/log/log.ts";
import { StoreUnavailable } from "../../src/store/object-store.ts";
import type { Bucket } from "./bucket.ts";
import { type Answer, type Operation, type Question, told } from "./history.ts";
import type { Host } from "./host.ts";
import { Link } from "./link.ts";
import type { Machine, World } from "./machine.ts";
import type { Profile } from "./profile.ts";

/** A request that a process works on. */
interface Pending {
	readonly operation: Operation;
	readonly machine: Machine;
	readonly link: Link;
}

/** Takes questions about one log to the processes, and notes down what was asked and answered, and when. */
export class Desk {
	readonly operations: Operation[] = [];
	/** What no answer should ever be. */
	readonly problems: string[] = [];
	readonly #world: World;
	readonly #profile: Profile;
	readonly #bucket: Bucket;
	readonly #log: string;
	readonly #pending = new Set<Pending>();

	constructor(world: World, profile: Profile, bucket: Bucket, log: string) {
		this.#world = world;
		this.#profile = profile;
		this.#bucket = bucket;
		this.#log = log;
	}

	/**
	 * Asks the process that runs on `host`. `lost`: there was none, it died, its platform ended the request, or the
	 * client's patience did; what it does is then nobody's to know, but if it still answers, that counts.
	 */
	ask(
		host: Host,
		question: Question,
		work: (log: Log, scope: Scope) => Promise<Answer>,
	): Promise<Answer | { readonly kind: "lost" }> {
		const { scheduler, random } = this.#world;
		return new Promise((resolve) => {
			const lose = () => resolve({ kind: "lost" });
			scheduler.after(random.spread(5000, 300_000), lose);
			const { running } = host;
			if (!running) return scheduler.after(random.below(100), lose);
			running.machine.lost.add(() => scheduler.after(random.below(1000), lose));
			running.machine.step(random.spread(1, 30), () => {
				this.#begin(running.machine, running.log, question, work, resolve, lose);
			});
		});
	}

	/** Requests that were never answered although nothing ended them. */
	hanging(): string[] {
		return [...this.#pending]
			.filter(({ machine, link }) => machine.alive && !link.dropped)
			.map(({ operation }) => `${told(operation)}: hangs`);
	}

	#begin(
		machine: Machine,
		log: Log,
		question: Question,
		work: (log: Log, scope: Scope) => Promise<Answer>,
		resolve: (answer: Answer) => void,
		lose: () => void,
	): void {
		const { scheduler, random, trace } = this.#world;
		const operation: Operation = { number: this.operations.length, question, called: scheduler.step };
		this.operations.push(operation);
		const name = `${machine.name} ${this.#log}#${operation.number}`;
		trace.note(name, `is asked: ${JSON.stringify(question)}`);
		const link = new Link(this.#world, machine, this.#bucket, this.#profile.faults, name);
		const pending = { operation, machine, link };
		this.#pending.add(pending);
		if (random.chance(this.#profile.dropped)) {
			scheduler.after(random.spread(1, 20_000), () => {
				if (operation.returned !== undefined) return;
				link.dropped = true;
				this.#world.tally.add("fault: dropped request");
				trace.note(name, "is dropped by its platform");
				lose();
			});
		}
		const scope: Scope = {
			store: link,
			waitUntil: (promise) => void promise.catch(() => undefined),
			...(random.chance(this.#profile.deadlines)
				? { deadline: machine.clock.now() + random.spread(50, 30_000) }
				: {}),
		};
		work(log, scope)
			.catch((error: unknown) => this.#failure(operation, error))
			.then((answer) => {
				this.#pending.delete(pending);
				operation.returned = scheduler.step;
				operation.answer = answer;
				trace.note(name, `answers: ${JSON.stringify(answer)}`);
				machine.step(random.spread(1, 30), () => resolve(answer));
			});
	}

	#failure(operation: Operation, error: unknown): Answer {
		const { kind } = operation.question;
		if (error instanceof StoreUnavailable) return { kind: kind === "append" ? "undone" : "indeterminate" };
		if (error instanceof LogGone) return { kind: "gone" };
		const why =
			error instanceof Corrupt ? `Corrupt: ${error.message}` : String((error as Error).stack ?? error);
		this.problems.push(`${told(operation)}: ${why}`);
		return { kind: "indeterminate" };
	}
}
