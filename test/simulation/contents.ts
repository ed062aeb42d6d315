import { type Answer, type Chronicle, type Operation, told, wantedId, wishOf } from "./history.ts";
import type { States } from "./states.ts";

/** Everything in the log was asked for, lies there as asked, and was valid at its place; what was answered is true. */
export function checkContents(
	chronicle: Chronicle,
	operations: readonly Operation[],
	states: States,
): string[] {
	return [
		...checkCommits(chronicle, operations),
		...checkAcknowledged(operations, states),
		...checkOwn(chronicle, operations, states),
		...checkEnd(chronicle, operations, states),
		...checkOnce(operations, states),
	];
}

/** The sequential rules, replayed commit by commit. */
function checkCommits(chronicle: Chronicle, operations: readonly Operation[]): string[] {
	const problems: string[] = [];
	const byTag = Map.groupBy(operations, (operation) => wishOf(operation)?.tag);
	let length = 0;
	let head: string | null = null;
	const taken = new Set<string>();
	for (const [number, commit] of chronicle.commits.entries()) {
		for (const [tag, records] of runs(commit.records)) {
			const attempts = byTag.get(tag) ?? [];
			const wish = attempts[0] && wishOf(attempts[0]);
			const where = `commit ${number}, request ${tag}`;
			if (!wish) {
				problems.push(`${where}: nobody asked for it`);
				continue;
			}
			if (attempts.every(({ called }) => called > commit.step))
				problems.push(`${where}: landed before it was asked for`);
			if (attempts.every(({ answer }) => isWithoutEffect(answer))) {
				problems.push(`${where}: was refused each time, and landed`);
			}
			if (records.map(({ id }) => wantedId(id)).join() !== wish.records.map(({ id }) => id).join()) {
				problems.push(
					`${where}: holds ${records.map(({ id }) => id)}, wanted were ${wish.records.map(({ id }) => id)}`,
				);
			}
			if (wish.ifLength !== undefined && wish.ifLength !== length)
				problems.push(`${where}: lies at length ${length}, not ${wish.ifLength}`);
			if (wish.unlessHead !== undefined && wish.unlessHead === head)
				problems.push(`${where}: had nothing to do`);
			for (const id of wish.targets ?? [])
				if (!taken.has(id)) problems.push(`${where}: its target ${id} is not there`);
			for (const [index, record] of records.entries()) {
				const wanted = wish.records[index];
				const parent = wanted?.parent === undefined ? head : wanted.parent;
				if (record.parent !== parent)
					problems.push(`${where}: ${record.id} hangs below ${record.parent}, not ${parent}`);
				const next = wanted?.head === undefined ? record.id : wanted.head;
				if (record.head !== next)
					problems.push(`${where}: after ${record.id} the head is ${record.head}, not ${next}`);
				if (taken.has(record.id)) problems.push(`${where}: ${record.id} is there twice`);
				taken.add(record.id);
				head = record.head;
				length += 1;
			}
		}
	}
	return problems;
}

/** What was acknowledged is there, where it was said to be. */
function checkAcknowledged(operations: readonly Operation[], states: States): string[] {
	const problems: string[] = [];
	for (const operation of operations) {
		const { answer } = operation;
		if (answer?.kind !== "landed") continue;
		const place = states.placeOf(wishOf(operation)?.tag ?? "");
		const truth = place && [
			place.commit,
			place.seqs[0],
			place.seqs.at(-1),
			...place.seqs.map((seq) => states.ids[seq - 1]),
		];
		const claim = [answer.commit, answer.first, answer.last, ...answer.ids];
		if (String(truth) !== String(claim))
			problems.push(`${told(operation)}: acknowledged ${claim}, the log holds ${truth ?? "nothing"}`);
	}
	return problems;
}

/** Of all that asked for the same, the one that brought it there is told so, and nobody else. */
function checkOwn(chronicle: Chronicle, operations: readonly Operation[], states: States): string[] {
	const problems: string[] = [];
	const byTag = Map.groupBy(operations, (operation) => wishOf(operation)?.tag);
	for (const [tag, attempts] of byTag) {
		const place = tag === undefined ? undefined : states.placeOf(tag);
		if (!place) continue;
		const { step } = chronicle.commits[place.commit]!;
		const owners = attempts.filter(({ answer }) => answer?.kind === "landed" && answer.own);
		if (owners.length > 1) problems.push(`${owners.map(told).join(" and ")}: two that brought it there`);
		for (const owner of owners) {
			if (owner.called > step) problems.push(`${told(owner)}: was there before`);
		}
		const [only] = attempts;
		if (attempts.length === 1 && only!.answer?.kind === "landed" && !only!.answer.own) {
			problems.push(`${told(only!)}: nobody else asked for it`);
		}
	}
	return problems;
}

/** The condition of the end held where it landed. */
function checkEnd(chronicle: Chronicle, operations: readonly Operation[], states: States): string[] {
	if (chronicle.ended === undefined) return [];
	const length = states.length(chronicle.commits.length);
	return operations
		.filter(
			({ question, answer }) =>
				question.kind === "end" && answer?.kind === "ended" && (question.ifLength ?? length) !== length,
		)
		.map((operation) => `${told(operation)}: at length ${length}`);
}

/** Each request once, one creation, one end. */
function checkOnce(operations: readonly Operation[], states: States): string[] {
	const problems: string[] = [];
	const tags = new Set(
		operations.map((operation) => wishOf(operation)?.tag).filter((tag) => tag !== undefined),
	);
	for (const tag of tags) {
		const place = states.placeOf(tag);
		if (place && place.seqs.at(-1)! - place.seqs[0]! + 1 !== place.seqs.length) {
			problems.push(`request ${tag} is there twice, at ${place.seqs}`);
		}
	}
	for (const kind of ["created", "ended"] as const) {
		const winners = operations.filter(({ answer }) => answer?.kind === kind);
		if (winners.length > 1) problems.push(`${kind} more than once: ${winners.map(told).join(" and ")}`);
	}
	return problems;
}

function isWithoutEffect(answer: Answer | undefined): boolean {
	return answer !== undefined && ["refused", "undone", "absent", "gone", "exists"].includes(answer.kind);
}

/** Consecutive records of the same request. */
function runs<T extends { readonly tag: string }>(records: readonly T[]): [string, T[]][] {
	const found: [string, T[]][] = [];
	for (const record of records) {
		const last = found.at(-1);
		if (last?.[0] === record.tag) last[1].push(record);
		else found.push([record.tag, [record]]);
	}
	return found;
}
