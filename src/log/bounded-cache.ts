/** Values by key, the least recently used leaving first; bounded by their weights, in bytes. */
export class BoundedCache<V> {
	readonly #capacity: number;
	readonly #entries = new Map<string, { readonly value: V; readonly weight: number }>();
	#weight = 0;

	constructor(capacity: number) {
		this.#capacity = capacity;
	}

	get(key: string): V | undefined {
		const entry = this.#entries.get(key);
		if (entry === undefined) return undefined;
		this.#entries.delete(key);
		this.#entries.set(key, entry);
		return entry.value;
	}

	/** Keeps a value, or notes its new weight. One that is too heavy alone isn't kept. */
	set(key: string, value: V, weight: number): void {
		this.delete(key);
		if (weight > this.#capacity) return;
		this.#entries.set(key, { value, weight });
		this.#weight += weight;
		for (const [oldest] of this.#entries) {
			if (this.#weight <= this.#capacity) return;
			this.delete(oldest);
		}
	}

	delete(key: string): void {
		const entry = this.#entries.get(key);
		if (entry === undefined) return;
		this.#entries.delete(key);
		this.#weight -= entry.weight;
	}
}
