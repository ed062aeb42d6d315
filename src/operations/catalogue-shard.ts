import type { SnapshotKind } from "../log/log.ts";
import { Card } from "./card.ts";

/** The part of a catalogue that one snapshot holds. Never changed. */
export interface Shard {
	readonly cards: ReadonlyMap<string, Card>;
	/**
	 * Deleted sessions by id, until nothing is left of them but a tombstone. They keep a late update from putting a
	 * card back, and tell the sweep what there is to remove.
	 */
	readonly gone: ReadonlyMap<string, Deletion>;
}

/** Times are epoch ms of whoever did it. They only tell when a look is worth its while. */
export interface Deletion {
	readonly at: number;
	/** When its content was removed. */
	readonly purged?: number;
}

export type ShardChange =
	/** `isFresh` says whether the session was seen alive so lately that its deletion can't have been forgotten yet. */
	| { readonly kind: "card"; readonly card: Card; readonly isFresh: () => boolean }
	| { readonly kind: "gone"; readonly id: string; readonly at: number }
	/** The same where it is listed; nothing otherwise. */
	| { readonly kind: "unlist"; readonly id: string; readonly at: number }
	| { readonly kind: "purged"; readonly id: string; readonly at: number }
	/** Nothing is left of a deleted session but its tombstone. */
	| { readonly kind: "forget"; readonly id: string };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Shards as snapshots. The body is JSON lines: an object that counts what follows, the cards, the deleted. */
export const shardKind: SnapshotKind<Shard, ShardChange> = {
	empty: { cards: new Map(), gone: new Map() },
	encode,
	decode,
	apply,
};

function encode({ cards, gone }: Shard): Uint8Array {
	const lines = [JSON.stringify({ cards: cards.size, gone: gone.size })];
	for (const card of cards.values()) lines.push(card.line);
	for (const [id, { at, purged }] of gone)
		lines.push(JSON.stringify(purged === undefined ? [id, at] : [id, at, purged]));
	return encoder.encode(`${lines.join("\n")}\n`);
}

function decode(bytes: Uint8Array): Shard {
	const text = decoder.decode(bytes).trimEnd();
	const lines = text.split("\n");
	// One call of the parser for all lines: JSON texts hold no raw line feed.
	const parsed = JSON.parse(`[${lines.join(",")}]`) as unknown[];
	const counts = parsed[0] as { readonly cards: number; readonly gone: number };
	const firstGone = 1 + counts.cards;
	if (parsed.length !== lines.length || parsed.length !== firstGone + counts.gone) {
		throw new TypeError("the counts do not match");
	}
	const cards = new Map<string, Card>();
	for (let at = 1; at < firstGone; at++) {
		const card = new Card(lines[at]!, parsed[at]);
		cards.set(card.id, card);
	}
	const gone = parsed.slice(firstGone).map((fields): [string, Deletion] => {
		const [id, at, purged] = fields as [string, number, number?];
		return [id, purged === undefined ? { at } : { at, purged }];
	});
	return { cards, gone: new Map(gone) };
}

/** A card only ever moves to a higher seq, and never comes back once its session is deleted. */
function apply(shard: Shard, changes: readonly ShardChange[]): Shard {
	const effective: ShardChange[] = [];
	const draft = { cards: shard.cards as Map<string, Card>, gone: shard.gone as Map<string, Deletion> };
	for (const change of changes) {
		if (!changesAnything(draft, change)) continue;
		if (effective.length === 0) {
			draft.cards = new Map(shard.cards);
			draft.gone = new Map(shard.gone);
		}
		effective.push(change);
		carryOut(draft, change);
	}
	return effective.length === 0 ? shard : draft;
}

function changesAnything(shard: Shard, change: ShardChange): boolean {
	switch (change.kind) {
		case "card": {
			const { id, seq } = change.card;
			const known = shard.cards.get(id);
			return !shard.gone.has(id) && !(known !== undefined && known.seq >= seq) && change.isFresh();
		}
		case "gone":
			return !shard.gone.has(change.id) || shard.cards.has(change.id);
		case "unlist":
			return shard.cards.has(change.id);
		case "purged":
			return shard.gone.has(change.id) && shard.gone.get(change.id)?.purged === undefined;
		case "forget":
			return shard.gone.has(change.id);
	}
}

function carryOut(
	draft: { cards: Map<string, Card>; gone: Map<string, Deletion> },
	change: ShardChange,
): void {
	switch (change.kind) {
		case "card":
			draft.cards.set(change.card.id, change.card);
			return;
		case "gone":
		case "unlist":
			draft.cards.delete(change.id);
			if (!draft.gone.has(change.id)) draft.gone.set(change.id, { at: change.at });
			return;
		case "purged":
			draft.gone.set(change.id, { at: change.at, ...draft.gone.get(change.id), purged: change.at });
			return;
		case "forget":
			draft.gone.delete(change.id);
	}
}
