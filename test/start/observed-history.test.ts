import { describe, expect, it } from "vitest";
import { ObservedHistory } from "./observed-history.ts";

const message = (content: string) => ({ type: "message", id: content, message: { role: "user", content } });
const log = [message("a"), message("b"), { type: "leaf", id: "x" }, message("c")];

/** `a b` and the leaf were acknowledged one after the other; `c` was sent, and nobody was told. */
function history(): ObservedHistory {
	const seen = new ObservedHistory();
	seen.acknowledged({ session: "s", marks: ["a", "b"], last: 2, begun: 1, ended: 4 });
	seen.acknowledged({ session: "s", marks: ["leaf x"], last: 3, begun: 5, ended: 8 });
	seen.sent("s", ["c"]);
	seen.sights.push(
		{ session: "s", seq: 2, begun: 6, ended: 7 },
		{ session: "s", seq: 3, begun: 9, ended: 10 },
	);
	return seen;
}

describe("an observed history", () => {
	it("that agrees with the log: no contradiction, whether what nobody was told of is there or not", () => {
		expect(history().contradictions("s", log)).toEqual([]);
		expect(history().contradictions("s", log.slice(0, 3))).toEqual([]);
		expect(history().contradictions("other", [])).toEqual([]);
	});

	it.each([
		["lost", log.slice(0, 2)],
		["twice", [...log, message("a")]],
		["sent by nobody", [...log, message("d")]],
		["acknowledged at 1", [log[1], log[0], ...log.slice(2)]],
	])("and a log where an entry is %s: found", (what, entries) => {
		const found = history().contradictions("s", entries);
		expect(found.join("\n")).toContain(what === "lost" ? "acknowledged at 3" : what);
	});

	it.each([
		["a read that misses what was acknowledged", { seq: 2, begun: 11, ended: 12 }, "after leaf x"],
		["a read that goes back", { seq: 2, begun: 11, ended: 12 }, "a read of 2 after one of 3"],
		["a read of what was not sent yet", { seq: 1, begun: -1, ended: 0 }, "before a was sent"],
		["a read beyond the end", { seq: 9, begun: 11, ended: 12 }, "the log ends at 4"],
	])("with %s: found", (_name, sight, text) => {
		const seen = history();
		seen.sights.push({ session: "s", ...sight });
		expect(seen.contradictions("s", log).join("\n")).toContain(text);
	});

	it("with an order that time contradicts: found", () => {
		const seen = history();
		seen.acknowledged({ session: "s", marks: ["c"], last: 4, begun: -2, ended: -1 });
		expect(seen.contradictions("s", log).join("\n")).toContain("a began after c was answered");
	});
});
