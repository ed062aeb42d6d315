import { setTimeout as sleep } from "node:timers/promises";

const namespaces = ["alice", "bob", "carol"];

/** Clients that write to a service until they are told to stop, and know what was acknowledged to them. */
export class Writers {
	readonly #url: string;
	readonly #key: string;
	/** By namespace and session: how many entries were acknowledged before the copy was made. */
	readonly #before = new Map<string, number>();
	#writing: Promise<unknown> | undefined;
	#stopped = false;

	constructor(url: string, key: string) {
		this.#url = url;
		this.#key = key;
	}

	/** Resolves once there is something to copy; they go on. */
	async start(): Promise<void> {
		for (const namespace of namespaces) {
			for (const id of ["one", "two", "three"]) {
				await this.#ask(namespace, "POST", "/v1/sessions", { id });
				for (let n = 0; n < 12; n++) await this.#append(namespace, id);
				this.#before.set(`${namespace} ${id}`, 12);
			}
		}
		this.#writing = Promise.all(namespaces.map((namespace) => this.#write(namespace)));
	}

	async stop(): Promise<void> {
		await sleep(1000);
		this.#stopped = true;
		await this.#writing;
	}

	/** Compares all sessions of another service with these: each must be what it was at some moment. Says what it saw. */
	async compareWith(other: string): Promise<string> {
		let sessions = 0;
		let behind = 0;
		for (const namespace of namespaces) {
			const { sessions: listed } = await this.#ask(
				namespace,
				"GET",
				"/v1/sessions?limit=200",
				undefined,
				other,
			);
			const ids = new Set(listed?.map(({ id }) => id));
			for (const id of [...this.#before.keys()].filter((name) => name.startsWith(`${namespace} `)))
				if (!ids.has(id.split(" ")[1] ?? "")) throw new Error(`${id} is not in the list`);
			for (const id of ids) {
				const [then, now] = await Promise.all([this.#log(namespace, id, other), this.#log(namespace, id)]);
				if (!now.startsWith(then)) throw new Error(`${namespace} ${id} is another one`);
				const entries = then.trimEnd().split("\n").length - 1;
				if (entries < (this.#before.get(`${namespace} ${id}`) ?? 0))
					throw new Error(`${namespace} ${id} has lost entries`);
				sessions++;
				if (then.length < now.length) behind++;
			}
		}
		if (behind === 0) throw new Error("nothing was written while the copy was made");
		return `${sessions} sessions as they were, ${behind} of them written to since`;
	}

	async #write(namespace: string): Promise<void> {
		for (let n = 0; !this.#stopped; n++) {
			await this.#append(namespace, ["one", "two", "three"][n % 3] ?? "one");
			if (n % 20 === 0) await this.#ask(namespace, "POST", "/v1/sessions/one/copies", { id: `copy-${n}` });
		}
	}

	#append(namespace: string, id: string) {
		const message = { role: "user", content: "What was that? ".repeat(20), timestamp: 1 };
		return this.#ask(namespace, "POST", `/v1/sessions/${id}/entries`, { type: "message", message });
	}

	async #log(namespace: string, id: string, url = this.#url): Promise<string> {
		const answer = await this.#fetch(
			namespace,
			"GET",
			`/v1/sessions/${id}/export?format=log`,
			undefined,
			url,
		);
		return answer.text();
	}

	async #ask(namespace: string, method: string, path: string, body?: object, url = this.#url) {
		const answer = await this.#fetch(namespace, method, path, body, url);
		return (await answer.json()) as { readonly sessions?: readonly { readonly id: string }[] };
	}

	async #fetch(namespace: string, method: string, path: string, body: object | undefined, url: string) {
		const answer = await fetch(url + path, {
			method,
			headers: {
				Authorization: `Bearer ${this.#key}`,
				"Leaflog-Namespace": namespace,
				...(body && { "Content-Type": "application/json" }),
			},
			...(body && { body: JSON.stringify(body) }),
		});
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
		return answer;
	}
}
