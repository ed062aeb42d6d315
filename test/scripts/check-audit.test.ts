import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** Runs the script against a registry that answers the audit so, and knows each package by one version. */
async function audited(status: number, answer: unknown) {
	const server = createServer((request, response) => {
		request.resume();
		const asked = request.method === "POST";
		response.writeHead(asked ? status : 200, { "Content-Type": "application/json" });
		response.end(JSON.stringify(asked ? answer : packument(decodeURIComponent(request.url?.slice(1) ?? ""))));
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const script = spawn(process.execPath, [join(import.meta.dirname, "../../scripts/check-audit.ts")], {
		env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const stream of [script.stdout, script.stderr]) {
		stream.on("data", (chunk) => {
			output += chunk;
		});
	}
	const [code] = await once(script, "close");
	server.close();
	return { code, output };
}

const packument = (name: string) => ({
	name,
	"dist-tags": { latest: "4.13.19" },
	versions: { "4.13.19": { name, version: "4.13.19" } },
});

describe("npm run audit", () => {
	it("nothing known of any package: passes, and says how many were asked for", async () => {
		const { code, output } = await audited(200, {});
		expect([code, output]).toEqual([0, expect.stringMatching(/^audit: 0 findings in \d{2,} packages\n$/)]);
	}, 60_000);

	it("something is known of one that the service runs on: fails, and names it", async () => {
		const advisory = {
			id: 1,
			url: "https://example",
			title: "bad",
			severity: "low",
			vulnerable_versions: "*",
		};
		const { code, output } = await audited(200, { hono: [advisory] });
		expect([code, output]).toEqual([1, expect.stringMatching(/^hono .*: low$/m)]);
	}, 60_000);

	it("a registry that doesn't answer it: passes, and says that nothing was checked", async () => {
		const { code, output } = await audited(405, { error: "no such thing" });
		expect([code, output]).toEqual([0, expect.stringMatching(/^audit: NOT CHECKED, .*405/)]);
	}, 60_000);
});
