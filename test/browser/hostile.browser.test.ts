import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served } from "./served.ts";

let served: Served;
beforeAll(async () => {
	served = await Served.start();
}, 180_000);
afterAll(() => served?.stop());

/** Each of these runs `hit()` where it is taken for markup, a script or an address. */
const attacks = [
	"<script>hit()</script>",
	"<img src=x onerror=hit()>",
	"<svg onload=hit()><animate onbegin=hit() attributeName=x></svg>",
	"\"><iframe srcdoc='<script>parent.hit()</script>'></iframe>",
	"'-hit()-'",
	"[click](javascript:hit()) [two](JaVaScRiPt:hit()) [three](data:text/html,<script>hit()</script>)",
	"[four](https://example.test/\"onmouseover=hit()) https://example.test/'onclick=hit()",
	"```<script>hit()</script>\n<img src=x onerror=hit()>\n```",
	"javascript:hit()",
].join("\n");

/** The service lets no such id in: it is put into its answers on their way to the page. */
const hostileId = '"><img src=x onerror=hit()>';
const plainId = "an-id-to-replace";

function hostileSession(): string {
	const at = "2026-01-01T00:00:00.000Z";
	const image = (mimeType: string, data: string) => ({ type: "image", mimeType, data });
	const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="hit()"/>').toString("base64");
	const message = (content: unknown, fields = {}) => ({ role: "user", content, ...fields });
	const entries: object[] = [
		{ type: "message", message: message(attacks) },
		{
			type: "message",
			id: plainId,
			message: message([{ type: "text", text: attacks }, image("image/svg+xml", svg)]),
		},
		{
			type: "message",
			message: message([
				image('image/png" onerror="hit()', "AAAA"),
				image("text/html", svg),
				image("image/png", '" onerror="hit()'),
			]),
		},
		{
			type: "message",
			message: message(
				[
					{ type: "text", text: attacks },
					{ type: "thinking", thinking: attacks },
					{
						type: "toolCall",
						id: attacks,
						name: attacks,
						arguments: { [attacks]: attacks, __html: attacks },
					},
					{ type: attacks, dangerouslySetInnerHTML: { __html: attacks } },
				],
				{ role: "assistant", provider: attacks, model: attacks, errorMessage: attacks },
			),
		},
		{
			type: "message",
			message: message([{ type: "text", text: attacks }], {
				role: "toolResult",
				toolCallId: attacks,
				toolName: attacks,
			}),
		},
		{ type: "message", message: { role: "bashExecution", command: attacks, output: attacks } },
		{ type: "message", message: message(attacks, { role: attacks }) },
		{ type: attacks, text: attacks },
		{ type: "custom_message", customType: attacks, content: attacks, display: true },
		{ type: "custom", customType: attacks, data: { __html: attacks } },
		{ type: "branch_summary", fromId: attacks, summary: attacks },
		{ type: "label", targetId: plainId, label: attacks },
		{ type: "session_info", name: attacks },
		{ type: "model_change", provider: attacks, modelId: attacks },
	];
	let parentId: string | null = null;
	const lines: object[] = [{ type: "session", version: 3, id: "hostile", timestamp: at, cwd: attacks }];
	entries.forEach((entry, index) => {
		const line: Record<string, unknown> = { id: `e${index}`, timestamp: at, ...entry, parentId };
		lines.push(line);
		parentId = String(line.id);
	});
	return lines.map((line) => JSON.stringify(line)).join("\n");
}

async function watched(hash = ""): Promise<{ page: Page; hits: string[]; violations: string[] }> {
	const hits: string[] = [];
	const violations: string[] = [];
	const page = await served.open(hash, violations);
	await page.route("**/v1/**", async (route) => {
		const url = route.request().url().replaceAll(encodeURIComponent(hostileId), plainId);
		if (url.includes("/events")) return route.continue({ url });
		const answer = await route.fetch({ url });
		if (!answer.headers()["content-type"]?.includes("json")) return route.fulfill({ response: answer });
		const body = (await answer.text()).replaceAll(plainId, JSON.stringify(hostileId).slice(1, -1));
		await route.fulfill({ response: answer, body });
	});
	await page.reload();
	await page.exposeFunction("hit", () => hits.push("a script of the session ran"));
	page.on("dialog", (dialog) => hits.push(dialog.message()));
	page.on("popup", (popup) => hits.push(popup.url()));
	return { page, hits, violations };
}

describe("a hostile session", () => {
	it("is text wherever it is shown: nothing in it runs, no address but the web's is a link, no markup comes to be", async () => {
		const answer = await fetch(`${served.service.url}/v1/sessions/import?id=hostile`, {
			method: "POST",
			headers: { "Content-Type": "application/x-ndjson" },
			body: hostileSession(),
		});
		expect(answer.status, await answer.clone().text()).toBe(201);
		const { page, hits, violations } = await watched("#/hostile");
		await page.getByRole("button", { name: "all", exact: true }).click();
		await page.locator(".row").first().waitFor();
		const ids = await page
			.locator(".row")
			.evaluateAll((rows) => rows.map((row) => row.getAttribute("data-id") ?? ""));
		expect(ids).toHaveLength(14);
		expect(ids).toContain(hostileId);
		const sound = async () => {
			await page.evaluate(`for (const details of document.querySelectorAll("details")) details.open = true`);
			const found = await page.evaluate(`({
				scripts: document.querySelectorAll("#viewer script, #viewer iframe, #viewer [onload], #viewer [onerror], #viewer [onclick], #viewer [onmouseover], #viewer [srcdoc]").length,
				images: [...document.querySelectorAll("#viewer img")].map((image) => image.getAttribute("src")),
				links: [...document.querySelectorAll("#viewer a")].map((link) => link.protocol),
			})`);
			expect(found).toMatchObject({ scripts: 0, images: [] });
			for (const protocol of (found as { links: string[] }).links)
				expect(["http:", "https:"]).toContain(protocol);
		};
		await sound();
		for (const [index, id] of ids.entries()) {
			await page.locator(".row").nth(index).click();
			await page.waitForURL((url) => url.hash === `#/hostile/entry/${encodeURIComponent(id)}`);
			await page.locator("article .raw").waitFor();
			await sound();
		}
		for (const hash of [
			"#/hostile/context",
			`#/hostile/compare/${encodeURIComponent(ids[3]!)}`,
			"#/hostile",
			"#/",
		]) {
			await page.goto(`${served.service.url}/app/${hash}`);
			await page
				.locator(hash === "#/" ? ".welcome" : hash === "#/hostile" ? ".overview" : ".side .card")
				.first()
				.waitFor();
			await sound();
		}
		expect(await page.locator(".sessions li strong").textContent()).toContain("<script>hit()</script>");
		expect([hits, violations]).toEqual([[], []]);
	}, 180_000);

	it("the page's policy: no script comes in by markup, by address or by evaluation, even where the viewer erred", async () => {
		const { page, hits } = await watched();
		const refused = await page.evaluate(`(async () => {
			const names = [];
			const attempt = (work) => { try { work(); } catch (error) { names.push(error.name); } };
			attempt(() => { document.body.innerHTML = "<img src=x onerror=hit()>"; });
			attempt(() => { document.createElement("script").src = "https://example.test/x.js"; });
			attempt(() => { document.body.setAttribute("onclick", "hit()"); });
			attempt(() => { document.createElement("iframe").srcdoc = "<script>parent.hit()</script>"; });
			document.body.click();
			const link = document.createElement("a");
			link.href = "javascript:hit()";
			document.body.append(link);
			link.click();
			await new Promise((resolve) => setTimeout(resolve, 300));
			return names;
		})()`);
		expect(refused).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
		expect(hits).toEqual([]);
	}, 60_000);

	it("pictures: those of the four types are loaded and shown as data", async () => {
		const pixel =
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
		await served.service.json("/v1/sessions", { method: "POST", body: { id: "picture" } });
		await served.service.json("/v1/sessions/picture/entries", {
			method: "POST",
			body: {
				type: "message",
				id: "p1",
				message: { role: "user", content: [{ type: "image", mimeType: "image/png", data: pixel }] },
			},
		});
		const { page, violations } = await watched("#/picture/entry/p1");
		await page.locator("article img").waitFor();
		expect(await page.locator("article img").getAttribute("src")).toBe(`data:image/png;base64,${pixel}`);
		expect(await page.evaluate(`document.querySelector("article img").decode().then(() => "drawn")`)).toBe(
			"drawn",
		);
		expect(violations).toEqual([]);
	}, 60_000);
});
