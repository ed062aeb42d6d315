import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served } from "./served.ts";
import { tripSession } from "./trip-session.ts";

let served: Served;
beforeAll(async () => {
	// Streams of five seconds: they end and are taken up again while the page is open.
	served = await Served.start({ WATCH_SECONDS: "5" }, "start");
}, 180_000);
afterAll(() => served?.stop());

describe("the viewer, served by the Worker", () => {
	it("is live: each entry appears once and in order, through streams that end", async () => {
		const faults: string[] = [];
		const answer = await fetch(`${served.service.url}/v1/sessions/import?id=live`, {
			method: "POST",
			headers: { "Content-Type": "application/x-ndjson" },
			body: tripSession("live"),
		});
		expect(answer.status, await answer.clone().text()).toBe(201);
		let streams = 0;
		served.onRequest((request) => {
			if (request.url().includes("/live/events")) streams++;
		});
		const page = await served.open("#/live", faults);
		await page.locator(".liveness.live").waitFor();
		for (let at = 0; streams < 3; at++) {
			await served.service.json("/v1/sessions/live/entries", {
				method: "POST",
				body: { type: "message", id: `news-${at}`, message: { role: "user", content: `news ${at}` } },
			});
			await page.locator(`.row[data-id="news-${at}"] .badge.leaf`).waitFor();
			expect(at).toBeLessThan(1000);
		}
		const news = await page
			.locator(".row")
			.evaluateAll((rows) =>
				rows.map((row) => row.getAttribute("data-id")!).filter((id) => id.startsWith("news-")),
			);
		expect(news.length).toBeGreaterThan(5);
		expect(news).toEqual(news.toSorted((one, other) => Number(one.slice(5)) - Number(other.slice(5))));
		expect(new Set(news).size).toBe(news.length);
		await page.getByRole("link", { name: "Context" }).click();
		await page.locator(".context .card", { hasText: "news 0" }).waitFor();
		expect(faults).toEqual([]);
	}, 180_000);
});
