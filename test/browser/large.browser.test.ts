import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served } from "./served.ts";

let served: Served;
beforeAll(async () => {
	served = await Served.start();
}, 180_000);
afterAll(() => served?.stop());

const count = 20_000;

/** A long conversation; at every hundredth entry somebody tried something else. */
function longSession(): string {
	const lines: object[] = [
		{ type: "session", version: 3, id: "long", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" },
	];
	for (let at = 0; at < count; at++) {
		const role = at % 2 === 0 ? "user" : "assistant";
		const text = `number ${at}`;
		lines.push({
			type: "message",
			id: `e${at}`,
			// A branch goes on beside the last entry of the one before.
			parentId:
				at === 0 ? null : at % 100 === 99 ? `e${at - 2}` : at % 100 === 0 ? `e${at - 2}` : `e${at - 1}`,
			timestamp: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
			message: { role, content: role === "user" ? text : [{ type: "text", text }] },
		});
	}
	return lines.map((line) => JSON.stringify(line)).join("\n");
}

describe("20,000 entries", () => {
	it("only the rows on screen are drawn, wherever one scrolls, jumps or searches", async () => {
		const answer = await fetch(`${served.service.url}/v1/sessions/import`, {
			method: "POST",
			headers: { "Content-Type": "application/x-ndjson" },
			body: longSession(),
		});
		expect(answer.status).toBe(201);
		const faults: string[] = [];
		const page = await served.open("#/long", faults);
		const row = (id: string) => page.locator(`.row[data-id="${id}"]`);
		const drawn = () => page.locator(".row").count();
		await row(`e${count - 1}`).waitFor();
		expect(await drawn()).toBeLessThan(80);
		await page.keyboard.press("g");
		await row("e0").waitFor();
		for (const share of [0.25, 0.5, 0.75]) {
			await page.evaluate(`(() => {
				const rows = document.querySelector(".rows");
				rows.scrollTop = ${share} * rows.scrollHeight;
			})()`);
			const expected = Math.round(share * count);
			// The row in the middle of the screen is near that share of the log. (Playwright's own waiting would evaluate
			// text in the page, which its policy forbids.)
			const distance = () =>
				page.evaluate<number>(`(() => {
					const box = document.querySelector(".rows").getBoundingClientRect();
					const row = document.elementFromPoint(box.x + 90, box.y + 300)?.closest(".row");
					return row ? Math.abs(Number(row.dataset.id.slice(1)) - ${expected}) : Number.MAX_VALUE;
				})()`);
			await expect.poll(distance, { timeout: 20_000 }).toBeLessThan(200);
			expect(await drawn()).toBeLessThan(80);
		}
		await page.keyboard.press("G");
		for (let pressed = 0; pressed < 30; pressed++) await page.keyboard.press("k");
		await page.locator(".row.selected").waitFor();
		await page.keyboard.press("/");
		await page.keyboard.type("number 12345");
		await page.locator(".count", { hasText: "1 of 20,000" }).waitFor();
		await page.keyboard.press("Enter");
		await page.waitForURL(/entry\/e12345$/);
		await page.keyboard.press("/");
		await page.keyboard.press("Escape");
		await page.locator('.row.selected[data-id="e12345"]').waitFor();
		await page.keyboard.press("z");
		expect(await drawn()).toBeLessThan(80);
		await served.service.json("/v1/sessions/long/entries", {
			method: "POST",
			body: { type: "message", id: "last", message: { role: "user", content: "one more" } },
		});
		await page.locator(".count", { hasText: "20,001" }).waitFor();
		await page.keyboard.press(".");
		await row("last").waitFor();
		// A branch that parted near the begin: read from there on, a page at a time.
		await page.goto(`${served.service.url}/app/#/long/compare/e99`);
		const live = page.getByRole("region", { name: "Live" });
		await live.locator(".card", { hasText: "number 98" }).waitFor();
		expect(await live.locator(".card").count()).toBe(100);
		await live.getByRole("button", { name: / more$/ }).click();
		await expect.poll(() => live.locator(".card").count()).toBe(200);
		expect(faults).toEqual([]);
	}, 240_000);
});
