import { writeFile } from "node:fs/promises";
import { type Entry, Leaflog, type Session } from "../client/src/index.ts";
import { checkSession } from "./check-session.ts";
import { plain, shortened } from "./plain.ts";
import type { SyncResult } from "./push.ts";
import { transcript } from "./transcript.ts";
import { treePicture } from "./tree-picture.ts";

/** What the program works with. */
export interface Terminal {
	readonly env: Readonly<Record<string, string | undefined>>;
	out(text: string): void;
	err(text: string): void;
	/** Whether somebody looks at what goes to `err`. */
	readonly interactive: boolean;
	/** Characters in a line, where what goes to `out` is on a screen. */
	readonly columns?: number;
	/** Aborted when the program is to stop. */
	readonly signal?: AbortSignal;
}

/** What every command can be told. */
export interface Settings {
	readonly url: string;
	readonly token?: string;
	readonly namespace?: string;
	readonly json?: boolean;
}

/** The commands. */
export class Shell {
	readonly #settings: Settings;
	readonly #terminal: Terminal;
	readonly #fail: () => void;
	readonly #leaflog: Leaflog;

	constructor(settings: Settings, terminal: Terminal, fail: () => void) {
		this.#settings = settings;
		this.#terminal = terminal;
		this.#fail = fail;
		const token = settings.token ?? terminal.env.LEAFLOG_TOKEN;
		const namespace = settings.namespace ?? terminal.env.LEAFLOG_NAMESPACE;
		this.#leaflog = new Leaflog({
			baseUrl: settings.url,
			...(token && { token }),
			...(namespace && { namespace }),
		});
	}

	async sync<Options extends { readonly folder: string }>(
		work: (
			leaflog: Leaflog,
			options: Options & {
				readonly service: string;
				readonly onProgress: (done: number, total: number, result: SyncResult) => void;
			},
		) => Promise<SyncResult[]>,
		options: Options,
	): Promise<void> {
		const { interactive } = this.#terminal;
		const onProgress = (done: number, total: number, result: SyncResult) => {
			if (interactive) this.#terminal.err(`\r\x1b[K${bar(done, total)} ${done}/${total}`);
			if (result.outcome === "unchanged" || this.#settings.json) return;
			if (interactive) this.#terminal.err("\r\x1b[K");
			const detail = result.detail === undefined ? "" : `: ${plain(result.detail)}`;
			this.#say(`${result.outcome} ${plain(result.path)} (${result.entries} entries)${detail}`);
		};
		const service = `${this.#settings.url} ${this.#settings.namespace ?? ""}`.trim();
		const results = await work(this.#leaflog, { ...options, service, onProgress });
		if (interactive) this.#terminal.err("\r\x1b[K");
		const counts: Record<string, number> = {};
		for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
		if (this.#settings.json) this.#json({ results, counts });
		else {
			const parts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
			this.#say(`${results.length} sessions: ${parts.join(", ") || "nothing to do"}`);
		}
		if (counts.conflict || counts.failed) this.#fail();
	}

	async list(options: { readonly query?: string; readonly cwd?: string; readonly limit: number }) {
		const query = { ...(options.query && { q: options.query }), ...(options.cwd && { cwd: options.cwd }) };
		const sessions: Session[] = [];
		const pages = this.#leaflog.sessions({ ...query, limit: Math.min(200, options.limit) });
		for await (const session of pages) {
			sessions.push(session);
			if (sessions.length >= options.limit) break;
		}
		if (this.#settings.json) {
			this.#json(sessions);
			return;
		}
		for (const { id, modified, messageCount, name, firstMessage } of sessions) {
			const title = plain(name ?? firstMessage ?? "").slice(0, 80);
			this.#say(
				`${id}  ${modified.slice(0, 16).replace("T", " ")}  ${String(messageCount).padStart(5)}  ${title}`,
			);
		}
	}

	async tree(
		id: string,
		options: {
			readonly fold?: boolean;
			readonly filter?: string;
			readonly query?: string;
			readonly labeled?: boolean;
		},
	) {
		const tree = await this.#leaflog.session(id).tree({
			...(options.filter && { types: options.filter.split(",") as Entry["type"][] }),
			...(options.query && { q: options.query }),
			...(options.labeled && { labeled: true }),
		});
		if (this.#settings.json) {
			this.#json(tree);
			return;
		}
		const { columns } = this.#terminal;
		for (const line of treePicture(tree, { fold: options.fold ?? false }))
			this.#say(columns === undefined ? line : shortened(line, columns));
	}

	async cat(id: string, options: { readonly from?: string }) {
		const branch = await this.#leaflog.session(id).branch(options.from ? { from: options.from } : {});
		for (const entry of branch.entries) this.#show(entry);
	}

	async export(id: string, options: { readonly output?: string; readonly log?: boolean }) {
		const text = await this.#leaflog.session(id).export(options.log ? { format: "log" } : {});
		if (options.output === undefined) {
			this.#terminal.out(text);
			return;
		}
		await writeFile(options.output, text);
		if (this.#settings.json) this.#json({ file: options.output });
		else this.#say(`written to ${options.output}`);
	}

	async fork(id: string, entryId: string, options: { readonly at?: boolean; readonly id?: string }) {
		const forked = await this.#leaflog.session(id).fork({
			entryId,
			...(options.at && { position: "at" }),
			...(options.id && { id: options.id }),
		});
		if (this.#settings.json) this.#json(forked);
		else this.#say(forked.session.id);
	}

	/** Fails where a session is not sound. */
	async check(ids: readonly string[]) {
		let [checked, wrong] = [0, 0];
		for await (const id of ids.length > 0 ? ids : this.#allIds()) {
			const check = await checkSession(this.#leaflog.session(id));
			checked++;
			if (check.problems.length > 0) wrong++;
			if (this.#settings.json) this.#json(check);
			else if (check.problems.length === 0) this.#say(`${id}: ${check.seq} entries, sound`);
			else for (const problem of check.problems) this.#say(`${id}: ${plain(problem)}`);
		}
		if (!this.#settings.json) this.#say(`${checked} checked, ${wrong} with something wrong`);
		if (wrong > 0) this.#fail();
	}

	async *#allIds(): AsyncGenerator<string, void> {
		for await (const { id } of this.#leaflog.sessions({ limit: 200 })) yield id;
	}

	async watch(id: string, options: { readonly after?: number }) {
		const { signal } = this.#terminal;
		const events = this.#leaflog.session(id).watch({
			...(options.after !== undefined && { after: options.after }),
			...(signal && { signal }),
			onConnection: (state) => {
				if (state === "lost") this.#terminal.err("leaflog: the connection is lost, trying again\n");
			},
		});
		for await (const event of events) {
			if (event.type === "entry") this.#show(event.entry);
			else if (this.#settings.json) this.#json({ deleted: id });
			else this.#say("the session was deleted");
		}
	}

	#show(entry: Entry): void {
		const { json } = this.#settings;
		const text = json ? undefined : transcript(entry);
		if (json) this.#json(entry);
		if (text !== undefined) this.#say(text);
	}

	#say(line: string): void {
		this.#terminal.out(`${line}\n`);
	}

	#json(value: unknown): void {
		this.#terminal.out(`${JSON.stringify(value)}\n`);
	}
}

function bar(done: number, total: number): string {
	const full = total === 0 ? 20 : Math.round((20 * done) / total);
	return `[${"#".repeat(full)}${" ".repeat(20 - full)}]`;
}
