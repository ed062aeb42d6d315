import { user, World } from "./world.ts";

export const note = (id: string, more: object = {}) => ({ type: "custom", customType: "note", id, ...more });
export const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/**
 * a ─ b ─ c ─ d         (the leaf: d)
 *   │   └ e
 *   └ f ─ label(b) ─ name
 * g
 */
export async function tree() {
	const world = new World();
	const session = await world.session(
		[
			user("Alpha", { id: "a", timestamp: at(1) }),
			note("b", { timestamp: at(5) }),
			user("Gamma", { id: "c", timestamp: at(3) }),
			note("d", { timestamp: at(4) }),
			user("Epsilon", { id: "e", parentId: "b", timestamp: at(2) }),
			note("f", { parentId: "a", timestamp: at(2) }),
			{ type: "label", id: "l", targetId: "b", label: "Mark", timestamp: at(6) },
			{ type: "session_info", id: "n", name: "Named", timestamp: at(7) },
			note("g", { parentId: null, timestamp: at(0) }),
			{ type: "leaf", id: "x", targetId: "d", timestamp: at(8) },
		],
		{ id: "s" },
	);
	return { world, session };
}

export const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);
