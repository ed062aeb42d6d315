import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort, Service } from "../start/service.ts";
import { answers, type ChatServer, says, startChatServer } from "../summarizer/chat-server.ts";
import { Served } from "./served.ts";

let served: Served;
let model: ChatServer;
let pageServer: Service;
let chat: Service;
beforeAll(async () => {
	const [pagePort, chatPort] = [await freePort(), await freePort()];
	const origins = [pagePort, chatPort].map((port) => `http://127.0.0.1:${port}`);
	served = await Served.start({ CORS_ORIGINS: origins.join() });
	model = await startChatServer(says("Forum, then Trastevere."));
	pageServer = new Service("start", pagePort, {}, "examples/chat-page");
	const variables = { LEAFLOG_URL: served.service.url, MODEL_URL: model.url, MODEL: "small-1" };
	chat = new Service(
		"start",
		chatPort,
		{ ...variables, CLOUDFLARE_INCLUDE_PROCESS_ENV: "true", CI: "1" },
		"examples/worker-chat",
	);
	await pageServer.ready("/");
	await chat.ready("/");
}, 240_000);
afterAll(async () => {
	await served?.stop();
	pageServer?.destroy();
	chat?.destroy();
	await model?.close();
});

const faults: string[] = [];
const pages: Page[] = [];
afterEach(async () => {
	for (const page of pages.splice(0)) await page.close();
	expect(faults.splice(0)).toEqual([]);
});

async function open(session: string, more = ""): Promise<Page> {
	const origin = more === "" ? pageServer.url : chat.url;
	const page = await served.visit(`${origin}/?server=${served.service.url}&session=${session}${more}`);
	// The session may be there already, which Chromium complains of.
	page.on("pageerror", (error) => faults.push(String(error)));
	pages.push(page);
	return page;
}

async function say(page: Page, text: string): Promise<void> {
	await page.getByLabel("Message").fill(text);
	await page.getByLabel("Message").press("Enter");
}

const article = (page: Page, at: number) => page.locator("article").nth(at);
const press = (page: Page, at: number, name: string) =>
	article(page, at).getByRole("button", { name }).click();

/** Until the page shows so many messages, of which one begins with this. */
async function shows(page: Page, count: number, at: number, beginning: string): Promise<void> {
	const shown = async () => {
		const texts = await page.locator("article").allTextContents();
		return [texts.length, texts[at]?.slice(0, beginning.length)];
	};
	await expect.poll(shown, { timeout: 60_000 }).toEqual([count, beginning]);
}

async function entriesOf(session: string): Promise<{ type: string; message?: { content: unknown } }[]> {
	const { entries } = (await served.service.json(`/v1/sessions/${session}/entries?limit=1000`)) as {
		entries: { type: string; message?: { content: unknown } }[];
	};
	return entries;
}

describe("the chat page", { timeout: 120_000 }, () => {
	it("says something, edits it, walks between the branches by arrows; a second window sees it all live", async () => {
		const [one, other] = [await open("trip"), await open("trip")];
		await say(one, "Two days in Rome?");
		for (const page of [one, other]) await shows(page, 2, 1, "An answer");
		await say(other, "And in the rain?");
		for (const page of [one, other]) await shows(page, 4, 2, "And in the rain?");

		await press(one, 2, "Edit");
		expect(await one.getByLabel("Message").inputValue()).toBe("And in the rain?");
		await say(one, "And in the sun?");
		for (const page of [one, other]) {
			await shows(page, 4, 2, "And in the sun?");
			expect(await article(page, 2).textContent()).toContain("◀ 2/2 ▶");
			expect(await article(page, 2).getByRole("button", { name: "▶" }).isDisabled()).toBe(true);
			expect(await article(page, 0).getByRole("button", { name: "◀" }).count()).toBe(0);
		}
		await press(other, 2, "◀");
		for (const page of [one, other]) {
			await shows(page, 4, 2, "And in the rain?");
			expect(await article(page, 2).textContent()).toContain("◀ 1/2 ▶");
		}
		// What is said now goes on there; the arrow leads to its end from elsewhere.
		await say(one, "With children?");
		await shows(one, 6, 4, "With children?");
		await press(one, 2, "▶");
		await shows(one, 4, 2, "And in the sun?");
		await press(one, 2, "◀");
		await shows(one, 6, 4, "With children?");

		await press(one, 0, "Edit");
		await say(one, "Two days in Paris?");
		for (const page of [one, other]) {
			await shows(page, 2, 0, "Two days in Paris?");
			expect(await article(page, 0).textContent()).toContain("◀ 2/2 ▶");
		}
	});

	it("another answer is a branch; a question that has none can get one", async () => {
		await served.service.json("/v1/sessions", {
			method: "POST",
			body: { id: "waits", entries: [{ type: "message", message: { role: "user", content: "Anybody?" } }] },
		});
		const page = await open("waits");
		await shows(page, 1, 0, "Anybody?");
		await press(page, 0, "Answer");
		await shows(page, 2, 1, "An answer");
		expect(await article(page, 0).getByRole("button", { name: "Answer" }).count()).toBe(0);
		await press(page, 1, "Retry");
		await article(page, 1).getByText("2/2").waitFor();
		await press(page, 1, "◀");
		await article(page, 1).getByText("1/2").waitFor();
	});

	it("without a connection: says so, and stores what was said once, as soon as there is one", async () => {
		const page = await open("offline");
		await say(page, "one");
		await shows(page, 2, 0, "one");
		await page.context().setOffline(true);
		await say(page, "two");
		await page.getByText("No connection").waitFor();
		await page.context().setOffline(false);
		await shows(page, 4, 2, "two");
		// The answer to a request is lost: the repeat finds its entry stored.
		let lost = 0;
		await page.route("**/entries", async (route) => {
			if (lost++ > 0) return route.continue();
			await route.fetch();
			return route.abort();
		});
		await say(page, "three");
		await shows(page, 6, 4, "three");
		const said = (await entriesOf("offline")).map(({ message }) => message?.content);
		expect(said.filter((content) => typeof content === "string")).toEqual(["one", "two", "three"]);
		expect(said).toHaveLength(6);
	});

	it("nothing of a session's text can run, or be an element", async () => {
		const evil = `<img src=x onerror="window.ran = true"><script>window.ran = true</script>{{7*7}}`;
		const content = [
			{ type: "text", text: evil },
			{ type: "image", data: "x", mimeType: "text/html" },
		];
		const message = (role: string) => ({ type: "message", message: { role, content, toolCallId: evil } });
		const odd = { type: "message", message: { role: "<b>odd</b>" } };
		await served.service.json("/v1/sessions", {
			method: "POST",
			body: { id: "evil", entries: [message("user"), odd, message("user")] },
		});
		const page = await open("evil");
		await shows(page, 3, 0, evil);
		await press(page, 2, "Edit");
		await say(page, `${evil} again`);
		await shows(page, 4, 2, `${evil} again`);
		expect(await page.evaluate("window.ran")).toBeUndefined();
		const tags = await page.locator("main *").evaluateAll((all) => all.map(({ tagName }) => tagName));
		expect(new Set(tags)).toEqual(new Set(["ARTICLE", "BR", "BUTTON"]));
	});

	it("a session that is deleted is said to be", async () => {
		const page = await open("gone");
		await say(page, "one");
		await shows(page, 2, 0, "one");
		await fetch(`${served.service.url}/v1/sessions/gone`, { method: "DELETE" });
		await page.getByText("deleted").waitFor();
		expect(faults.splice(0)).toEqual([expect.stringContaining("deleted")]);
	});
});

describe("the chat page with the chat Worker", { timeout: 120_000 }, () => {
	it("a model's answers: streamed, retried after a failure, with branches", async () => {
		const page = await open("asked", "&chat=");
		await say(page, "Two days in Rome?");
		await shows(page, 2, 1, "Forum, then Trastevere.");
		model.reply = answers(500, "no");
		await say(page, "And rain?");
		await shows(page, 3, 2, "And rain?");
		await page.getByText("The model answered 500").waitFor();
		expect(faults.splice(0)).toEqual(["Error: The model answered 500"]);
		model.reply = says("Museums.");
		await press(page, 2, "Answer");
		await shows(page, 4, 3, "Museums.");
		model.reply = says("A café.");
		await press(page, 3, "Retry");
		await shows(page, 4, 3, "A café.");
		expect(await article(page, 3).textContent()).toContain("◀ 2/2 ▶");
		await press(page, 3, "◀");
		await shows(page, 4, 3, "Museums.");
	});
});
