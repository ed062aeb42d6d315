import { assistant, text } from "./chat.ts";
import { user, World } from "./world.ts";

/** Two branches below one question: u1 → a1 → u2 → a2, and a1 → n3 → u4. The leaf is u4. */
export async function twoBranches() {
	const world = new World();
	const session = await world.session([
		user("first", { id: "u1" }),
		assistant("one", { id: "a1" }),
		user("second", { id: "u2" }),
		assistant("two", { id: "a2" }),
		{
			type: "custom_message",
			id: "n3",
			parentId: "a1",
			customType: "note",
			content: [text("a "), text("note")],
			display: true,
		},
		user("fourth", { id: "u4" }),
	]);
	return { world, session };
}
