import type { LogView } from "../log/log.ts";
import { entryOf } from "../session/record.ts";
import { asRead, parentIdIn } from "../session/tree-shape.ts";

/** Bytes of lines that are read, and held, at a time. */
const waveBytes = 4 * 1024 * 1024;

/** Stored lines: what was read already, and what is read, wave by wave, while it is consumed. */
export interface Lines {
	readonly first: readonly Uint8Array[];
	/** Left out where there is no more. */
	readonly rest?: AsyncIterable<readonly Uint8Array[]>;
}

/**
 * The lines of these entries in the order given, as they read: JSON texts without line feeds. The first wave is read
 * before this answers, so that what is missing is noticed while it can still be told.
 */
export async function entryLines(view: LogView, seqs: readonly number[]): Promise<Lines> {
	return readLines(view, seqs, (seq, line) => read(view, seq, line));
}

/** One entry's line, as it reads. */
export async function entryLine(view: LogView, seq: number): Promise<Uint8Array> {
	const bodies = await view.bodies([seq]);
	return read(view, seq, bodyIn(bodies, seq));
}

/** Lines of these entries in the order given, each as `shape` makes it, but for those it makes nothing of. */
export async function readLines(
	view: LogView,
	seqs: readonly number[],
	shape: (seq: number, line: Uint8Array) => Uint8Array | undefined,
): Promise<Lines> {
	const waves = [...wavesOf(view, seqs)];
	const wave = async (at: number) => {
		const wanted = waves[at] ?? [];
		const bodies = await view.bodies(wanted);
		return wanted.map((seq) => shape(seq, bodyIn(bodies, seq))).filter((line) => line !== undefined);
	};
	const first = await wave(0);
	if (waves.length < 2) return { first };
	view.announce(waves.slice(1));
	return {
		first,
		rest: (async function* () {
			for (let at = 1; at < waves.length; at++) yield await wave(at);
		})(),
	};
}

/** Splits entries so that each part's lines have about `waveBytes`. */
function* wavesOf(view: LogView, seqs: readonly number[]): Generator<readonly number[]> {
	let wave: number[] = [];
	let bytes = 0;
	for (const seq of seqs) {
		const length = view.byteLength(seq);
		if (wave.length > 0 && bytes + length > waveBytes) {
			yield wave;
			wave = [];
			bytes = 0;
		}
		wave.push(seq);
		bytes += length;
	}
	if (wave.length > 0) yield wave;
}

function bodyIn(bodies: ReadonlyMap<number, Uint8Array>, seq: number): Uint8Array {
	const body = bodies.get(seq);
	if (body === undefined) throw new Error(`the log gave no line for entry ${seq}`);
	return body;
}

/** What hangs below a `leaf` entry reads as hanging below that entry's parent; all other lines are as stored. */
function read(view: LogView, seq: number, line: Uint8Array): Uint8Array {
	if (parentIdIn(view, seq) === view.parent(seq)) return line;
	return new TextEncoder().encode(JSON.stringify(asRead(view, seq, entryOf(line))));
}
