import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secret, secretToken } from "../http/tokens.ts";
import { untrue } from "./alterations.ts";
import { runPage } from "./run-page.ts";
import { type Servers, startServers } from "./servers.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/mobile.md"), "utf8");

describe("docs/mobile.md", () => {
	let servers: Servers;
	// The app's own backend, which gives out tokens.
	const backEnd = createServer(async (_request, response) => {
		response.writeHead(200, { "Content-Type": "application/json" });
		response.end(JSON.stringify({ token: await secretToken({ sub: "somebody" }) }));
	});
	beforeAll(async () => {
		await new Promise<void>((listening) => backEnd.listen(0, "127.0.0.1", listening));
		servers = await startServers({ JWT_SECRET: secret, MEDIA_SECRET: "signs the links of this page" });
	}, 150_000);
	afterAll(async () => {
		backEnd.close();
		await servers?.close();
	});

	it("compiles, runs to its end, and every value is as it says", { timeout: 120_000 }, async () => {
		const { types, failure, outcomes, unreached } = await runPage(page, {
			"http://127.0.0.1:8787": servers.service.url,
			"https://app.example.com": `http://127.0.0.1:${(backEnd.address() as AddressInfo).port}`,
		});
		expect({ types, failure, unreached }).toEqual({ types: "", failure: "", unreached: [] });
		expect(outcomes.filter(({ met }) => !met)).toEqual([]);
		expect(outcomes.length).toBeGreaterThan(15);
		for (const outcome of outcomes) expect(untrue(outcome), `line ${outcome.line}`).toEqual([]);
	});
});
