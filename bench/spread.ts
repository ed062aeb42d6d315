import { createHash } from "node:crypto";
import { seededRandom } from "./random.ts";
import { table } from "./table.ts";

/** How the writes of a fleet spread over namespaces and over the key space. */
export interface Spread {
	readonly namespaces: number;
	/** Exponent of the law by which some namespaces write more than others: 0 is all alike. */
	readonly skew: number;
	/** Writes a second of the busiest namespace, and of the busiest of 16 equal parts of the key space. */
	readonly busiestNamespace: number;
	readonly busiestPart: number;
	readonly meanPart: number;
}

/** Draws so many writes a second from namespaces that are ranked by a power law, and sees where their keys lie. */
export function simulateSpread(namespaces: number, skew: number, writes: number, seconds: number): Spread {
	const { fraction } = seededRandom(namespaces + skew * 10);
	const cumulated = new Float64Array(namespaces);
	let sum = 0;
	for (let rank = 0; rank < namespaces; rank++) {
		sum += (rank + 1) ** -skew;
		cumulated[rank] = sum;
	}
	const perNamespace = new Map<number, number>();
	for (let k = 0; k < writes * seconds; k++) {
		const rank = firstAbove(cumulated, fraction() * sum);
		perNamespace.set(rank, (perNamespace.get(rank) ?? 0) + 1);
	}
	const parts = new Array<number>(16).fill(0);
	for (const [rank, count] of perNamespace) parts[partOf(`namespace-${rank}`)]! += count;
	return {
		namespaces,
		skew,
		busiestNamespace: [...perNamespace.values()].reduce((most, count) => Math.max(most, count)) / seconds,
		busiestPart: Math.max(...parts) / seconds,
		meanPart: writes / 16,
	};
}

/** Keys begin with the hash of the namespace. */
function partOf(namespace: string): number {
	return createHash("sha256").update(namespace).digest()[0]! >> 4;
}

function firstAbove(ascending: Float64Array, value: number): number {
	let low = 0;
	let high = ascending.length - 1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (ascending[middle]! > value) high = middle;
		else low = middle + 1;
	}
	return low;
}

export function spreadTable(rows: readonly Spread[]): string {
	return table(rows, [
		{ title: "namespaces", cell: ({ namespaces }) => namespaces },
		{ title: "skew", cell: ({ skew }) => skew },
		{ title: "busiest namespace, PUT/s", cell: ({ busiestNamespace }) => busiestNamespace },
		{ title: "busiest 1/16 of the keys", cell: ({ busiestPart }) => busiestPart },
		{ title: "mean 1/16", cell: ({ meanPart }) => meanPart },
	]);
}
