/** A stand-in for a model, to try the example without one: says again what it was told, in pieces. */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

createServer(async (request, response) => {
	if (request.method !== "POST") return response.end("An echo\n");
	let body = "";
	for await (const chunk of request) body += chunk;
	const { messages, model } = JSON.parse(body) as {
		model: string;
		messages: { role: string; content: unknown }[];
	};
	const said = messages.filter(({ role }) => role !== "system");
	const words = `You said: ${JSON.stringify(said.at(-1)?.content)}, after ${said.length - 1} messages.`;
	const say = (choice: object) =>
		response.write(`data: ${JSON.stringify({ model, choices: [{ index: 0, ...choice }] })}\n\n`);
	response.writeHead(200, { "Content-Type": "text/event-stream" });
	for (const content of words.match(/\S+\s*/g) ?? []) {
		say({ delta: { content } });
		await sleep(50);
	}
	say({ delta: {}, finish_reason: "stop" });
	response.end("data: [DONE]\n\n");
}).listen(Number(process.env.PORT ?? 8789), "127.0.0.1", () => console.log("The echo listens"));
