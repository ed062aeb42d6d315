import { Leaflog } from "../../client/src/client.ts";
import { startServer } from "../client/service.ts";
import { type ChatServer, says, startChatServer } from "../summarizer/chat-server.ts";
import { Bundle, ChatWorker } from "./chat-worker.ts";

/** The chat Worker in workerd, a model that it asks, and the Leaflog that it stores to. */
export class ChatWorld {
	readonly bundle: Bundle;
	readonly model: ChatServer;
	readonly server: Awaited<ReturnType<typeof startServer>>;
	readonly leaflog: Leaflog;
	#chat: ChatWorker | undefined;
	#sessions = 0;

	private constructor(bundle: Bundle, model: ChatServer, server: Awaited<ReturnType<typeof startServer>>) {
		this.bundle = bundle;
		this.model = model;
		this.server = server;
		this.leaflog = new Leaflog({ baseUrl: server.url });
	}

	static async start(): Promise<ChatWorld> {
		const bundle = await Bundle.of("examples/worker-chat");
		const world = new ChatWorld(bundle, await startChatServer(), await startServer());
		world.#chat = await ChatWorker.start(bundle, world.variables());
		return world;
	}

	get chat(): ChatWorker {
		if (this.#chat === undefined) throw new Error("not started");
		return this.#chat;
	}

	/** The Worker's variables. */
	variables(more: Record<string, string> = {}): Record<string, string> {
		return {
			LEAFLOG_URL: this.server.url,
			MODEL_URL: this.model.url,
			MODEL: "small-1",
			MODEL_PATIENCE: "1",
			...more,
		};
	}

	/** A model that works, and was asked nothing yet. */
	reset(): void {
		this.model.requests.length = 0;
		this.model.reply = says("Forum, then Trastevere.");
	}

	/** Of a session that isn't there. */
	newId(): string {
		this.#sessions++;
		return `chat-${this.#sessions}`;
	}

	/** Ids of the log's entries, in order. */
	async logOf(id: string): Promise<string[]> {
		const ids: string[] = [];
		for await (const entry of this.leaflog.session(id).allEntries()) ids.push(entry.id);
		return ids;
	}

	/** The texts of each request to the model. */
	whatModelsGot(): string[][] {
		return this.model.requests.map(({ body }) => body.messages.map(({ content }) => content));
	}

	async stop(): Promise<void> {
		await this.#chat?.kill();
		await this.server.close();
		await this.model.close();
	}
}
