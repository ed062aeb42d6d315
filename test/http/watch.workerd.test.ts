import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { EventReader } from "./event-reader.ts";

/** Each goes to the Worker as a request of its own, with a context that no other one may touch. */
function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
	const { default: worker } = exports as unknown as { readonly default: Fetcher };
	return worker.fetch(`http://localhost${path}`, {
		method,
		headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
		...(body && { body: JSON.stringify(body) }),
	});
}

const says = (text: string) => ({ type: "message", message: { role: "user", content: text } });

// The first request brings the whole service up.
describe("watching a session in workerd", { timeout: 60_000 }, () => {
	it("what other requests of the same instance append reaches the stream, and so does the deletion", async () => {
		await send("POST", "/v1/sessions", { id: "s", entries: [says("old")] });
		const reader = new EventReader(
			(await send("GET", "/v1/sessions/s/events?after=0")) as unknown as Response,
		);
		expect((await reader.event())?.id).toBe("1");
		for (let at = 2; at <= 6; at++) {
			expect((await send("POST", "/v1/sessions/s/entries", says(`new ${at}`))).status).toBe(201);
			const { id, data } = (await reader.event()) ?? {};
			expect([id, JSON.parse(data ?? "").message.content]).toEqual([String(at), `new ${at}`]);
		}
		expect((await send("DELETE", "/v1/sessions/s")).status).toBe(204);
		expect((await reader.event())?.event).toBe("deleted");
		expect(await reader.event()).toBeUndefined();
	});

	it("a poll ends with the next entry", async () => {
		await send("POST", "/v1/sessions", { id: "p" });
		const polled = send("GET", "/v1/sessions/p/events?wait=25", undefined, { Accept: "application/json" });
		// A poll without a cursor starts when it arrives.
		const append = async () => {
			for (;;) {
				await send("POST", "/v1/sessions/p/entries", says("hello"));
				const answer = await Promise.race([polled, new Promise<undefined>((go) => setTimeout(go, 20))]);
				if (answer !== undefined) return answer;
			}
		};
		const { entries } = (await (await append()).json()) as { entries: { type: string }[] };
		expect(entries[0]?.type).toBe("message");
	});
});
