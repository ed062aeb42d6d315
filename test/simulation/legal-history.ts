import type { Answer, Chronicle, LoggedRecord, Operation, Question, Refusal, Wish } from "./history.ts";
import { Seeded } from "./seeded.ts";

/**
 * A history that is right by construction: each operation happens at one moment, on a log that is a plain list,
 * and is called some time before and answered some time after it. For tests of the checker.
 */
export function legalHistory(seed: number): { chronicle: Chronicle; operations: Operation[] } {
	const random = new Seeded(seed);
	const commits: { step: number; records: LoggedRecord[] }[] = [];
	const operations: Operation[] = [];
	let ended: number | undefined;

	const all = () => commits.flatMap(({ records }) => records);
	const head = () => all().at(-1)?.head ?? null;
	const note = (question: Question, moment: number, answer: Answer | undefined) =>
		operations.push({
			number: operations.length,
			question,
			called: moment - 1 - random.below(400),
			returned: answer && moment + 1 + random.below(400),
			answer,
		});
	const place = (wish: Wish, moment: number) => {
		const records: LoggedRecord[] = [];
		for (const { id, parent } of wish.records) {
			const before = records.at(-1)?.head ?? head();
			records.push({ id, parent: parent === undefined ? before : parent, tag: wish.tag, head: id });
		}
		commits.push({ step: moment, records });
	};

	for (let index = 0; index < 24; index++) {
		const moment = 1000 + index * 100;
		const wish: Wish = {
			tag: `t${index}`,
			records: Array.from({ length: random.between(1, 3) }, (_, part) => ({
				id: `r${index}.${part}`,
				size: 1,
			})),
			...(random.chance(0.3) ? { ifLength: all().length - random.below(2) } : {}),
			...(random.chance(0.3) ? { unlessHead: random.chance(0.5) ? head() : "elsewhere" } : {}),
			...(random.chance(0.3) ? { targets: [random.chance(0.7) && head() ? head()! : "nowhere"] } : {}),
		};
		const live = commits.length > 0 && ended === undefined;
		const state = live ? undefined : ended === undefined ? ("absent" as const) : ("gone" as const);
		const commit = commits.length - 1;
		switch (random.weighted({ append: 10, create: 3, read: 6, newest: 2, end: 0.4 })) {
			case "create":
				if (state === "absent") place({ tag: wish.tag, records: wish.records }, moment);
				note(
					{ kind: "create", wish: { tag: wish.tag, records: wish.records } },
					moment,
					state === "gone"
						? { kind: "gone" }
						: {
								kind: state === "absent" ? "created" : "exists",
								seen: { commit: commits.length - 1, length: all().length, head: head() },
							},
				);
				break;
			case "append": {
				const why = state ?? refusal(wish, all(), head());
				if (state) note({ kind: "append", wish }, moment, { kind: state });
				else if (why) note({ kind: "append", wish }, moment, { kind: "refused", why: why as Refusal });
				else {
					place(wish, moment);
					const last = all().length;
					const answer: Answer = {
						kind: "landed",
						commit: commit + 1,
						first: last - wish.records.length + 1,
						last,
						ids: wish.records.map(({ id }) => id),
						own: true,
					};
					note(
						{ kind: "append", wish },
						moment,
						random.pick([answer, answer, { kind: "indeterminate" }, undefined]),
					);
				}
				break;
			}
			case "read":
				note(
					{ kind: "read" },
					moment,
					state
						? { kind: state }
						: {
								kind: "seen",
								seen: { commit, length: all().length, head: head(), ids: all().map(({ id }) => id) },
							},
				);
				break;
			case "newest":
				note({ kind: "newest" }, moment, {
					kind: "newest",
					commit: ended === undefined ? (live ? commit : null) : commit + 1,
				});
				break;
			case "end":
				if (live) {
					ended = moment;
					note({ kind: "end" }, moment, { kind: "ended" });
				} else note({ kind: "end" }, moment, { kind: state! });
		}
	}
	if (commits.length === 0) place({ tag: "unasked", records: [] }, 9000);
	return { chronicle: { commits, genesisTag: commits[0]!.records[0]?.tag, ended }, operations };
}

function refusal(wish: Wish, records: readonly LoggedRecord[], head: string | null): Refusal | undefined {
	if (wish.ifLength !== undefined && wish.ifLength !== records.length) return "length";
	if (wish.targets?.some((target) => !records.some(({ id }) => id === target))) return "target";
	return wish.unlessHead !== undefined && wish.unlessHead === head ? "nothing" : undefined;
}
