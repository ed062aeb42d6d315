import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Seeded } from "../simulation/seeded.ts";
import { Client } from "./crowd.ts";
import { ObservedHistory } from "./observed-history.ts";
import { freePort, Service } from "./service.ts";

const data = mkdtempSync(join(tmpdir(), "leaflog-one-history-"));
const services: Service[] = [];

afterAll(() => {
	for (const service of services) service.destroy();
	rmSync(data, { recursive: true, force: true });
});

async function serving(script: string): Promise<Service> {
	// The bucket is the one that the environment names.
	const service = new Service(script, await freePort(), { STORE: "s3", LEAFLOG_DATA: data });
	services.push(service);
	return service.ready();
}

it("three Node servers and a Worker on one bucket, sixteen clients at once on four sessions: one history", async () => {
	// The first one builds what all of them serve beside the API.
	const first = await serving("start:node");
	const others = await Promise.all(["start:node", "start:node", "start"].map(serving));
	const servers = [first, ...others].map(({ url }) => url);
	const run = crypto.randomUUID().slice(0, 8);
	const sessions = ["a", "b", "c", "d"].map((name) => `${run}-${name}`);
	const history = new ObservedHistory();
	const clients = Array.from({ length: 16 }, (_, at) => {
		const session = sessions[at % 4]!;
		return new Client(`c${at}`, session, servers, history, new Seeded(at));
	});
	for (const [at, id] of sessions.entries())
		await services[at]!.json("/v1/sessions", { method: "POST", body: { id } });
	await Promise.all(clients.map((client) => client.act(25)));

	expect(clients.flatMap(({ amiss }) => amiss)).toEqual([]);
	const kinds = new Set(clients.flatMap(({ done }) => Object.keys(done)));
	for (const kind of [
		...["append", "append with key", "append with ids", "repeat", "leaf", "leaf with key", "read"],
		...["not modified", "held by If-Match", "refused by If-Match"],
	])
		expect(kinds).toContain(kind);
	for (const session of sessions) {
		const views = ["entries?limit=1000", "leaf", "tree", "context", "stats", "export"];
		const [one, ...rest] = await Promise.all(
			servers.map(async (server) =>
				Promise.all(
					views.map(async (view) => {
						const answer = await fetch(`${server}/v1/sessions/${session}/${view}`);
						return { status: answer.status, etag: answer.headers.get("ETag"), text: await answer.text() };
					}),
				),
			),
		);
		expect(one!.map(({ status }) => status)).toEqual(views.map(() => 200));
		const { entries, seq } = JSON.parse(one![0]!.text);
		expect(entries.length).toBe(seq);
		expect(history.contradictions(session, entries)).toEqual([]);
		expect(unruly(entries)).toEqual([]);
		// The tags first: where they differ, they say it in a line.
		for (const other of rest) expect(other.map(({ etag }) => etag)).toEqual(one!.map(({ etag }) => etag));
		for (const other of rest) expect(other).toEqual(one);
	}
}, 300_000);

/** Entries that don't hang where the leaf was when they came: nobody gave a parent. */
function unruly(
	entries: readonly { id: string; type: string; parentId: string | null; targetId?: string }[],
): string[] {
	let leaf: string | null = null;
	return entries.flatMap((entry) => {
		const fine = entry.parentId === leaf;
		leaf = entry.type === "leaf" ? (entry.targetId ?? null) : entry.id;
		return fine ? [] : [entry.id];
	});
}
