import { createHash } from "node:crypto";
import type { Session } from "../../schemas/session.ts";
import {
	type Clock,
	type Namespace,
	type Random,
	type Scope,
	type Snapshot,
	SnapshotRegister,
} from "../log/log.ts";
import { ActivityWindows } from "./activity-windows.ts";
import { Card } from "./card.ts";
import { type Deletion, type Shard, type ShardChange, shardKind } from "./catalogue-shard.ts";

/** How long a session that was seen alive may be put into the catalogue: shorter than any deletion is remembered. */
const freshness = 10 * 60_000;

export interface CatalogueSettings {
	/** `CATALOG_SHARDS`: snapshots that a namespace's sessions are spread over. */
	readonly shards: number;
	/** `ACTIVITY_LAG_SECONDS` in ms: how long what an append changes may wait for more of it; 0: not at all. */
	readonly activityLag: number;
}

export const catalogueDefaults: CatalogueSettings = { shards: 1, activityLag: 15_000 };

/** A session as an operation saw it moments ago, and the number of the newest commit of its log then. */
export interface Sighting {
	readonly session: Session;
	readonly commit: number;
}

/** A session after an append. What a list shows of it is only worked out at the end of a window. */
export interface Activity {
	readonly id: string;
	readonly seq: number;
	readonly commit: number;
	/** The session as it is at `seq`. `known`: what it was at some time before, where that is known. */
	describe(known: Session | undefined): Promise<Session>;
}

/** What became of a change. `unavailable`: it may be sent again; the session itself is as it was answered. */
export type CatalogueOutcome =
	| { readonly kind: "done" }
	| { readonly kind: "unavailable"; readonly reason: "indeterminate" | "contention" };

/**
 * The list of each namespace's sessions: derived from their logs, and read by nothing but lists. One an instance.
 * Throws `StoreUnavailable`, and `Corrupt` where the newest version of a shard is damaged.
 */
export class Catalogue {
	readonly settings: CatalogueSettings;
	readonly #clock: Clock;
	readonly #register: SnapshotRegister<Shard, ShardChange>;
	readonly #windows: ActivityWindows<Activity & { readonly isFresh: () => boolean }>;

	constructor(parts: {
		readonly clock: Clock;
		readonly random: Random;
		readonly settings?: Partial<CatalogueSettings>;
		readonly cacheBytes?: number;
	}) {
		this.settings = { ...catalogueDefaults, ...parts.settings };
		this.#clock = parts.clock;
		this.#register = new SnapshotRegister({
			clock: parts.clock,
			random: parts.random,
			kind: shardKind,
			...(parts.cacheBytes !== undefined && { cacheBytes: parts.cacheBytes }),
		});
		this.#windows = new ActivityWindows({
			clock: parts.clock,
			lag: this.settings.activityLag,
			write: (scope, namespace, shard, activities) => this.#catchUp(scope, namespace, shard, activities),
		});
	}

	/**
	 * Begins to read what a change of this session will need, beside the session's own work. Cold: 1 LIST + 1 GET.
	 * Its failures are of no interest: the change will meet them.
	 */
	prepare(scope: Scope, namespace: Namespace, id: string): void {
		const work = this.#register.prepare(scope, this.#name(namespace, this.shardOf(id))).catch(() => {});
		scope.waitUntil?.(work);
	}

	/** Shows a session in lists as it is now: before its creation, fork or renaming is answered. Warm: 1 PUT. */
	async record(scope: Scope, namespace: Namespace, sighting: Sighting): Promise<CatalogueOutcome> {
		return this.#change(scope, namespace, sighting.session.id, this.sighted(sighting));
	}

	/**
	 * Shows what an append changed, at the end of a window of `activityLag`, after the answer; a lag of 0 is waited
	 * for. A failure is no matter: the next change of the session brings it along.
	 */
	async activity(scope: Scope, namespace: Namespace, activity: Activity): Promise<void> {
		await this.#windows.add(scope, namespace, this.shardOf(activity.id), {
			...activity,
			isFresh: this.#freshFromNow(),
		});
	}

	/** Takes a deleted session out of lists, for ever. Warm: 1 PUT. */
	async remove(scope: Scope, namespace: Namespace, id: string): Promise<CatalogueOutcome> {
		this.#windows.drop(namespace, this.shardOf(id), id);
		return this.#change(scope, namespace, id, { kind: "gone", id, at: this.#clock.now() });
	}

	/** The same for one that somebody had deleted before: mostly it is in no list any more. Then 1 GET. */
	async removeAgain(scope: Scope, namespace: Namespace, id: string): Promise<CatalogueOutcome> {
		return this.#change(scope, namespace, id, { kind: "unlist", id, at: this.#clock.now() });
	}

	/** Notes what the sweep has done to deleted sessions of one shard, or makes of it what an older one held. */
	async tidy(
		scope: Scope,
		namespace: Namespace,
		shard: number,
		changes: readonly ShardChange[],
	): Promise<CatalogueOutcome> {
		return brief(await this.#register.update(scope, this.#name(namespace, shard), changes));
	}

	/** The newest version of a snapshot that is no shard of these: the catalogue was split otherwise before. */
	async foreign(scope: Scope, namespace: Namespace, name: string): Promise<Shard> {
		return (await this.#register.read(scope, { namespace, name })).value;
	}

	/** All shards, each confirmed by a request sent after the call. Warm: 1 GET a shard. Cold: 1 LIST + 1 GET. */
	read(scope: Scope, namespace: Namespace): Promise<readonly Snapshot<Shard>[]> {
		return this.#each((shard) => this.#register.read(scope, this.#name(namespace, shard)));
	}

	/** One shard, likewise. */
	async readShard(scope: Scope, namespace: Namespace, shard: number): Promise<Shard> {
		return (await this.#register.read(scope, this.#name(namespace, shard))).value;
	}

	/** The newest version of each shard, likewise. Cold: 1 LIST a shard. */
	versions(scope: Scope, namespace: Namespace): Promise<readonly number[]> {
		return this.#each((shard) => this.#register.newest(scope, this.#name(namespace, shard)));
	}

	/** The shards as they were at these versions; undefined where one of them was removed since. */
	async at(
		scope: Scope,
		namespace: Namespace,
		versions: readonly number[],
	): Promise<readonly Snapshot<Shard>[] | undefined> {
		const found = await Promise.all(
			versions.map((version, shard) => this.#register.at(scope, this.#name(namespace, shard), version)),
		);
		return found.every((snapshot) => snapshot !== undefined) ? found : undefined;
	}

	/** Puts one shard anew from what is known of its sessions, without reading what is there: for a damaged one. */
	async replace(
		scope: Scope,
		namespace: Namespace,
		shard: number,
		content: {
			readonly sightings: Iterable<Sighting>;
			readonly gone: Iterable<readonly [id: string, deletion: Deletion]>;
		},
	): Promise<CatalogueOutcome> {
		const cards = Array.from(content.sightings, ({ session, commit }): [string, Card] => [
			session.id,
			Card.of(session, commit),
		]);
		const value = { cards: new Map(cards), gone: new Map(content.gone) };
		return brief(await this.#register.replace(scope, this.#name(namespace, shard), value));
	}

	/** The number of the shard that holds a session. */
	shardOf(id: string): number {
		if (this.settings.shards === 1) return 0;
		return createHash("sha256").update(id).digest().readUInt32BE(0) % this.settings.shards;
	}

	/** Ends all windows now: what they hold is written before the process stops. */
	flush(): Promise<void> {
		return this.#windows.flush();
	}

	async #change(
		scope: Scope,
		namespace: Namespace,
		id: string,
		change: ShardChange,
	): Promise<CatalogueOutcome> {
		return brief(await this.#register.update(scope, this.#name(namespace, this.shardOf(id)), [change]));
	}

	/** The end of a window. */
	async #catchUp(
		scope: Scope,
		namespace: Namespace,
		shard: number,
		activities: readonly (Activity & { readonly isFresh: () => boolean })[],
	): Promise<void> {
		const name = this.#name(namespace, shard);
		const { value } = await this.#register.prepare(scope, name);
		const changes: ShardChange[] = [];
		for (const { id, seq, commit, describe, isFresh } of activities) {
			const known = value.cards.get(id)?.session;
			if (value.gone.has(id) || (known !== undefined && known.seq >= seq)) continue;
			changes.push({ kind: "card", card: Card.of(await describe(known), commit), isFresh });
		}
		if (changes.length > 0) await this.#register.update(scope, name, changes);
	}

	/** What shows a session in lists, for `tidy`. */
	sighted({ session, commit }: Sighting): ShardChange {
		return { kind: "card", card: Card.of(session, commit), isFresh: this.#freshFromNow() };
	}

	/** Both clocks: one may have stood still, the other been set back. */
	#freshFromNow(): () => boolean {
		const [wall, monotonic] = [this.#clock.now(), this.#clock.monotonic()];
		return () => Math.max(this.#clock.now() - wall, this.#clock.monotonic() - monotonic) <= freshness;
	}

	#each<R>(work: (shard: number) => Promise<R>): Promise<R[]> {
		return Promise.all(Array.from({ length: this.settings.shards }, (_, shard) => work(shard)));
	}

	#name(namespace: Namespace, shard: number): { readonly namespace: Namespace; readonly name: string } {
		return { namespace, name: shardName(this.settings.shards, shard) };
	}
}

/** The snapshot's name: shards of another number never meet these. */
export function shardName(shards: number, shard: number): string {
	return `sessions-${shards}-${shard}`;
}

/** How many shards the snapshot of this name is one of; undefined where it is none. */
export function shardsOfName(name: string): number | undefined {
	const match = /^sessions-(\d{1,6})-(\d{1,6})$/.exec(name);
	return match ? Number(match[1]) : undefined;
}

function brief(outcome: CatalogueOutcome): CatalogueOutcome {
	return outcome.kind === "done" ? { kind: "done" } : outcome;
}
