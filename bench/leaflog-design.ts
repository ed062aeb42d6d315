import { limits } from "../schemas/limits.ts";
import type { Clock } from "../src/log/log.ts";
import { Log, type LogName } from "../src/log/log.ts";
import { appendEntries } from "../src/operations/append-entries.ts";
import type { Call } from "../src/operations/call.ts";
import { Catalogue } from "../src/operations/catalogue.ts";
import type { Lines } from "../src/operations/entry-lines.ts";
import { ImportTurns } from "../src/operations/import-turns.ts";
import type { Outcome } from "../src/operations/outcome.ts";
import { readBranch } from "../src/operations/read-branch.ts";
import { readContext } from "../src/operations/read-context.ts";
import { readLeaf } from "../src/operations/read-leaf.ts";
import { readTree } from "../src/operations/read-tree.ts";
import type { Entry } from "../src/session/entry.ts";
import { recordOf } from "../src/session/record.ts";
import { MemoryStore } from "../src/store/memory.ts";
import type { ObjectStore } from "../src/store/object-store.ts";
import { type Design, type Instance, pageSize } from "./design.ts";
import { seededRandom } from "./random.ts";

export interface Session extends LogName {
	readonly namespace: string;
}

/** The session that is measured, unless another is named. */
export const session: Session = { namespace: "bench", id: "session" };

/** The longest session that is measured is as long as one may be, and is appended to nevertheless. */
const longer = { ...limits, sessionEntries: limits.sessionEntries + 10 };

export const leaflog: Design = {
	name: "Leaflog",
	open: (clock) => new LeaflogInstance(clock),
};

/** This service, without HTTP. */
export class LeaflogInstance implements Instance {
	static #opened = 0;
	readonly #clock: Clock;
	readonly #session: Session;
	readonly #random = seededRandom(++LeaflogInstance.#opened);
	readonly #catalogue: Catalogue;
	readonly #imports: ImportTurns;
	readonly log: Log;

	constructor(clock: Clock, name: Session = session) {
		this.#clock = clock;
		this.#session = name;
		this.log = new Log({ clock, random: this.#random });
		this.#catalogue = new Catalogue({ clock, random: this.#random });
		this.#imports = new ImportTurns({ clock });
	}

	async create(store: ObjectStore, header: Uint8Array): Promise<void> {
		const genesis = { meta: { cwd: "/" }, bytes: header };
		const created = await this.log.create({ store }, this.#session, { tag: "created", genesis, records: [] });
		if (created.kind !== "created") throw new Error(created.kind);
	}

	/** Appends an entry as one commit, without what an operation does beside that: for growing long sessions. */
	async write(store: ObjectStore, entry: Entry, line: Uint8Array): Promise<void> {
		const record = recordOf(entry, line);
		const outcome = await this.log.append({ store }, this.#session, {
			tag: `tag-of-${entry.id}`.padEnd(16, "-"),
			decide: (view) =>
				view.seqOf(entry.id) === undefined
					? { kind: "commit", records: [record], result: () => true }
					: { kind: "answer", answer: false },
		});
		if (outcome.kind !== "done" || !outcome.answer) throw new Error(outcome.kind);
	}

	async append(store: ObjectStore, entry: Entry): Promise<void> {
		const request = { id: this.#session.id, body: entry, keepLeaf: false };
		valueIn(await appendEntries(this.#call(store), request));
	}

	/** Appends what a user says, wherever the leaf is. False where there was too much of a crowd (503). */
	async say(store: ObjectStore, text: string): Promise<boolean> {
		const body = { type: "message", message: { role: "user", content: [{ type: "text", text }] } };
		const outcome = await appendEntries(this.#call(store), { id: this.#session.id, body, keepLeaf: false });
		if (outcome.kind === "refused" && outcome.code === "contention") return false;
		valueIn(outcome);
		return true;
	}

	async context(store: ObjectStore): Promise<void> {
		const request = { id: this.#session.id, view: "messages", format: "agent" } as const;
		const { shown } = valueIn(await readContext(this.#call(store), request));
		if (shown.view !== "messages" || shown.messages.length === 0) throw new Error("an empty context");
	}

	async branch(store: ObjectStore): Promise<void> {
		const { entries, nextBefore } = valueIn(
			await readBranch(this.#call(store), { id: this.#session.id, siblings: false }),
		);
		await consume(entries);
		if (nextBefore !== undefined) throw new Error("a page instead of the branch");
	}

	async page(store: ObjectStore): Promise<void> {
		const request = { id: this.#session.id, limit: pageSize, siblings: false };
		await consume(valueIn(await readBranch(this.#call(store), request)).entries);
	}

	async tree(store: ObjectStore): Promise<void> {
		const { nodes } = valueIn(await readTree(this.#call(store), this.#session.id, {}));
		if (nodes.length === 0) throw new Error("an empty tree");
	}

	async leaf(store: ObjectStore): Promise<void> {
		valueIn(await readLeaf(this.#call(store), this.#session.id));
	}

	/** What is done after an answer, for lists of sessions, goes to a bucket of its own: it is not what is measured. */
	#call(store: ObjectStore): Call {
		return {
			namespace: this.#session.namespace,
			log: this.log,
			catalogue: this.#catalogue,
			imports: this.#imports,
			scope: { store },
			after: { store: new MemoryStore(this.#clock) },
			clock: this.#clock,
			random: this.#random,
			limits: longer,
		};
	}
}

function valueIn<T>(outcome: Outcome<T>): T {
	if (outcome.kind !== "done") throw new Error(`refused: ${JSON.stringify(outcome)}`);
	return outcome.value;
}

/** Takes a stream to its end, and keeps nothing. */
async function consume(lines: Lines): Promise<void> {
	let count = lines.first.length;
	for await (const wave of lines.rest ?? []) count += wave.length;
	if (count === 0) throw new Error("nothing was read");
}
