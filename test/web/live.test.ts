import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiProblem } from "../../web/api/api.ts";
import { follow, type Step } from "../../web/api/follow.ts";
import { ServerEvents } from "../../web/api/server-events.ts";
import type { Entry } from "../../web/tree/grow.ts";
import { said } from "./random-tree.ts";

describe("server-sent events", () => {
	const stream =
		'retry: 1000\nid: 4\n\n: still here\n\nevent: entry\r\ndata: {"a":\r\ndata:  1}\r\nid: 5\r\n\r\ndata: é\n\nid: 6\ndata: cut';
	const events = [
		{ event: "entry", data: '{"a":\n 1}', id: "5" },
		{ event: "message", data: "é", id: "5" },
	];

	it("however they are cut up: the same, and none before it is complete", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: stream.length })), (cuts) => {
				const reader = new ServerEvents();
				const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
				const read = edges.slice(1).flatMap((end, at) => reader.read(stream.slice(edges[at], end)));
				expect(read).toEqual(events);
				expect(reader.lastId).toBe("5");
			}),
		);
	});
});

const log = Array.from({ length: 7 }, (_, at) => said(`e${at + 1}`, at === 0 ? null : `e${at}`));

function eventStream(entries: readonly Entry[], end = ""): Response {
	const text = entries.map((entry) => `event: entry\ndata: ${JSON.stringify(entry)}\n\n`).join("") + end;
	return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
}

/** Follows until the session is deleted: the entries seen, and all else by its name. */
async function followed(api: Parameters<typeof follow>[0], after = 2) {
	const seen: string[] = [];
	const others: string[] = [];
	const signal = new AbortController().signal;
	for await (const step of follow(api, "s", after, { signal, sleep: async () => {} })) note(step);
	return { seen, others };

	function note(step: Step) {
		if (step.kind === "entries") seen.push(...step.entries.map(({ id }) => id));
		else others.push(step.kind === "liveness" ? step.liveness : step.kind);
	}
}

const nothing = () => Promise.reject(new Error("not to be asked"));

describe("following a session", () => {
	it("streams that end or break: taken up again where they were, without gap or repeat", async () => {
		const asked: number[] = [];
		const api = {
			entries: nothing,
			events: async (_: string, after: number) => {
				asked.push(after);
				if (asked.length === 2) throw new TypeError("network");
				if (asked.length === 3) throw new ApiProblem(503, "storage_unavailable", "");
				return asked.length === 4
					? eventStream(log.slice(after), "event: deleted\ndata: {}\n\n")
					: eventStream(log.slice(after, after + 2));
			},
		};
		expect(await followed(api)).toEqual({
			seen: ["e3", "e4", "e5", "e6", "e7"],
			others: ["live", "away", "away", "live", "deleted"],
		});
		expect(asked).toEqual([2, 4, 4, 4]);
	});

	it("a service without streams: asked for later entries, page by page", async () => {
		const asked: number[] = [];
		const api = {
			events: async () => Promise.reject(new ApiProblem(404, "not_found", "")),
			entries: async (_: string, after: number) => {
				asked.push(after);
				if (asked.length > 3) throw new ApiProblem(410, "gone", "");
				const entries = log.slice(after, after + 3);
				const last = after + entries.length;
				return { entries, seq: log.length, ...(last < log.length && { nextCursor: last }) };
			},
		};
		const { seen, others } = await followed(api);
		expect(seen).toEqual(["e3", "e4", "e5", "e6", "e7"]);
		expect([asked, others.at(-1)]).toEqual([[2, 5, 7, 7], "deleted"]);
	});

	it("an answer that is no stream: asked for entries instead", async () => {
		const api = {
			events: async () => Response.json({}),
			entries: async () => Promise.reject(new ApiProblem(410, "gone", "")),
		};
		expect(await followed(api)).toEqual({ seen: [], others: ["deleted"] });
	});

	it("a refusal that no waiting mends: thrown", async () => {
		const api = {
			events: async () => Promise.reject(new ApiProblem(401, "unauthorized", "")),
			entries: async () => Promise.reject(new ApiProblem(401, "unauthorized", "who?")),
		};
		await expect(followed(api)).rejects.toThrow("who?");
	});
});
