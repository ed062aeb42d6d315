import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OverlayView } from "../../src/log/overlay-view.ts";
import type { LogView } from "../../src/log/record.ts";
import { SnapshotView } from "../../src/log/snapshot-view.ts";
import { contentsOf } from "./instances.ts";
import { buildLog, type LogPlan, logPlan, type PlannedLog, store } from "./random-logs.ts";

async function viewOf(log: PlannedLog): Promise<LogView> {
	return new SnapshotView(log.state, { store: await store(log), gap: 0, loaded: () => {} });
}

/** What a view says of requests and ids, and of what a request that follows is judged by. */
function answersOf(view: LogView, log: PlannedLog): object {
	const tags = [...new Set(log.records.map(({ tag }) => tag)), "tag-make", "no tag"];
	const ids = [...log.records.map(({ id }) => id), "no id"];
	return {
		requests: tags.map((tag) => view.request(tag)),
		seqs: ids.map((id) => view.seqOf(id)),
		byteLengths: log.records.map((_record, k) => view.byteLength(k + 1)),
	};
}

describe("overlay: records of group-mates placed behind a view", () => {
	it("says what the view says once they have landed", { timeout: 60_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(
				logPlan.filter(({ commits }) => commits.length > 0),
				async (plan) => {
					const landed = buildLog(plan);
					const base = await viewOf(
						buildLog({ ...plan, commits: plan.commits.slice(0, -1) } satisfies LogPlan),
					);
					const own = landed.records.filter(({ commit }) => commit === landed.commits.length - 1);
					let overlay = new OverlayView(base);
					for (const tag of new Set(own.map((record) => record.tag)))
						overlay = overlay.with(
							tag,
							own.filter((record) => record.tag === tag),
						);
					const view = await viewOf(landed);
					// The commit is not there yet; all else is.
					expect({ ...(await contentsOf(overlay)), commit: view.commit }).toEqual(await contentsOf(view));
					expect(answersOf(overlay, landed)).toEqual(answersOf(view, landed));
				},
			),
			{ seed: 1, numRuns: 100 },
		);
	});

	it("an earlier view never learns of what is placed later", { timeout: 60_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(logPlan, async (plan) => {
				const log = buildLog(plan);
				const base = await viewOf(log);
				const first = new OverlayView(base).with("first", [newRecord("new 1")]);
				const before = await contentsOf(first);
				const second = first.with("second", [newRecord("new 2"), newRecord("new 3")]);
				expect(await contentsOf(first)).toEqual(before);
				expect([first.request("second"), first.seqOf("new 2")]).toEqual([[], undefined]);
				expect(second.request("second")).toEqual([log.records.length + 2, log.records.length + 3]);
				expect(await contentsOf(base)).toEqual(await contentsOf(await viewOf(log)));
			}),
			{ seed: 2, numRuns: 30 },
		);
	});
});

function newRecord(id: string) {
	return { id, parent: null, kind: "k", time: "", bytes: new TextEncoder().encode(id) };
}
