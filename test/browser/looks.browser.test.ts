import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served } from "./served.ts";
import { tripSession } from "./trip-session.ts";

/*
 * `LEAFLOG_SHOTS=docs npm run test:browser -- looks` writes docs/viewer.png, the picture of the README. With another
 * folder the other pictures are written there too.
 */
const folder = process.env.LEAFLOG_SHOTS;

let served: Served;
beforeAll(async () => {
	served = await Served.start();
	const talks = {
		"Fix the flaky upload test": "The upload test fails once in twenty runs. Find out why.",
		"Names for a cat": "Five names for a grey cat, please.",
		"Letter to the landlord": "Write to our landlord about the heating.",
		"Moving to Postgres 18": "What changes for us from 16 to 18?",
		"Bread with little yeast": "My bread is flat. Where do I begin?",
	};
	let day = 23;
	for (const [name, question] of Object.entries(talks)) {
		const id = name.toLowerCase().replaceAll(" ", "-");
		const at = `2026-11-${day++}T10:00:00.000Z`;
		const entries = [
			{ type: "message", id: "q1", parentId: null, message: { role: "user", content: question } },
			{ type: "session_info", id: "n1", parentId: "q1", name },
		].map((entry) => ({ ...entry, timestamp: at }));
		await imported(
			id,
			[{ type: "session", version: 3, id, timestamp: at, cwd: "/" }, ...entries].map(line).join(""),
		);
	}
	await imported("rome", tripSession("rome"));
}, 180_000);
afterAll(() => served?.stop());

const line = (value: object) => `${JSON.stringify(value)}\n`;

async function imported(id: string, body: string): Promise<void> {
	const answer = await fetch(`${served.service.url}/v1/sessions/import?id=${id}`, {
		method: "POST",
		headers: { "Content-Type": "application/x-ndjson" },
		body,
	});
	expect(answer.status, await answer.clone().text()).toBe(201);
}

/** What is on screen, kept where pictures are asked for. */
async function picture(page: Page, name: string): Promise<void> {
	const bytes = await page.screenshot(
		folder && (name === "viewer" || !folder.endsWith("docs")) ? { path: join(folder, `${name}.png`) } : {},
	);
	expect(bytes.length).toBeGreaterThan(10_000);
	expect(bytes.length).toBeLessThan(300_000);
}

describe("the viewer's looks", () => {
	it("light and dark, an entry, a context, two branches, a phone: complete, without a fault, in less than 300 KB each", async () => {
		const faults: string[] = [];
		const page = await served.open("#/rome/entry/a4", faults);
		const go = (hash: string) => page.goto(`${served.service.url}/app/${hash}`);
		const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
		await page.locator("article").getByRole("link", { name: "the Colosseum’s own shop" }).waitFor();
		await page.locator(".liveness.live").waitFor();
		expect(await page.title()).toBe("Rome, two days · Leaflog");
		const light = await background();
		await picture(page, "viewer");
		await page.emulateMedia({ colorScheme: "dark" });
		expect(await background()).not.toBe(light);
		await picture(page, "dark");
		await go("#/rome/context");
		await page.locator(".context .card").first().waitFor();
		await picture(page, "context");
		await page.emulateMedia({ colorScheme: "light" });
		expect(await background()).toBe(light);
		await go("#/rome/compare/a3c");
		await page.getByText("Capitoline").nth(1).waitFor();
		await picture(page, "compare");
		await page.setViewportSize({ width: 390, height: 844 });
		await go("#/rome");
		await page.locator('.row[data-id="a1"]').waitFor();
		await picture(page, "phone");
		await go("#/rome/entry/q2b");
		await page.locator(".siblings", { hasText: "2 / 3" }).waitFor();
		await page.locator("article").waitFor();
		await picture(page, "phone-entry");
		await go("#/rome/compare/a3c");
		await page.locator(".compare .card").first().waitFor();
		await picture(page, "phone-compare");
		expect(faults).toEqual([]);
	}, 120_000);
});
