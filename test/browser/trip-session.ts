/** A session file with branches, labels, tools, a compaction and edits: what a picture of a tree should show. */
export function tripSession(id: string): string {
	const start = Date.parse("2026-11-30T09:00:00.000Z");
	let minute = 0;
	const lines: object[] = [
		{ type: "session", version: 3, id, timestamp: new Date(start).toISOString(), cwd: "/home/ada/trips" },
	];
	const add = (id: string, parentId: string | null, fields: object) => {
		minute += 7;
		lines.push({ id, parentId, timestamp: new Date(start + minute * 60_000).toISOString(), ...fields });
	};
	const time = () => start + minute * 60_000;
	const user = (id: string, parent: string | null, content: unknown) =>
		add(id, parent, { type: "message", message: { role: "user", content, timestamp: time() } });
	const assistant = (id: string, parent: string, text: string, calls: object[] = []) =>
		add(id, parent, {
			type: "message",
			message: {
				role: "assistant",
				provider: "anthropic",
				model: "claude-sonnet-4-5",
				stopReason: calls.length > 0 ? "toolUse" : "stop",
				content: [...(text ? [{ type: "text", text }] : []), ...calls],
				timestamp: time(),
			},
		});
	const call = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });
	const result = (id: string, parent: string, toolCallId: string, toolName: string, text: string) =>
		add(id, parent, {
			type: "message",
			message: {
				role: "toolResult",
				toolCallId,
				toolName,
				content: [{ type: "text", text }],
				timestamp: time(),
			},
		});

	add("m0", null, { type: "model_change", provider: "anthropic", modelId: "claude-sonnet-4-5" });
	user("q1", "m0", "Plan two days in Rome for three of us, mostly on foot.");
	assistant("s1", "q1", "I’ll look up opening hours and the weather first.", [
		call("c1", "search", { query: "Forum Romanum opening hours November" }),
	]);
	result(
		"t1",
		"s1",
		"c1",
		"search",
		"Forum and Palatine: 9:00 to 16:30, last entry one hour earlier. Closed on 25 December.",
	);
	assistant(
		"a1",
		"t1",
		"**Day one**: Forum and Palatine in the morning, lunch in Monti, the Pantheon at dusk.\n\n**Day two**: the Vatican Museums early, then Trastevere on foot.",
	);
	user("q2", "a1", "Can we leave the museums out?");
	assistant("a2", "q2", "Then spend day two outside: the Aventine, the Orange Garden, Testaccio’s market.");
	user("q2b", "a1", "It will rain on the second day.");
	assistant("a2b", "q2b", "Swap the days, and keep the museums for the rain.");
	user("q3b", "a2b", "And if it rains on both?");
	assistant("a3b", "q3b", "Then San Clemente: three churches on top of each other, all of them dry.");
	assistant("a3c", "q3b", "Then take the whole of the Capitoline Museums, and the café on its terrace.");
	user("q2c", "a1", "We’ll be with two children, six and nine.");
	assistant("s2", "q2c", "", [call("c2", "search", { query: "Rome playgrounds near Villa Borghese" })]);
	result(
		"t2",
		"s2",
		"c2",
		"search",
		"Villa Borghese: rowing boats, bicycles, Bioparco, a puppet theatre on Sundays.",
	);
	assistant(
		"a4",
		"t2",
		"With children I’d do less, and later:\n\n```text\nDay 1  Colosseum (book the 10:15 slot) · gelato · nap · Villa Borghese\nDay 2  Castel Sant’Angelo · piazza Navona · supper in Trastevere\n```\nBook at [the Colosseum’s own shop](https://ticketing.colosseo.it/), others charge double.",
	);
	add("l1", "a4", { type: "label", targetId: "a4", label: "with children" });
	user("q5", "l1", "Good. Where do we eat on the first evening?");
	assistant("a5", "q5", "In Monti: early, by seven, and `without` a reservation on weekdays.");
	add("k1", "a5", {
		type: "compaction",
		summary:
			"Two days in Rome with children of six and nine, on foot. Colosseum and Villa Borghese, then Castel Sant’Angelo and Trastevere.",
		firstKeptEntryId: "q5",
		tokensBefore: 18234,
	});
	user("q6", "k1", "How do we get from the airport to Monti?");
	assistant(
		"a6",
		"q6",
		"By the train to Termini, every fifteen minutes; Monti is a ten minutes’ walk from there. My card number is 4000 1234.",
	);
	add("e1", "a6", {
		type: "context_edit",
		targetId: "a6",
		replacement: { content: "By the train to Termini; Monti is a ten minutes’ walk from there." },
	});
	add("l2", "e1", { type: "label", targetId: "a2", label: "no museums" });
	user("q7", "l2", "And back, very early on Sunday?");
	assistant(
		"a7",
		"q7",
		"The first train leaves Termini at 5:20. Before that there are buses from piazza dei Cinquecento.",
	);
	add("n1", "a7", { type: "session_info", name: "Rome, two days" });
	return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}
