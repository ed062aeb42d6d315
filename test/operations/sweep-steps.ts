import { expect } from "vitest";
import { appendEntries } from "../../src/operations/append-entries.ts";
import { createSession } from "../../src/operations/create-session.ts";
import { listSessions } from "../../src/operations/list-sessions.ts";
import { type SweepSettings, sweep, sweepDefaults } from "../../src/operations/sweep.ts";
import type { ObjectStore } from "../../src/store/object-store.ts";
import type { Instance, World } from "./world.ts";

export const minute = 60_000;
export const day = 24 * 60 * minute;

export async function create(instance: Instance, id: string, text = "hello", namespace?: string) {
	const message = { type: "message", message: { role: "user", content: text, timestamp: 1 } };
	const outcome = await createSession(instance.call(namespace), { id, entries: [message] });
	expect(outcome.kind).toBe("done");
}

export async function append(instance: Instance, id: string, text: string) {
	const body = { type: "message", message: { role: "user", content: text, timestamp: 1 } };
	const outcome = await appendEntries(instance.call(), { id, body, keepLeaf: false });
	expect(outcome.kind).toBe("done");
}

export async function listed(instance: Instance, namespace?: string) {
	const outcome = await listSessions(instance.call(namespace), { filter: { order: "created" }, limit: 200 });
	if (outcome.kind !== "list") throw new Error(outcome.kind);
	return outcome.sessions.map(({ id }) => id).sort();
}

/** Instances whose lists learn nothing: what happens where a process dies right after the session's own commit. */
export function cutOff(world: World): Instance {
	const instance = world.instance();
	const silent = {
		prepare() {},
		record: async () => ({ kind: "done" }),
		activity: async () => {},
		remove: async () => ({ kind: "done" }),
		settings: instance.catalogue.settings,
	};
	return { ...instance, call: (...args) => Object.assign(instance.call(...args), { catalogue: silent }) };
}

/** One whole sweep, or what `options` leave of it. */
export const run = (
	world: World,
	options: { compare?: boolean; stop?: () => boolean; store?: ObjectStore } = {},
	settings: Partial<SweepSettings> = {},
) => sweep(world.instance().sweeper(options.store), { ...sweepDefaults, ...settings }, options);
