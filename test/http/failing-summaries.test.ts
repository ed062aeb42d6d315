import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { describe, expect, it } from "vitest";
import { answers, type ChatReply, chunk, says, streams } from "../summarizer/chat-server.ts";
import { chat, expectUnchanged, key, summarizing, worked } from "./summarizing.ts";
import { type Reply, World } from "./world.ts";

describe("summaries that fail: nothing is stored", () => {
	const calls: Record<string, [string, object]> = {
		navigateTree: ["navigate", { targetId: "v2", summarize: true, label: "L" }],
		compactSession: ["compact", { keepRecentTokens: 1 }],
	};
	const failures: Record<string, ChatReply> = {
		"it answers 500": answers(500, { error: { message: `key ${key}: Thanks a lot.` } }),
		"it answers 401": answers(401, { error: { message: `wrong key ${key}` } }),
		"it slows us down": answers(429, "slow"),
		"its answer is cut off": says("Half of", { finish: "length" }),
		"it calls a tool": streams([chunk({ tool_calls: [{ id: "c" }] }), chunk({}, "tool_calls"), "[DONE]"]),
		"its answer is empty": says(""),
		"its stream breaks off": streams([chunk({ content: "Half of" })]),
		"its stream brings an error": streams([
			chunk({ content: "Half" }),
			'{"error":{"message":"Thanks a lot."}}',
		]),
		"it answers no JSON": answers(200, "<html>Thanks a lot.</html>"),
		"the connection breaks": (response) => void response.destroy(),
	};

	function expectUnavailable(reply: Reply): void {
		expect([reply.status, reply.body.code]).toEqual([503, "summarizer_unavailable"]);
		expect(reply.headers.get("Retry-After")).toMatch(/^\d+$/);
		expect(reply.text).not.toMatch(/sk-|Thanks|Half of|127\.0\.0\.1/);
	}

	for (const [call, [path, body]] of Object.entries(calls)) {
		for (const [what, reply] of Object.entries(failures)) {
			it(`${call}: ${what}`, async () => {
				const world = summarizing();
				const session = await worked(world);
				chat.reply = reply;
				expectUnavailable(await world.post(`${session}/${path}`, body, { "Idempotency-Key": "k" }));
				await expectUnchanged(world, session, 7);
				expect(JSON.stringify(world.lines)).not.toMatch(/sk-|Thanks|tea|Half of|127\.0\.0\.1/);
				chat.reply = says("Better now.");
				const again = await world.post(`${session}/${path}`, body, { "Idempotency-Key": "k" });
				expect([200, 201]).toContain(again.status);
				expect(again.headers.get("Idempotency-Replayed")).toBeNull();
			});
		}

		it(`${call}: it takes too long`, async () => {
			const clock = new AbortController();
			const world = summarizing(() => clock.signal);
			const session = await worked(world);
			chat.reply = streams([chunk({ content: "Half of" })], false);
			const came = chat.next();
			const reply = world.post(`${session}/${path}`, body);
			const request = await came;
			clock.abort();
			expectUnavailable(await reply);
			await request.gone;
			await expectUnchanged(world, session, 7);
		});

		it(`${call}: the client leaves, and the summarizer is told`, async () => {
			const world = summarizing();
			const session = await worked(world);
			chat.reply = () => {};
			const client = new AbortController();
			const came = chat.next();
			const reply = world.send("POST", `${session}/${path}`, {
				body: JSON.stringify(body),
				headers: { "Content-Type": "application/json" },
				signal: client.signal,
			});
			const request = await came;
			client.abort();
			await request.gone;
			expect((await reply).status).toBe(503);
			await expectUnchanged(world, session, 7);
		});

		it(`${call}: the connection to the client is gone, under Node`, async () => {
			const world = summarizing();
			const session = await worked(world);
			chat.reply = () => {};
			const server = createAdaptorServer({ fetch: (request) => world.fetch(request) });
			await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
			const { port } = server.address() as AddressInfo;
			const client = new AbortController();
			const came = chat.next();
			const reply = fetch(`http://localhost:${port}${session}/${path}`, {
				method: "POST",
				body: JSON.stringify(body),
				headers: { "Content-Type": "application/json" },
				signal: client.signal,
			});
			const request = await came;
			client.abort();
			await expect(reply).rejects.toThrow("aborted");
			await request.gone;
			await expectUnchanged(world, session, 7);
			await new Promise((resolve) => server.close(resolve));
		});

		it(`${call}: none is configured`, async () => {
			const world = new World();
			const session = await worked(world);
			const reply = await world.post(`${session}/${path}`, body);
			expect([reply.status, reply.body.code]).toEqual([501, "not_configured"]);
			await expectUnchanged(world, session, 7);
			await world.call("DELETE", session);
			expect((await world.post(`${session}/${path}`, body)).status).toBe(410);
			expect((await world.post(`/v1/sessions/nowhere/${path}`, body)).status).toBe(404);
		});
	}
});
