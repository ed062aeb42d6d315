import { Log, type LogLimits, type Mutation } from "../../src/log/log.ts";
import { type Hazards, Machine, type World } from "./machine.ts";

/** A place where one process runs after the other: when one dies, a cold one starts some time later. */
export class Host {
	/** The process that runs now, and its engine; undefined between two. */
	running: { readonly machine: Machine; readonly log: Log } | undefined;
	readonly #world: World;
	readonly #name: string;
	readonly #parts: HostParts;
	#started = 0;

	constructor(world: World, name: string, parts: HostParts) {
		this.#world = world;
		this.#name = name;
		this.#parts = parts;
		this.#start();
	}

	#start(): void {
		const { scheduler, random, trace } = this.#world;
		const machine = new Machine(this.#world, `${this.#name}${++this.#started}`, this.#parts.hazards);
		const { limits, mutations } = this.#parts;
		this.running = {
			machine,
			log: new Log({ clock: machine.clock, random: random.fork(), limits, mutations }),
		};
		trace.note(machine.name, "starts");
		machine.lost.add(() => {
			this.running = undefined;
			scheduler.after(random.spread(10, 60_000), () => this.#start());
		});
	}
}

export interface HostParts {
	readonly hazards: Hazards;
	readonly limits: Partial<LogLimits>;
	readonly mutations: ReadonlySet<Mutation>;
}
