/** Changes that are kept beside the rest before both become one map. */
const mostChanges = 256;

/**
 * A map that is never changed and cheap to change: what is new lies over what was there, so a change costs as much as
 * the last few hundred changes, not as all that the map holds. Keys stand in the order in which they came.
 */
class LayeredMap<Key, Value> implements ReadonlyMap<Key, Value> {
	readonly size: number;
	readonly #below: ReadonlyMap<Key, Value>;
	readonly #above: ReadonlyMap<Key, Value>;

	constructor(below: ReadonlyMap<Key, Value>, above: ReadonlyMap<Key, Value>, size: number) {
		this.#below = below;
		this.#above = above;
		this.size = size;
	}

	/** The same with these entries set. */
	with(changes: ReadonlyMap<Key, Value>): ReadonlyMap<Key, Value> {
		const above = new Map(this.#above);
		let size = this.size;
		for (const [key, value] of changes) {
			if (!this.has(key)) size++;
			above.set(key, value);
		}
		const layered = new LayeredMap(this.#below, above, size);
		return above.size <= mostChanges ? layered : new Map(layered);
	}

	get(key: Key): Value | undefined {
		return this.#above.has(key) ? this.#above.get(key) : this.#below.get(key);
	}

	has(key: Key): boolean {
		return this.#above.has(key) || this.#below.has(key);
	}

	*entries(): MapIterator<[Key, Value]> {
		for (const [key, value] of this.#below) yield [key, this.#above.has(key) ? this.#above.get(key)! : value];
		for (const entry of this.#above) if (!this.#below.has(entry[0])) yield entry;
	}

	*keys(): MapIterator<Key> {
		for (const [key] of this.entries()) yield key;
	}

	*values(): MapIterator<Value> {
		for (const [, value] of this.entries()) yield value;
	}

	[Symbol.iterator](): MapIterator<[Key, Value]> {
		return this.entries();
	}

	forEach(run: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
		for (const [key, value] of this.entries()) run(value, key, this);
	}
}

/** A map like the given one, with these entries set. */
export function withChanges<Key, Value>(
	map: ReadonlyMap<Key, Value>,
	changes: ReadonlyMap<Key, Value>,
): ReadonlyMap<Key, Value> {
	if (map instanceof LayeredMap) return map.with(changes);
	return new LayeredMap(map, new Map(), map.size).with(changes);
}
