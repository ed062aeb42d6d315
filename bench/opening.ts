import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import type { ObjectStore } from "../src/store/object-store.ts";
import { compaction } from "./chat.ts";
import { ForkedStore } from "./forked-store.ts";
import { grow, type Stage } from "./growth.ts";
import { LeaflogInstance } from "./leaflog-design.ts";
import { fileKey } from "./one-object-design.ts";
import { milliseconds, table, times } from "./table.ts";
import { VirtualTime } from "./virtual-time.ts";

interface Contest {
	readonly name: string;
	readonly store: ObjectStore;
	readonly path: string;
}

interface Result {
	readonly name: string;
	/** Medians of processor time, ms. */
	readonly ours: number;
	readonly pi: number;
	readonly treeOnly: number;
}

/** Processor time of opening a session of so many entries and building its context, beside pi's for the same file. */
export async function openingReport(entries: number, runs: number): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), "leaflog-bench-"));
	try {
		const results: Result[] = [];
		for await (const stage of grow([entries])) {
			for (const contest of await contests(stage, folder)) results.push(await compare(contest, runs));
		}
		return table(results, [
			{ title: "session", cell: ({ name }) => name },
			{ title: "pi", cell: ({ pi }) => milliseconds(pi) },
			{ title: "Leaflog", cell: ({ ours }) => milliseconds(ours) },
			{ title: "ratio", cell: ({ ours, pi }) => times(ours / pi) },
			{ title: "Leaflog, tree only", cell: ({ treeOnly }) => milliseconds(treeOnly) },
		]);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** The session as it is, all of it in the context; and with a compaction that keeps the newest megabyte. */
async function contests(stage: Stage, folder: string): Promise<Contest[]> {
	const file = await stage.oneObject.get(fileKey);
	if (file.kind !== "found") throw new Error(file.kind);
	const whole = join(folder, "whole.jsonl");
	writeFileSync(whole, file.bytes);
	const entry = compaction("ffffffff", stage.leaf, stage.idBack(1e6));
	const compacted = join(folder, "compacted.jsonl");
	writeFileSync(compacted, Buffer.concat([file.bytes, Buffer.from(`${JSON.stringify(entry)}\n`)]));
	const fork = new ForkedStore(stage.leaflog);
	await new LeaflogInstance(new VirtualTime()).append(fork, entry);
	const size = `${stage.entries.toLocaleString("en-US")} entries`;
	return [
		{ name: `${size}, all in the context`, store: stage.leaflog, path: whole },
		{ name: `${size}, compacted to the newest 1 MB`, store: fork, path: compacted },
	];
}

/** In turns, so that whatever else the machine does meets both. The first turn warms up and doesn't count. */
async function compare({ name, store, path }: Contest, runs: number): Promise<Result> {
	const ours: number[] = [];
	const pi: number[] = [];
	const treeOnly: number[] = [];
	for (let run = 0; run <= runs; run++) {
		const measured = [
			await processorTime(async () => SessionManager.open(path).buildSessionContext()),
			await processorTime(() => new LeaflogInstance(new VirtualTime()).context(store)),
			await processorTime(() => new LeaflogInstance(new VirtualTime()).tree(store)),
		] as const;
		if (run === 0) continue;
		pi.push(measured[0]);
		ours.push(measured[1]);
		treeOnly.push(measured[2]);
	}
	return { name, ours: median(ours), pi: median(pi), treeOnly: median(treeOnly) };
}

/** Milliseconds of the processor, the garbage collector's included. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

function median(values: number[]): number {
	return values.toSorted((one, other) => one - other)[values.length >> 1]!;
}
