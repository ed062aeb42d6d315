import { StoreUnavailable } from "../store/object-store.ts";
import { type AppendOutcome, type AppendRequest, Member, type Placed } from "./append.ts";
import { type BuiltCommit, buildCommit } from "./build-commit.ts";
import { type ObjectStart, readCover } from "./cover-reader.ts";
import { type Engine, isTrusted, jitter, newWriteId, viewOf } from "./engine.ts";
import type { LogState } from "./log-state.ts";
import { OverlayView } from "./overlay-view.ts";
import type { LogView, NewRecord } from "./record.ts";
import type { Scope } from "./scope.ts";
import { putAndSettle } from "./settle.ts";
import { readFromList, refreshTail } from "./tail.ts";

/** A request with the records it will have in the commit that is being built. */
interface Placement {
	readonly member: Member;
	readonly records: readonly NewRecord[];
	readonly result: (placed: Placed) => unknown;
}

/**
 * Where racing appends to one log are decided. Between instances the store decides: the next number goes to whoever
 * creates it. Within an instance requests that meet are grouped: one of them leads, places all that wait one after
 * the other, each judged against what is before it, and puts them as one commit.
 */
export class LogWriter {
	readonly #engine: Engine;
	readonly #state: LogState;
	#waiting: Member[] = [];
	#leader: Member | undefined;
	#winsInARow = 0;
	#lastWin = 0;
	#roundTrip = 0;
	/** Only set in a simulation that shows why a rebuilt commit needs a writeId of its own. */
	#thawedWriteId: string | undefined;

	constructor(engine: Engine, state: LogState) {
		this.#engine = engine;
		this.#state = state;
	}

	/** @throws Corrupt, StoreUnavailable, and what `decide` throws */
	async append<T>(scope: Scope, request: AppendRequest<T>): Promise<AppendOutcome<T>> {
		const member = new Member(scope, this.#engine.moments.now(), request as AppendRequest<unknown>);
		this.#waiting.push(member);
		while (!member.settled) {
			if (this.#leader === undefined) await this.#lead(member);
			else await this.#follow(member);
		}
		if (member.failure) throw member.failure.error;
		return member.outcome as AppendOutcome<T>;
	}

	/** Waits for the leader, but not for ever: its request may have ended, and its promises with it. */
	async #follow(member: Member): Promise<void> {
		const leader = this.#leader;
		let woken = false;
		const changed = member.changed.then(() => {
			woken = true;
		});
		await Promise.race([changed, this.#engine.clock.sleep(this.#engine.limits.followerWait)]);
		if (woken || member.settled || this.#leader !== leader) return;
		this.#leader = undefined;
		if (!this.#waiting.includes(member)) this.#waiting.push(member);
	}

	/** Commits group after group until the leader's own request is answered; then the next one that waits takes over. */
	async #lead(leader: Member): Promise<void> {
		this.#leader = leader;
		try {
			for (let losses = 0; this.#leader === leader && !leader.settled; ) {
				const group = this.#nextGroup(leader);
				try {
					const lost = await this.#round(leader, group, losses);
					losses = lost ? losses + 1 : 0;
				} catch (error) {
					for (const member of group) this.#failed(member, error);
				}
				// Who was placed nowhere yet keeps its turn.
				this.#waiting.unshift(
					...group.filter((member) => !member.settled && !this.#waiting.includes(member)),
				);
			}
		} finally {
			if (this.#leader === leader) {
				this.#leader = undefined;
				this.#waiting[0]?.wake();
			}
		}
	}

	#failed(member: Member, error: unknown): void {
		if (member.attempted && error instanceof StoreUnavailable) {
			member.settle({ kind: "unavailable", reason: "indeterminate" });
		} else member.fail(error);
	}

	#nextGroup(leader: Member): Member[] {
		const group = this.#waiting.filter((member) => !member.settled);
		this.#waiting = [];
		if (!group.includes(leader)) group.unshift(leader);
		return group;
	}

	/** One try for the next number. True if it was lost to another instance. */
	async #round(leader: Member, group: readonly Member[], losses: number): Promise<boolean> {
		const { store } = leader.scope;
		if (!isTrusted(this.#engine, this.#state) || this.#state.gone || losses >= 2) {
			const standing =
				losses >= 2 && !this.#state.gone
					? await readFromList(this.#engine, store, this.#state, "carry")
					: await refreshTail(this.#engine, store, this.#state, "carry");
			if (standing !== "current") {
				settleAll(group, standing);
				return false;
			}
		}
		await this.#giveWay();
		const base = this.#state.newest;
		const { placements, unconfirmed, doubtful } = await this.#place(leader, group);
		if (placements.length > 0) {
			// Where something was folded in or somebody was answered while the requests were asked, ask again.
			const asPlaced = this.#state.newest === base && placements.every(({ member }) => !member.settled);
			return !this.#state.gone && asPlaced ? this.#commit(leader, placements) : false;
		}
		if (doubtful) await this.#engine.clock.sleep(jitter(this.#engine, 2));
		if (unconfirmed || doubtful) {
			const standing = await refreshTail(this.#engine, store, this.#state, "carry");
			if (standing !== "current") settleAll(group, standing);
		}
		return false;
	}

	/** Asks each request what it does where it would come to lie. Answers those that write nothing, where that is sure. */
	async #place(
		leader: Member,
		group: readonly Member[],
	): Promise<{ placements: Placement[]; unconfirmed: boolean; doubtful: boolean }> {
		const { mutations, limits } = this.#engine;
		const base = viewOf(this.#engine, this.#state, leader.scope);
		const confirmed = this.#state.confirmed;
		const placements: Placement[] = [];
		let overlay = new OverlayView(base);
		let ownBytes = 0;
		let unconfirmed = false;
		let doubtful = false;
		for (const member of group) {
			if (member.settled || ownBytes >= limits.groupBytes) continue;
			const view = mutations.has("checks-against-group-mates") ? base : overlay;
			let decision: Awaited<ReturnType<typeof member.request.decide>>;
			try {
				decision = await member.request.decide(view, this.#hasLanded(member));
			} catch (error) {
				this.#failed(member, error);
				continue;
			}
			if (decision.kind === "commit") {
				const bytes = decision.records.reduce((sum, record) => sum + record.bytes.length, 0);
				if (placements.length > 0 && ownBytes + bytes > limits.groupBytes) continue;
				ownBytes += bytes;
				placements.push({ member, records: decision.records, result: decision.result });
				overlay = overlay.with(member.request.tag, decision.records);
				continue;
			}
			// A refusal for what group-mates do waits until they have landed.
			if (placements.length > 0 && !mutations.has("wait-for-group-mates")) continue;
			if (isInDoubt(member, base)) {
				// Another leader's commit may yet land with it.
				if (this.#isTooLate(member)) member.settle({ kind: "unavailable", reason: "indeterminate" });
				else doubtful = true;
				continue;
			}
			const sure =
				confirmed !== undefined &&
				confirmed.order > member.arrived.order &&
				isTrusted(this.#engine, this.#state);
			if (sure || mutations.has("probe-for-refusals")) {
				member.settle({ kind: "done", answer: decision.answer, view: base });
			} else unconfirmed = true;
		}
		return { placements, unconfirmed, doubtful };
	}

	async #commit(leader: Member, placements: readonly Placement[]): Promise<boolean> {
		const engine = this.#engine;
		const state = this.#state;
		const built = this.#build(placements);
		for (const { member } of placements) {
			member.writeIds.add(built.writeId);
			member.open.set(built.writeId, built.n);
		}
		const begun = engine.clock.monotonic();
		const settled = await putAndSettle(engine, leader.scope.store, state, built);
		this.#roundTrip = engine.clock.monotonic() - begun;
		if (settled.kind === "landed") {
			this.#foldOwn(built);
			state.confirm(settled.sent);
			this.#won();
			this.#answer(leader, built, placements);
			return false;
		}
		this.#winsInARow = 0;
		if (settled.kind === "unknown") {
			if (engine.mutations.has("frozen-groups")) {
				this.#thawedWriteId = built.writeId;
				return false;
			}
			for (const { member } of placements) member.settle({ kind: "unavailable", reason: "indeterminate" });
			return false;
		}
		if (settled.kind === "gone") {
			// Before the end or after it, nobody can tell any more; a repeat is told that the log has ended.
			for (const { member } of placements) member.settle({ kind: "unavailable", reason: "indeterminate" });
			return false;
		}
		for (const { member } of placements) member.open.delete(built.writeId);
		await this.#foldWinner(leader, built.n, settled.winner);
		const known = viewOf(engine, state, leader.scope);
		for (const { member } of placements) {
			const isUndone = known.request(member.request.tag).length === 0 && !isInDoubt(member, known);
			if (isUndone && this.#isTooLate(member)) {
				member.settle({ kind: "unavailable", reason: "contention" });
			}
		}
		return true;
	}

	/** Whether what is known under a request's tag lies in a commit that was sent with it. */
	#hasLanded(member: Member): boolean {
		const { index } = this.#state;
		const seq = index.seqOfTag(member.request.tag);
		return !!seq && member.writeIds.has(index.commit(index.commitOf(seq)).writeId);
	}

	#isTooLate(member: Member): boolean {
		return this.#engine.moments.age(member.arrived) > this.#engine.limits.patience;
	}

	#build(placements: readonly Placement[]): BuiltCommit {
		const requests = placements.map(({ member, records }) => ({ tag: member.request.tag, records }));
		const writeId = this.#thawedWriteId ?? newWriteId(this.#engine.random);
		this.#thawedWriteId = undefined;
		return buildCommit(this.#state, writeId, requests, this.#engine.limits);
	}

	#foldOwn(built: BuiltCommit): void {
		this.#state.fold(built.header, built.prefixLength, built.index);
		for (const [seq, bytes] of built.ownBodies) this.#state.keepBody(seq, bytes);
		this.#engine.weigh(this.#state);
	}

	async #foldWinner(leader: Member, n: number, winner: ObjectStart | undefined): Promise<void> {
		const { store } = leader.scope;
		if (winner === undefined) {
			await readFromList(this.#engine, store, this.#state, "carry");
			return;
		}
		const outcome = await readCover({
			store,
			state: this.#state,
			newest: { n, size: winner.size },
			want: "carry",
			held: new Map([[n, winner]]),
		});
		if (outcome === "gone") this.#state.gone = true;
		this.#engine.weigh(this.#state);
	}

	#answer(leader: Member, built: BuiltCommit, placements: readonly Placement[]): void {
		const view = viewOf(this.#engine, this.#state, leader.scope);
		let last = built.header.length - placements.reduce((sum, { records }) => sum + records.length, 0);
		for (const { member, records, result } of placements) {
			const first = last + 1;
			last += records.length;
			const placed = { first, last, head: this.#state.index.head(last), commit: built.n };
			member.settle({ kind: "done", answer: result(placed), view });
		}
	}

	#won(): void {
		const now = this.#engine.clock.monotonic();
		const backToBack = now - this.#lastWin <= 2 * this.#roundTrip;
		this.#winsInARow = backToBack ? this.#winsInARow + 1 : 1;
		this.#lastWin = now;
	}

	/** Who has won several numbers back to back is silent for two or three round trips, so that a slower one gets its turn. */
	async #giveWay(): Promise<void> {
		if (this.#winsInARow < this.#engine.limits.winsInARow) return;
		this.#winsInARow = 0;
		const roundTrip = Math.min(this.#roundTrip, this.#engine.limits.longestPause);
		await this.#engine.clock.sleep(roundTrip * (2 + this.#engine.random.fraction()));
	}
}

/** Whether a commit with this request may yet land: a leader that was taken for gone may still be at it. */
function isInDoubt(member: Member, known: LogView): boolean {
	const mayLand = [...member.open.values()].some((n) => n > known.commit);
	return mayLand && known.request(member.request.tag).length === 0;
}

/** Tells all how the log stands. Of a request that may have landed before the end, nobody can say that it did not. */
function settleAll(members: readonly Member[], standing: "absent" | "gone"): void {
	for (const member of members) {
		if (member.open.size === 0) member.settle({ kind: standing });
		else member.settle({ kind: "unavailable", reason: "indeterminate" });
	}
}
