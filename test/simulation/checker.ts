import { checkContents } from "./contents.ts";
import { type Chronicle, type Operation, type Seen, told, wishOf } from "./history.ts";
import { States } from "./states.ts";

/**
 * Whether a history is linearizable, given the log it left behind.
 *
 * The commits are a total order already, so each operation has few places where it may have happened. A place is a
 * number: 2c + 1 is the landing of commit c, 2k the time in which the log has k commits. Operations are taken in the
 * order of their answers, each put at its first possible place not before `floor`, the furthest place of all that was
 * over when it was called; the first place is the weakest demand on all later ones, so none is missed. Landings
 * are part of the history with their exact step: what landed before a question was asked must show in its answer.
 */
export function check(chronicle: Chronicle, operations: readonly Operation[]): string[] {
	const states = new States(chronicle);
	return [...checkPlaces(chronicle, operations, states), ...checkContents(chronicle, operations, states)];
}

/** Real time: nobody sees less than what was over before he asked, nor what comes after he was answered. */
function checkPlaces(chronicle: Chronicle, operations: readonly Operation[], states: States): string[] {
	const problems: string[] = [];
	const calls = operations.map((operation) => ({ step: operation.called, rank: 0, operation }));
	const returns = operations
		.filter(({ returned }) => returned !== undefined)
		.map((operation) => ({ step: operation.returned!, rank: 2, operation }));
	const steps = [...chronicle.commits.map(({ step }) => step)];
	if (chronicle.ended !== undefined) steps.push(chronicle.ended);
	const landings = steps.map((step, commit) => ({ step, rank: 1, commit }));
	const floors = new Map<Operation, number>();
	let floor = 0;
	for (const event of [...calls, ...landings, ...returns].sort(
		(a, b) => a.step - b.step || a.rank - b.rank,
	)) {
		if ("commit" in event) {
			const place = 2 * event.commit + 1;
			if (floor >= place)
				problems.push(`commit ${event.commit} landed at step ${event.step}, after it was seen`);
			floor = Math.max(floor, place);
		} else if (event.rank === 0) {
			floors.set(event.operation, floor);
		} else {
			const { operation } = event;
			const lowest = floors.get(operation)!;
			const allowed = possiblePlaces(operation, chronicle, states);
			if (allowed === undefined) continue;
			const place = allowed.find((candidate) => (candidate % 2 ? candidate > lowest : candidate >= lowest));
			if (place === undefined) {
				problems.push(
					`${told(operation)}: no place for it (not before ${lowest}, may be ${allowed.slice(0, 8)})`,
				);
			} else {
				floor = Math.max(floor, place);
			}
		}
	}
	return problems;
}

/** Where this answer may have happened, ascending; undefined: it says nothing. */
function possiblePlaces(operation: Operation, chronicle: Chronicle, states: States): number[] | undefined {
	const answer = operation.answer!;
	const all = (holds: (state: number) => boolean) =>
		Array.from({ length: states.last + 1 }, (_, state) => state)
			.filter(holds)
			.map((state) => 2 * state);
	switch (answer.kind) {
		case "landed": {
			const commit = wishOf(operation) && states.placeOf(wishOf(operation)!.tag)?.commit;
			return commit === undefined
				? []
				: [2 * commit + 1, ...all((state) => state > commit && states.isLive(state))];
		}
		case "refused": {
			const { question } = operation;
			if (question.kind === "end") {
				return all((state) => states.isLive(state) && states.length(state) !== question.ifLength);
			}
			const wish = wishOf(operation);
			return all((state) => wish !== undefined && states.justifies(state, wish, answer.why));
		}
		case "created":
			return chronicle.genesisTag !== undefined && wishOf(operation)?.tag === chronicle.genesisTag ? [1] : [];
		case "seen":
		case "exists":
			return matches(answer.seen, states) ? [2 * answer.seen.commit + 2] : [];
		case "newest":
			return all((state) => (answer.commit === null ? !states.isLive(state) : state - 1 === answer.commit));
		case "ended":
			return states.isGone(states.last) ? [2 * states.last - 1] : [];
		case "absent":
			return [0];
		case "gone":
			return all((state) => states.isGone(state));
		case "undone":
		case "indeterminate":
			return undefined;
	}
}

/** Whether what a reader was shown is the log as it was after that commit. */
function matches(seen: Seen, states: States): boolean {
	const state = seen.commit + 1;
	if (!states.isLive(state)) return false;
	if (states.length(state) !== seen.length || states.head(state) !== seen.head) return false;
	return (
		seen.ids === undefined ||
		(seen.ids.length === seen.length && seen.ids.every((id, index) => id === states.ids[index]))
	);
}
