import { createHash } from "node:crypto";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served } from "./served.ts";
import { tripSession } from "./trip-session.ts";

const key = "llk_a-key-of-this-test";
const hash = createHash("sha256").update(key).digest("hex");
const scopes = ["sessions:read", "sessions:write", "sessions:delete"];

let served: Served;
const requests: Request[] = [];
beforeAll(async () => {
	served = await Served.start({
		API_KEYS: JSON.stringify([{ sha256: hash, namespace: "ada", scopes }]),
	});
	served.onRequest((request) => requests.push(request));
	const answer = await fetch(`${served.service.url}/v1/sessions/import?id=secret-trip`, {
		method: "POST",
		headers: { "Content-Type": "application/x-ndjson", Authorization: `Bearer ${key}` },
		body: tripSession("secret-trip"),
	});
	expect(answer.status, await answer.clone().text()).toBe(201);
}, 180_000);
afterAll(() => served?.stop());

const dialog = (page: Page) => page.getByRole("dialog", { name: "Credentials" });

async function enter(page: Page, token: string): Promise<void> {
	await dialog(page).getByLabel("Token").fill(token);
	await dialog(page).getByRole("button", { name: "Use" }).click();
}

/** Everything that a page leaves behind where others could read it. */
async function addresses(page: Page): Promise<string[]> {
	const timed = await page.evaluate<string[]>(
		`performance.getEntriesByType("resource").map(({ name }) => name)`,
	);
	return [page.url(), ...timed, ...requests.map((request) => request.url())];
}

describe("a service that asks who one is", () => {
	it("a token: asked for, told when it is wrong, sent in a header alone, gone with the tab", async () => {
		const page = await served.open("#/secret-trip/entry/a4");
		await dialog(page).getByText("This service asks who you are.").waitFor();
		await enter(page, "llk_wrong");
		await dialog(page).getByText("The token was refused").waitFor();
		await enter(page, key);
		await page.locator("article").getByText("With children").first().waitFor();
		await page.locator(".sessions li a", { hasText: "Rome, two days" }).waitFor();
		await page.locator(".liveness.live").waitFor();
		expect(await dialog(page).count()).toBe(0);

		await page.reload();
		await page.locator("article").getByText("With children").first().waitFor();
		const seen = await addresses(page);
		expect(seen.length).toBeGreaterThan(5);
		expect(seen.filter((address) => address.includes("llk_"))).toEqual([]);
		const calls = requests.filter((request) => request.url().includes("/v1/"));
		expect(calls.some((call) => call.headers().authorization === `Bearer ${key}`)).toBe(true);
		expect(await page.evaluate("[localStorage.length, document.cookie]")).toEqual([0, ""]);

		const other = await served.open("#/secret-trip");
		await dialog(other).getByText("This service asks who you are.").waitFor();
		expect(await other.locator("body").textContent()).not.toContain("Rome");
	}, 120_000);

	it("a dialog that is closed: does not come again by itself, and is one click away, on a phone too", async () => {
		const page = await served.open("#/secret-trip");
		await page.setViewportSize({ width: 390, height: 844 });
		await dialog(page).waitFor();
		await page.keyboard.press("Escape");
		await dialog(page).waitFor({ state: "detached" });
		await page.locator(".tree-pane").getByRole("button", { name: "Enter a token" }).click();
		await enter(page, key);
		await page.locator('.row[data-id="a7"]').waitFor();
	}, 120_000);

	it("a share: its link shows the session to be read and nothing else, and leaves no token in the address", async () => {
		const owner = await served.open("#/secret-trip");
		await dialog(owner).waitFor();
		await enter(owner, key);
		await owner.locator('.row[data-id="a2"]').click();
		await owner.getByRole("button", { name: "Share" }).click();
		const share = owner.getByRole("dialog", { name: "Share" });
		await share.getByLabel("Only the path").check();
		await share.getByRole("button", { name: "Make a link" }).click();
		const link = await share.getByLabel("Link").inputValue();
		const token = new URLSearchParams(link.split("?")[1]).get("share")!;
		expect(link.split("#")[0]).toBe(`${served.service.url}/app/`);
		expect(token.length).toBeGreaterThan(20);

		requests.length = 0;
		const reader = await served.open(link.slice(link.indexOf("#")));
		await reader.locator('.row[data-id="a2"]').click();
		await reader.locator("article").getByText("the Aventine").first().waitFor();
		await reader.getByText("shared with you", { exact: true }).waitFor();
		await reader.locator(".liveness.live").waitFor();
		expect(await dialog(reader).count()).toBe(0);
		expect(await reader.locator('.row[data-id="a4"]').count()).toBe(0);
		for (const name of ["Set leaf", "Label", "Share", "Fork"])
			expect(await reader.getByRole("button", { name, exact: true }).count()).toBe(0);
		await reader.keyboard.press("s");
		await reader.getByText("shared with you to be read").waitFor();
		await reader.reload();
		await reader.locator('.row[data-id="a2"]').waitFor();
		expect((await addresses(reader)).filter((address) => address.includes(token))).toEqual([]);
		const sent = requests.filter((request) => request.headers()["leaflog-share"] === token);
		expect(sent.length).toBeGreaterThan(0);
		for (const request of sent) expect(new URL(request.url()).pathname).toContain("/v1/sessions/secret-trip");
	}, 120_000);
});
