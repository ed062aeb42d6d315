import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Served } from "./served.ts";
import { tripSession } from "./trip-session.ts";

let served: Served;
beforeAll(async () => {
	served = await Served.start();
}, 180_000);
afterAll(() => served?.stop());

const faults: string[] = [];
const pages: Page[] = [];
afterEach(async () => {
	for (const page of pages.splice(0)) await page.close();
	expect(faults.splice(0)).toEqual([]);
});

async function open(hash = ""): Promise<Page> {
	const page = await served.open(hash, faults);
	pages.push(page);
	return page;
}

async function imported(id: string): Promise<string> {
	const answer = await fetch(`${served.service.url}/v1/sessions/import?id=${id}`, {
		method: "POST",
		headers: { "Content-Type": "application/x-ndjson" },
		body: tripSession(id),
	});
	expect(answer.status).toBe(201);
	return id;
}

const row = (page: Page, id: string) => page.locator(`.row[data-id="${id}"]`);
const rowIds = (page: Page) =>
	page.locator(".row").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-id")));
/** How far below the upper edge of the list a row begins, and whether all of it is on screen. */
const placeOf = (page: Page, id: string) =>
	page.evaluate<{ top: number; inSight: boolean } | undefined>(`(() => {
		const row = document.querySelector('.row[data-id="${id}"]');
		if (!row) return undefined;
		const [inner, outer] = [row.getBoundingClientRect(), row.closest(".rows").getBoundingClientRect()];
		const inSight = inner.top >= outer.top && inner.bottom <= outer.bottom;
		return { top: inner.top - outer.top, inSight };
	})()`);
const selected = (page: Page) => page.locator(".row.selected").getAttribute("data-id");

describe("the viewer", () => {
	it("a session file: imported by a click, listed, found by search, and drawn with its branches", async () => {
		const page = await open();
		await page.locator("input.file").setInputFiles({
			name: "trip.jsonl",
			mimeType: "application/x-ndjson",
			buffer: Buffer.from(tripSession("trip")),
		});
		await page.waitForURL(/#\/trip$/);
		await row(page, "a7").waitFor();
		expect(await page.locator(".tree-pane h1").textContent()).toBe("Rome, two days");
		expect(await rowIds(page)).toEqual(
			"q1 s1 t1 a1 q2 a2 q2b a2b q3b a3b a3c q2c s2 t2 a4 q5 a5 k1 q6 a6 e1 q7 a7".split(" "),
		);
		expect(await row(page, "a7").locator(".badge.leaf").count()).toBe(1);
		expect(await row(page, "a4").locator("mark.label").textContent()).toBe("with children");
		const search = page.getByPlaceholder("Search sessions");
		await search.fill("nothing like it");
		await page.getByText("No session has these words.").waitFor();
		await search.fill("ROME days");
		await page.locator(".sessions li a", { hasText: "Rome, two days" }).waitFor();
	}, 120_000);

	it("filters, search and folds: show what they are for", async () => {
		const page = await open(`#/${await imported("folds")}`);
		await row(page, "q1").waitFor();
		await page.getByRole("button", { name: "users" }).click();
		expect(await rowIds(page)).toEqual("q1 q2 q2b q3b q2c q5 q6 q7".split(" "));
		await page.getByRole("button", { name: "labelled" }).click();
		expect(await rowIds(page)).toEqual(["a2", "a4"]);
		await page.getByRole("button", { name: "no tools" }).click();
		expect(await rowIds(page)).not.toContain("t1");
		await page.getByRole("button", { name: "conversation" }).click();
		await row(page, "q2b").locator(".hit").click();
		expect(await row(page, "q2b").locator(".folded").textContent()).toBe("+4");
		expect(await rowIds(page)).not.toContain("a3b");
		await row(page, "q2b").locator(".folded").click();
		await row(page, "a3b").waitFor();
		await page.keyboard.press("/");
		await page.keyboard.type("san clemente");
		await page.locator(".row mark", { hasText: "San" }).waitFor();
		expect(await rowIds(page)).toEqual(["a3b"]);
		await page.keyboard.press("Enter");
		await page.waitForURL(/#\/folds\/entry\/a3b$/);
		await page.getByText("three churches on top of each other").nth(1).waitFor();
	}, 120_000);

	it("keys: move, fold, go between siblings, open and go back", async () => {
		const page = await open(`#/${await imported("keys")}`);
		await row(page, "a7").waitFor();
		const press = async (...keys: string[]) => {
			for (const key of keys) await page.keyboard.press(key);
			return selected(page);
		};
		expect(await press("g")).toBe("q1");
		expect(await press("j", "j", "j", "j")).toBe("q2");
		expect(await press("]")).toBe("q2b");
		expect(await press("]")).toBe("q2c");
		expect(await press("[")).toBe("q2b");
		expect(await press("h")).toBe("q2b");
		expect(await rowIds(page)).not.toContain("a2b");
		expect(await press("h")).toBe("a1");
		expect(await press("l")).toBe("q2");
		expect(await press("z")).toBe("q2");
		expect(await rowIds(page)).not.toContain("a2");
		expect(await press("z", ".")).toBe("a7");
		await press("Enter");
		await page.waitForURL(/entry\/a7$/);
		await press("k");
		await page.waitForURL(/entry\/q7$/);
		await press("?");
		await page.getByRole("dialog", { name: "Keys" }).waitFor();
		await press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		await press("Escape");
		await page.waitForURL(/#\/keys$/);
	}, 120_000);

	it("an entry: its arrows, label, copy, the leaf, and a fork", async () => {
		const page = await open(`#/${await imported("acts")}/entry/q2b`);
		await page.locator(".siblings", { hasText: "2 / 3" }).waitFor();
		await page.getByTitle("Next sibling (])").click();
		await page.waitForURL(/entry\/q2c$/);
		await page.getByRole("button", { name: "Label", exact: true }).click();
		await page.getByRole("textbox", { name: "Label" }).fill("the family");
		await page.getByRole("button", { name: "Save" }).click();
		await row(page, "q2c").locator("mark.label", { hasText: "the family" }).waitFor();
		await page.getByRole("button", { name: "Copy", exact: true }).click();
		await page.getByText("Text copied").waitFor();
		expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
			"We’ll be with two children, six and nine.",
		);
		await row(page, "a2").click();
		await page.getByRole("button", { name: "Set leaf" }).click();
		await row(page, "a2").locator(".badge.leaf").waitFor();
		expect(await served.service.json("/v1/sessions/acts/leaf")).toMatchObject({ leafId: "a2" });
		await row(page, "q2c").click();
		await page.getByRole("button", { name: "Fork before" }).click();
		await page.waitForURL((url) => !url.hash.includes("acts"));
		await row(page, "a1").waitFor();
		expect(await rowIds(page)).toEqual(["q1", "s1", "t1", "a1"]);
		await page.locator(".overview a", { hasText: "acts" }).waitFor();
	}, 120_000);

	it("what others append: appears, with the name, without a reload", async () => {
		const page = await open(`#/${await imported("live")}`);
		await page.locator(".liveness.live").waitFor();
		const said = (id: string, text: string) =>
			served.service.json("/v1/sessions/live/entries", {
				method: "POST",
				body: { type: "message", id, message: { role: "user", content: text } },
			});
		await said("new1", "Anything else to pack?");
		await row(page, "new1").locator(".badge.leaf").waitFor();
		await served.service.rename("live", "Rome, packed");
		await page.locator("h1", { hasText: "Rome, packed" }).waitFor();
		await said("new2", "Umbrellas.");
		await row(page, "new2").waitFor();
		await fetch(`${served.service.url}/v1/sessions/live`, { method: "DELETE" });
		await page.locator(".liveness", { hasText: "deleted" }).waitFor();
	}, 120_000);

	it("what others append while one reads above: moves nothing, and is a click away; who is at the leaf stays there", async () => {
		const page = await open(`#/${await imported("scroll")}`);
		await page.setViewportSize({ width: 1440, height: 500 });
		await page.locator(".liveness.live").waitFor();
		const said = (id: string, fields = {}) =>
			served.service.json("/v1/sessions/scroll/entries", {
				method: "POST",
				body: { type: "message", id, message: { role: "user", content: `text ${id}` }, ...fields },
			});
		for (const at of [1, 2, 3]) {
			await said(`follow${at}`);
			await row(page, `follow${at}`).locator(".badge.leaf").waitFor();
			await expect.poll(() => placeOf(page, `follow${at}`)).toMatchObject({ inSight: true });
		}
		await page.evaluate(`document.querySelector(".rows").scrollTop = 200`);
		await row(page, "q2b").waitFor();
		await expect.poll(() => placeOf(page, "q2b")).toMatchObject({ inSight: true });
		const before = await placeOf(page, "q2b");
		// One at the end, and a branch above what is read.
		await said("below");
		await said("above", { parentId: "q1" });
		await page.getByRole("button", { name: "2 new" }).waitFor();
		expect(await placeOf(page, "q2b")).toEqual(before);
		await page.getByRole("button", { name: "2 new" }).click();
		await expect.poll(() => placeOf(page, "above")).toMatchObject({ inSight: true });
		await page.getByRole("button", { name: "2 new" }).waitFor({ state: "detached" });
	}, 120_000);

	it("the context at the leaf: grows with the session, without a moment of nothing", async () => {
		const page = await open(`#/${await imported("growing")}/context`);
		const pane = page.locator(".context");
		await pane.locator(".card").first().waitFor();
		await page.evaluate(`window.blinks = 0;
			new MutationObserver(() => { if (!document.querySelector(".context .card")) window.blinks++; })
				.observe(document.body, { childList: true, subtree: true });`);
		for (const at of [1, 2, 3]) {
			await served.service.json("/v1/sessions/growing/entries", {
				method: "POST",
				body: { type: "message", message: { role: "user", content: `seen ${at}` } },
			});
			await pane.locator(".card", { hasText: `seen ${at}` }).waitFor();
		}
		expect(await page.evaluate("window.blinks")).toBe(0);
	}, 120_000);

	it("the context: what the model sees, what the compaction hides, and what an edit changed", async () => {
		const page = await open(`#/${await imported("context")}/context`);
		const pane = page.locator(".context");
		await pane.locator(".card").first().waitFor();
		expect(await pane.locator(".card > header .link").allTextContents()).toEqual([
			"Compaction",
			"User",
			"Assistant",
			"User",
			"Assistant",
			"User",
			"Assistant",
		]);
		expect(await pane.textContent()).not.toContain("4000 1234");
		expect(await pane.locator(".badge.edit").textContent()).toBe("edited");
		await pane.locator(".original summary").click();
		await pane.getByText("My card number is 4000 1234").waitFor();
		await pane.getByText("entries are hidden by the compaction").click();
		await pane.locator(".hidden-entries button", { hasText: "Plan two days in Rome" }).click();
		await page.waitForURL(/entry\/q1$/);
	}, 120_000);

	it("two branches: side by side from where they part", async () => {
		const page = await open(`#/${await imported("compare")}/entry/a3c`);
		await page.getByRole("button", { name: "Compare with leaf" }).click();
		await page.locator(".common", { hasText: "Day one" }).waitFor();
		const texts = (name: string) =>
			page.getByRole("region", { name }).locator(".card > header .link").allTextContents();
		await page.getByRole("region", { name: "Chosen" }).getByText("Capitoline").waitFor();
		expect(await texts("Chosen")).toEqual(["User", "Assistant", "User", "Assistant"]);
		await page.getByRole("region", { name: "Live" }).getByText("The first train leaves").waitFor();
		await row(page, "a3b").click();
		await page.keyboard.press("m");
		await row(page, "a3c").click();
		await page.keyboard.press("c");
		await page.waitForURL(/compare\/a3c\/a3b$/);
		await page.getByRole("region", { name: "Marked" }).getByText("San Clemente").waitFor();
		expect(await texts("Marked")).toEqual(["Assistant"]);
	}, 120_000);

	it("a phone: one pane at a time, nothing wider than the screen, and the way back", async () => {
		const page = await open();
		await imported("phone");
		await page.setViewportSize({ width: 390, height: 844 });
		const fits = async () =>
			expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
		await page.reload();
		await page.locator('.sessions li a[href="#/phone"]').click();
		await row(page, "a4").click();
		await page.locator("article").getByRole("link", { name: "the Colosseum’s own shop" }).waitFor();
		expect(await page.locator(".tree-pane").isVisible()).toBe(false);
		await fits();
		await page.goBack();
		await row(page, "a4").waitFor();
		await fits();
		await page.goBack();
		await page.locator(".brand").waitFor();
		await fits();
	}, 120_000);
});
