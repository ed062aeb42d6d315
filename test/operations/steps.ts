import { expect } from "vitest";
import { appendEntries } from "../../src/operations/append-entries.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { type ListRequest, listSessions, type SessionList } from "../../src/operations/list-sessions.ts";
import type { Instance, World } from "./world.ts";

export const byTime: ListRequest["filter"] = { order: "modified" };

/** A message said now. */
export function said(world: World, content: string) {
	return { type: "message", message: { role: "user", content, timestamp: world.clock.now() } };
}

/** A new session, a second later than whatever was before. */
export async function create(
	world: World,
	instance: Instance,
	id: string,
	fields: Parameters<typeof createSession>[1] = {},
) {
	world.clock.ms += 1000;
	const outcome = await createSession(instance.call(), {
		id,
		entries: [said(world, `hello from ${id}`)],
		...fields,
	});
	expect(outcome.kind).toBe("done");
}

export async function append(world: World, instance: Instance, id: string, content = "more") {
	world.clock.ms += 1000;
	const body = said(world, content);
	expect((await appendEntries(instance.call(), { id, body, keepLeaf: false })).kind).toBe("done");
}

/** A page that must be answered. */
export async function list(
	instance: Instance,
	request: Partial<ListRequest> = {},
	namespace?: string,
): Promise<SessionList> {
	const outcome = await listSessions(instance.call(namespace), { filter: byTime, limit: 50, ...request });
	if (outcome.kind !== "list") throw new Error(JSON.stringify(outcome));
	return outcome;
}

export const ids = ({ sessions }: SessionList) => sessions.map(({ id }) => id);
