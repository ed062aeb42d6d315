import { afterEach, describe, expect, it } from "vitest";
import { Server } from "./server.ts";

let server: Server | undefined;
afterEach(() => server?.stop());

const token = "a token of the scraper";

describe("/metrics", () => {
	it("on loopback without a token: told, and nothing of callers", async () => {
		server = await Server.start();
		await server.json("/v1/sessions", { id: "Secret-id", name: "secret name" });
		const answer = await fetch(`${server.url}/metrics`);
		const text = await answer.text();
		expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
			200,
			expect.stringMatching(/^text\/plain; version=0\.0\.4/),
		]);
		expect(text).toMatch(
			/leaflog_http_request_duration_seconds_count\{method="POST",route="\/v1\/sessions",status="201"\} 1/,
		);
		expect(text).not.toMatch(/secret/i);
	}, 60_000);

	it("with a token: only to who brings it, by GET and HEAD alone", async () => {
		server = await Server.start({ METRICS_TOKEN: token });
		const status = async (method: string, headers: Record<string, string>) => {
			const answer = await fetch(`${server?.url}/metrics`, { method, headers });
			const problem = answer.headers.get("Content-Type") === "application/problem+json";
			return `${answer.status}${problem ? " problem" : ""} ${answer.headers.get("Allow") ?? ""}`.trim();
		};
		const right = { Authorization: `Bearer ${token}` };
		for (const wrong of [
			"",
			token,
			`bearer ${token}`,
			`Bearer ${token} `.slice(0, -2),
			`Bearer ${token}x`,
			"Bearer ",
		]) {
			expect(await status("GET", wrong === "" ? {} : { Authorization: wrong })).toBe("401 problem");
		}
		expect(await status("GET", right)).toBe("200");
		expect(await status("HEAD", right)).toBe("200");
		expect(await status("POST", right)).toBe("405 problem GET, HEAD, OPTIONS");
	}, 60_000);

	it("where others reach the host, without a token: there is no such page", async () => {
		server = await Server.start({ HOST: "0.0.0.0" });
		const answer = await fetch(`${server.url}/metrics`);
		expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }]);
	}, 60_000);
});
