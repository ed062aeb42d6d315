import type { Entry } from "../../src/session/entry.ts";
import { assistant } from "./chat.ts";
import { type Reply, user, World } from "./world.ts";

/** u1 → a1 → u2 → a2, and from a1 → u3, the leaf; a1 and u3 have labels. */
export async function branches() {
	const world = new World();
	const session = await world.session(
		[
			user("first", { id: "u1" }),
			assistant("one", { id: "a1" }),
			user("second", { id: "u2" }),
			assistant("two", { id: "a2" }),
			{ ...user("third"), id: "u3", parentId: "a1" },
			{ type: "label", id: "l1", targetId: "a1", label: "fine" },
			{ type: "label", id: "l2", targetId: "u2", label: "elsewhere" },
			{ type: "leaf", id: "x1", targetId: "u3" },
		],
		{ id: "source", cwd: "/work", name: "Tea" },
	);
	await world.put(`${session}/leaf`, { targetId: "u3" });
	return { world, session };
}

/** The session that a call made. */
export const sessionOf = ({ body }: Reply) => body.session ?? body;
export const addressOf = (reply: Reply) => `/v1/sessions/${sessionOf(reply).id}`;

/** Entries without the ids of labels, which are new each time. */
export function withoutLabelIds(entries: readonly Entry[]): unknown[] {
	const numbers = new Map<string, string>();
	for (const entry of entries) if (entry.type === "label") numbers.set(entry.id, `label ${numbers.size}`);
	const name = (id: string | null) => (id === null ? null : (numbers.get(id) ?? id));
	return entries.map((entry) => ({ ...entry, id: name(entry.id), parentId: name(entry.parentId) }));
}
