import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, Service } from "../start/service.ts";
import { type ChatServer, says, startChatServer } from "../summarizer/chat-server.ts";

/** What the pages' model says to whom. */
const answers: Readonly<Record<string, string>> = {
	"Two days in Rome?": "Forum, then Trastevere.",
	"And with children?": "Explora, the museum for children.",
	"And with a dog?": "Villa Borghese.",
};

export interface Servers {
	readonly service: Service;
	readonly model: ChatServer;
	close(): Promise<void>;
}

/** A service that was started as its readers start it, and a model that answers the pages' questions. */
export async function startServers(environment: Record<string, string> = {}): Promise<Servers> {
	const data = mkdtempSync(join(tmpdir(), "leaflog-pages-"));
	const model = await startChatServer(async (response, request) => {
		const question = request.body.messages.at(-1)?.content ?? "";
		await says(answers[question] ?? "A short summary.")(response, request);
	});
	const service = new Service("start", await freePort(), {
		LEAFLOG_DATA: data,
		SUMMARIZER_URL: model.url,
		SUMMARIZER_MODEL: "small-1",
		...environment,
	});
	const close = async () => {
		service.destroy();
		await model.close();
		rmSync(data, { recursive: true, force: true });
	};
	try {
		await service.ready();
	} catch (error) {
		await close();
		throw error;
	}
	return { service, model, close };
}
