import { type LogName, logPrefix } from "../../src/log/keys.ts";
import { purgeLog, storeTime } from "../../src/log/purge.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import { StoreUnavailable } from "../../src/store/object-store.ts";
import type { Bucket } from "./bucket.ts";
import { Link } from "./link.ts";
import { Machine, type World } from "./machine.ts";
import type { SimulatedMutation } from "./mutation.ts";
import { calm, type Profile } from "./profile.ts";

/** So long after its purge a log is looked at once more. */
const again = 24 * 60 * 60_000;

/** The scheduled purge: a process of its own for each look at the logs, which may fail, stand still or die like any other. */
export class Cleaner {
	readonly problems: string[] = [];
	#calm = false;
	readonly #finished = new Set<string>();
	readonly #world: World;
	readonly #profile: Profile;
	readonly #bucket: Bucket;
	/** Grows while the run goes on. */
	readonly #logs: readonly { readonly name: LogName }[];
	readonly #mutation: SimulatedMutation | undefined;

	constructor(parts: {
		readonly world: World;
		readonly profile: Profile;
		readonly bucket: Bucket;
		readonly subjects: readonly { readonly name: LogName }[];
		readonly mutation: SimulatedMutation | undefined;
	}) {
		this.#world = parts.world;
		this.#profile = parts.profile;
		this.#bucket = parts.bucket;
		this.#logs = parts.subjects;
		this.#mutation = parts.mutation;
	}

	/** Looks at the logs again and again until the clients are done, and then, undisturbed, until nothing is left to do. */
	async work(clients: Promise<unknown>): Promise<void> {
		const { scheduler } = this.#world;
		let busy = true;
		void clients.then(() => {
			busy = false;
		});
		while (busy) {
			await scheduler.pause(this.#profile.purgeEvery);
			for (const { name } of this.#logs) await this.clean(name);
		}
		this.#calm = true;
		for (const { name } of this.#logs) {
			for (let looks = 0; ; looks++) {
				const outcome = await this.clean(name);
				if (outcome !== "waiting" && outcome !== "purged") break;
				if (looks === 5) {
					if (this.#mutation !== "commit-0-kept") this.problems.push(`${name.id} is never purged`);
					break;
				}
				await scheduler.pause(outcome === "purged" ? again : this.#profile.purgeAfter);
			}
		}
	}

	/** Whether nothing is left to do at this log, ever. */
	isFinished(log: LogName): boolean {
		return this.#finished.has(log.id);
	}

	/** One look at one log. Says what came of it. */
	clean(log: LogName): Promise<string> {
		const { random, scheduler, trace } = this.#world;
		const { hazards, faults } = this.#calm ? calm : this.#profile;
		const machine = new Machine(this.#world, "cleaner", hazards);
		const link = new Link(this.#world, machine, this.#bucket, faults, `cleaner ${log.id}`);
		const store = this.#mutation === "commit-0-kept" ? withoutOverwriting(link) : link;
		const after = this.#mutation === "purge-delay" ? 0 : this.#profile.purgeAfter;
		return new Promise((resolve) => {
			machine.lost.add(() => scheduler.after(random.spread(1, 60_000), () => resolve("died")));
			const purge = async () =>
				purgeLog(store, logPrefix(log), { now: await storeTime(store), after, again });
			purge()
				.catch((error: unknown) => {
					if (!(error instanceof StoreUnavailable)) this.problems.push(`cleaner of ${log.id}: ${error}`);
					return "failed";
				})
				.then((outcome) => {
					trace.note("cleaner", `${log.id}: ${outcome}`);
					if (outcome === "finished") this.#finished.add(log.id);
					resolve(outcome);
				});
		});
	}
}

/** Where the purge overwrites commit 0, this removes it. */
function withoutOverwriting(store: ObjectStore): ObjectStore {
	return {
		get: (key, options) => store.get(key, options),
		list: (prefix, options) => store.list(prefix, options),
		delete: (keys) => store.delete(keys),
		put: async (key, bytes, options) => {
			if (options?.ifAbsent || !key.endsWith("-0.jsonl")) return store.put(key, bytes, options);
			await store.delete([key]);
			return { kind: "created", etag: "" };
		},
	};
}
