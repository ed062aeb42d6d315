import { describe, expect, it } from "vitest";
import { entryJsonSchema, entrySchema, entryTypes, isEntryId, newEntryIssues } from "../../schemas/entry.ts";
import { messageSchema } from "../../schemas/message.ts";
import { entriesOfFile } from "./files.ts";
import { fixture } from "./pi.ts";

const usage = {
	input: 1,
	output: 1,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 2,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const text = { type: "text", text: "hi" };
const image = { type: "image", data: "aGk=", mimeType: "image/png" };

const messages: Record<string, Record<string, unknown>> = {
	system: {
		role: "system",
		content: "",
		sections: { a: "b", c: null },
		toolsAdded: [{ name: "t", description: "", parameters: {} }],
		timestamp: 1,
	},
	user: { role: "user", content: [text, image], timestamp: 1 },
	assistant: {
		role: "assistant",
		content: [
			text,
			{ type: "thinking", thinking: "" },
			{ type: "toolCall", id: "c", name: "t", arguments: {} },
		],
		api: "a",
		provider: "p",
		model: "m",
		usage,
		stopReason: "stop",
		timestamp: 1,
	},
	toolResult: {
		role: "toolResult",
		toolCallId: "c",
		toolName: "t",
		content: [text, image],
		isError: false,
		timestamp: 1,
	},
	bashExecution: {
		role: "bashExecution",
		command: "ls",
		output: "",
		exitCode: null,
		cancelled: false,
		truncated: false,
		timestamp: 1,
	},
	custom: { role: "custom", customType: "x", content: "c", display: true, timestamp: 1 },
	branchSummary: { role: "branchSummary", summary: "s", fromId: null, timestamp: 1 },
	compactionSummary: { role: "compactionSummary", summary: "s", tokensBefore: 1, timestamp: 1 },
	other: { role: "a role of one's own", whatever: [] },
};

const entries: Record<string, Record<string, unknown>> = {
	model_change: { provider: "p", modelId: "m" },
	thinking_level_change: { thinkingLevel: "high" },
	compaction: { summary: "s", firstKeptEntryId: null, tokensBefore: 1 },
	context_edit: { targetId: "a", replacement: null },
	branch_summary: { fromId: "root", summary: "s" },
	usage: { kind: "k", provider: "p", model: "m", usage },
	custom: { customType: "x" },
	custom_message: { customType: "x", content: [text], display: false },
	label: { targetId: "a" },
	session_info: { name: "" },
	leaf: { targetId: null },
};

const paths = (entry: unknown) => newEntryIssues(entry).map((issue) => issue.path.join("."));

describe("new entries: the shapes pi's pages give", () => {
	it("every type and role is known here", () => {
		expect(new Set([...Object.keys(entries), "message"])).toEqual(new Set(entryTypes));
	});
	for (const [type, fields] of Object.entries(entries)) {
		it(`${type}: accepted, and each of its fields is needed`, () => {
			expect(paths({ type, ...fields, extra: { kept: true } })).toEqual([]);
			for (const field of Object.keys(fields)) {
				// A replacement is judged by the state, after the target.
				if (field === "replacement") continue;
				const { [field]: _without, ...rest } = fields;
				expect(paths({ type, ...rest })).toEqual([field]);
				expect(
					paths({ type, ...fields, [field]: Symbol.iterator in Object(fields[field]) ? 5 : [5] })[0],
				).toMatch(field);
			}
		});
	}
	for (const [role, message] of Object.entries(messages)) {
		it(`message of ${role}: accepted, with unknown fields; wrong types are not`, () => {
			expect(paths({ type: "message", message: { ...message, extra: 1 } })).toEqual([]);
			expect(messageSchema.safeParse(message).success).toBe(true);
			if (role === "other") return;
			for (const field of Object.keys(message)) {
				if (field === "role") continue;
				expect(paths({ type: "message", message: { ...message, [field]: [5] } }).length).toBeGreaterThan(0);
			}
		});
	}
	const needed = {
		system: ["content"],
		user: ["content"],
		assistant: ["content"],
		toolResult: ["toolCallId", "content"],
		bashExecution: ["command", "output"],
		custom: ["customType", "content"],
		branchSummary: ["summary", "fromId"],
		compactionSummary: ["summary", "tokensBefore"],
	};
	it("what a message is read by must be there", () => {
		for (const [role, fields] of Object.entries(needed)) {
			for (const field of fields) {
				const { [field]: _without, ...rest } = messages[role] ?? {};
				expect(paths({ type: "message", message: rest })).toEqual([`message.${field}`]);
			}
		}
	});
	it("unknown blocks, contents of the wrong kind and a cost that is no number are refused", () => {
		const say = (fields: object) => paths({ type: "message", message: { ...messages.user, ...fields } });
		expect(say({ content: [{ type: "video" }] })).toEqual(["message.content"]);
		expect(say({ content: null })).toEqual(["message.content"]);
		const dear = { ...usage, cost: { total: "much" } };
		expect(paths({ type: "message", message: { ...messages.assistant, usage: dear } })).toEqual([
			"message.usage.cost.total",
		]);
		expect(paths({ type: "message", message: { ...messages.assistant, content: "text" } })).toEqual([
			"message.content",
		]);
	});
	it("no message, no role, no object, an unknown type", () => {
		expect(paths({ type: "message" })).toEqual(["message"]);
		expect(paths({ type: "message", message: {} })).toEqual(["message.role"]);
		expect(paths({ type: "message", message: { role: "" } })).toEqual(["message.role"]);
		for (const value of [null, undefined, 5, "x", [], true]) expect(paths(value)).toEqual([""]);
		for (const type of ["session", "future", "__proto__", "toString", 5, null])
			expect(paths({ type })).toEqual(["type"]);
	});
	it("ids are 1 to 64 of A-Z, a-z, 0-9, _ and -, also where they point", () => {
		for (const id of ["a", "__proto__", "constructor", "A-9_".repeat(16)]) expect(isEntryId(id)).toBe(true);
		for (const id of ["", "a b", "a/b", "..", "a\u0000", "\ud83d", "ä", "x".repeat(65), "a\n", 5, null]) {
			expect(isEntryId(id)).toBe(false);
			expect(paths({ type: "custom", customType: "x", id })).toEqual(["id"]);
			expect(paths({ type: "label", targetId: id })).toEqual(["targetId"]);
			if (id !== null) expect(paths({ type: "custom", customType: "x", parentId: id })).toEqual(["parentId"]);
		}
	});
	it("timestamps are ISO 8601 dates that exist", () => {
		const judged = (timestamp: unknown) => paths({ type: "custom", customType: "x", timestamp }).length === 0;
		for (const fine of ["2025-06-03T10:00:01.000Z", "2025-06-03T10:00:01Z", "2025-06-03T10:00:01+02:00"])
			expect(judged(fine)).toBe(true);
		for (const bad of [
			"2025-02-30T00:00:00Z",
			"2025-13-01T00:00:00Z",
			"today",
			"",
			5,
			"+275761-01-01T00:00:00Z",
		])
			expect(judged(bad)).toBe(false);
	});
	it("the mark of exports is not for others", () => {
		expect(paths({ type: "custom", customType: "leaflog.leaf" })).toEqual(["customType"]);
	});
	it("__proto__ keys: looked at where they are sections, else left alone, and nobody is polluted", () => {
		const parse = (sections: string) =>
			JSON.parse(
				`{"type":"message","__proto__":{"x":1},"message":{"role":"system","content":"","timestamp":1,"sections":${sections}}}`,
			);
		expect(paths(parse('{"__proto__":"text","constructor":null,"toString":""}'))).toEqual([]);
		expect(paths(parse('{"__proto__":5}'))).toEqual(["message.sections.__proto__"]);
		expect(paths(parse('{"toString":5}'))).toEqual(["message.sections.toString"]);
		expect(({} as { x?: unknown }).x).toBeUndefined();
		const given = parse('{"__proto__":"text"}');
		newEntryIssues(given);
		expect(Object.hasOwn(given.message.sections, "__proto__")).toBe(true);
	});
	it("a compaction's system message is looked at too", () => {
		const compaction = { type: "compaction", ...entries.compaction };
		expect(paths({ ...compaction, systemMessage: messages.system })).toEqual([]);
		expect(paths({ ...compaction, systemMessage: messages.bashExecution })).toContain("systemMessage.role");
		const systemMessage = JSON.parse(
			'{"role":"system","content":"","timestamp":1,"sections":{"__proto__":5}}',
		);
		expect(paths({ ...compaction, systemMessage })).toEqual(["systemMessage.sections.__proto__"]);
	});
});

describe("JSON Schema of entries", () => {
	it("names every type, and stored entries of pi are of it", () => {
		const schema = JSON.stringify(entryJsonSchema());
		for (const type of entryTypes) expect(schema).toContain(`"const":"${type}"`);
		const { entries } = entriesOfFile(fixture("01-v1-large-session.jsonl"));
		const fine = entries.filter((entry) => entrySchema.safeParse(entry).success);
		// Usage had no total in version 1.
		expect(fine.length).toBeGreaterThan(entries.length / 3);
	});
});
