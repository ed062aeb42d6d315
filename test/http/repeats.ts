import { expect } from "vitest";
import { type Reply, user, World } from "./world.ts";

export const note = (more: object = {}) => ({ type: "custom", customType: "note", ...more });
export const key = (value = "k1") => ({ "Idempotency-Key": value });

/** The answer to a repeat: the first one's body and ETag, 200, and told to be one. */
export function expectReplay(repeat: Reply, first: Reply): void {
	expect([repeat.status, repeat.headers.get("Idempotency-Replayed"), repeat.text]).toEqual([
		200,
		"true",
		first.text,
	]);
	expect(repeat.headers.get("ETag")).toBe(first.headers.get("ETag"));
	expect(first.headers.get("Idempotency-Replayed")).toBeNull();
}

export function expectConflict(reply: Reply): void {
	expect([reply.status, reply.body?.code]).toEqual([409, "conflict"]);
}

export async function furnished() {
	const world = new World();
	const session = await world.session([user("a", { id: "a" }), user("b", { id: "b" })], { id: "s" });
	const entries = `${session}/entries`;
	const length = async () => (await world.cold().get(`${session}/leaf`)).body.seq as number;
	return { world, session, entries, length };
}
