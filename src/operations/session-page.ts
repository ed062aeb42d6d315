import type { Session } from "../../schemas/session.ts";
import type { Card } from "./card.ts";
import type { Shard } from "./catalogue-shard.ts";
import type { ListFilter, ListOrder } from "./list-cursor.ts";

export interface PageRequest {
	readonly filter: ListFilter;
	/** At most so many, 1 or more. */
	readonly limit: number;
	/** Only what comes after this place. */
	readonly after?: { readonly time: number; readonly id: string };
}

export interface SessionPage {
	readonly sessions: readonly Session[];
	/** The place of the last one, where there is more. */
	readonly next?: { readonly time: number; readonly id: string };
}

/**
 * A page of sessions, newest first, those of the same time by their ids. Its order is that of `ordered`, all shards of
 * a catalogue as they were when the first page was taken; what it shows is what `current` knows: a session that has
 * moved since is neither missed nor met twice, and one that was deleted since is left out.
 */
export function sessionPage(
	ordered: readonly Shard[],
	current: readonly Shard[],
	{ filter, limit, after }: PageRequest,
): SessionPage {
	const matches = matcherOf(filter);
	const queues = ordered.map((shard, at) => {
		const cards = sorted(shard, filter.order);
		return { cards, at: after === undefined ? 0 : placeAfter(cards, filter.order, after), now: current[at]! };
	});
	const sessions: Session[] = [];
	for (let last: Card | undefined; ; ) {
		let first: (typeof queues)[number] | undefined;
		for (const queue of queues) {
			const card = queue.cards[queue.at];
			if (card && (!first || compare(filter.order)(card, first.cards[first.at]!) < 0)) first = queue;
		}
		if (first === undefined) return { sessions };
		const card = first.cards[first.at++]!;
		const now = first.now.cards.get(card.id);
		if (now === undefined || !matches(now)) continue;
		if (sessions.length === limit) return { sessions, next: placeOf(last!, filter.order) };
		sessions.push(now.session);
		last = card;
	}
}

/** Sorted cards of shards, which never change. */
const sortedShards: Readonly<Record<ListOrder, WeakMap<Shard, readonly Card[]>>> = {
	modified: new WeakMap(),
	created: new WeakMap(),
};

function sorted(shard: Shard, order: ListOrder): readonly Card[] {
	const known = sortedShards[order].get(shard);
	if (known !== undefined) return known;
	const cards = [...shard.cards.values()].sort(compare(order));
	sortedShards[order].set(shard, cards);
	return cards;
}

function placeOf(card: Card, order: ListOrder): { readonly time: number; readonly id: string } {
	return { time: card[order], id: card.id };
}

function compare(order: ListOrder): (one: Card, other: Card) => number {
	return (one, other) => other[order] - one[order] || compareIds(one.id, other.id);
}

function compareIds(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

/** Where the cards begin that come after a place. */
function placeAfter(
	cards: readonly Card[],
	order: ListOrder,
	place: { readonly time: number; readonly id: string },
): number {
	let low = 0;
	let high = cards.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		const card = cards[middle]!;
		const isAfter = place.time - card[order] || compareIds(card.id, place.id);
		if (isAfter > 0) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** Each word of `q` stands somewhere in the name or the first message, in whatever case. */
function matcherOf({ cwd, q, parent }: ListFilter): (card: Card) => boolean {
	const words = (q ?? "")
		.toLowerCase()
		.split(/\s+/u)
		.filter((word) => word !== "");
	return (card) => {
		if (cwd !== undefined && card.cwd !== cwd) return false;
		if (parent !== undefined && card.parentSession !== parent) return false;
		if (words.length === 0) return true;
		const text = `${card.name}\n${card.firstMessage}`.toLowerCase();
		return words.every((word) => text.includes(word));
	};
}
