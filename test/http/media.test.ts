import { describe, expect, it } from "vitest";
import { notConfigured } from "../../src/http/auth.ts";
import { namespacePrefix } from "../../src/log/keys.ts";
import { EventReader } from "./event-reader.ts";
import { user, World } from "./world.ts";

const png = Buffer.from("89504e470d0a1a0a0000", "hex");
const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");

const image = (bytes: Buffer, mimeType = "image/png", more: object = {}) => ({
	type: "image",
	data: bytes.toString("base64"),
	mimeType,
	...more,
});

const pictures = {
	type: "message",
	id: "pictures",
	message: {
		role: "user",
		content: [{ type: "text", text: "look" }, image(png), image(svg, "image/svg+xml", { alt: "a drawing" })],
	},
};

async function furnished(options: ConstructorParameters<typeof World>[0] = {}) {
	const world = new World(options);
	const result = {
		type: "message",
		id: "result",
		message: { role: "toolResult", toolCallId: "c", content: [image(svg, "text/html")] },
	};
	const custom = {
		type: "custom",
		id: "sound",
		customType: "voice",
		data: { __proto__x: 1, clip: { type: "audio", data: "AAAA", mimeType: "audio/mpeg" } },
	};
	const session = await world.session([pictures, result, custom, user("no picture", { id: "plain" })]);
	return { world, session };
}

describe("reads with media=link", () => {
	it("base64 data gives way to its size and address, all else stays, wherever entries are read", async () => {
		const { world, session } = await furnished();
		const expected = [
			{ type: "text", text: "look" },
			{
				type: "image",
				mimeType: "image/png",
				bytes: png.length,
				href: `${session}/entries/pictures/media/0`,
			},
			{
				type: "image",
				mimeType: "image/svg+xml",
				alt: "a drawing",
				bytes: svg.length,
				href: `${session}/entries/pictures/media/1`,
			},
		];
		const entry = (await world.get(`${session}/entries/pictures?media=link`)).body.entry;
		expect(entry.message.content).toEqual(expected);
		const lists = ["entries?media=link", "branch?media=link", "context?view=entries&media=link"];
		for (const list of [...lists, "events?after=0&media=link"]) {
			const reply = await world.get(`${session}/${list}`, { Accept: "application/json" });
			expect(reply.body.entries[0].message.content).toEqual(expected);
			expect(reply.text).not.toContain(png.toString("base64"));
			expect(reply.body.entries[3].message.content).toBe("no picture");
		}
		const stream = await EventReader.open(world, `${session}/events?after=0&media=link`);
		expect(JSON.parse((await stream.event())?.data ?? "")).toEqual(entry);
		await stream.leave();
		const [, , custom] = (await world.get(`${session}/entries?media=link`)).body.entries;
		expect(custom.data).toEqual({
			__proto__x: 1,
			clip: { type: "audio", mimeType: "audio/mpeg", bytes: 3, href: `${session}/entries/sound/media/0` },
		});
	});

	it("without it, data is as it was stored; of messages it is not to be had", async () => {
		const { world, session } = await furnished();
		const { entry } = (await world.get(`${session}/entries/pictures`)).body;
		expect(entry.message).toEqual(pictures.message);
		expect((await world.get(`${session}/context?media=link`)).status).toBe(400);
		expect((await world.get(`${session}/entries?media=inline`)).status).toBe(400);
	});

	it("what only looks like a block stays", async () => {
		const world = new World();
		const lookalikes = [
			{ type: "image", mimeType: "image/png", data: "not base64!" },
			{ type: "image", mimeType: "image/png", data: "" },
			{ mimeType: "image/png", data: "AAAA" },
			{ type: "image", mimeType: 1, data: "AAAA" },
		];
		const session = await world.session([
			{ type: "custom", id: "odd", customType: "x", data: { lookalikes } },
		]);
		const { entry } = (await world.get(`${session}/entries/odd?media=link`)).body;
		expect(entry.data.lookalikes).toEqual(lookalikes);
		expect((await world.get(`${session}/entries/odd/media/0`)).status).toBe(404);
	});
});

describe("media", () => {
	it("the k-th block's bytes, of its type, to be kept for ever", async () => {
		const { world, session } = await furnished();
		const response = await world.send("GET", `${session}/entries/pictures/media/0`);
		expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
		expect(response.headers.get("Content-Type")).toBe("image/png");
		expect(response.headers.get("Content-Disposition")).toBeNull();
		expect(response.headers.get("Cache-Control")).toContain("immutable");
		const etag = response.headers.get("ETag") ?? "";
		await world.post(`${session}/entries`, user("more"));
		const again = await world.get(`${session}/entries/pictures/media/0`, { "If-None-Match": etag });
		expect(again.status).toBe(304);
		const other = await world.get(`${session}/entries/pictures/media/1`, { "If-None-Match": etag });
		expect(other.status).toBe(200);
	});

	it("nothing that could run runs: no sniffing, a sandbox, and what is no picture is for downloading", async () => {
		const { world, session } = await furnished();
		for (const [path, type, disposition] of [
			["pictures/media/1", "image/svg+xml", "attachment"],
			["result/media/0", "text/html", "attachment"],
			["sound/media/0", "audio/mpeg", "attachment"],
			["pictures/media/0", "image/png", null],
		] as const) {
			const reply = await world.get(`${session}/entries/${path}`);
			expect(reply.headers.get("Content-Type")).toBe(type);
			expect(reply.headers.get("Content-Disposition")).toBe(disposition);
			expect(reply.headers.get("X-Content-Type-Options")).toBe("nosniff");
			expect(reply.headers.get("Content-Security-Policy")).toMatch(/default-src 'none'; sandbox/);
		}
	});

	it("a type that is none, or more than one, is told as bytes", async () => {
		const world = new World();
		for (const mimeType of ["", "image", "image/png; charset=x", "a/b\r\nSet-Cookie: x", "é/ü", "x/*"]) {
			const session = await world.session([
				{ type: "message", id: "p", message: { role: "user", content: [image(png, mimeType)] } },
			]);
			const reply = await world.get(`${session}/entries/p/media/0`);
			expect([reply.status, reply.headers.get("Content-Type")]).toEqual([200, "application/octet-stream"]);
			expect(reply.headers.get("Content-Disposition")).toBe("attachment");
		}
	});

	it("404 for what isn't there, 400 for what is no number, 410 when the session is gone", async () => {
		const { world, session } = await furnished();
		const status = async (path: string) => (await world.get(`${session}/entries/${path}`)).status;
		expect(await status("pictures/media/2")).toBe(404);
		expect(await status("plain/media/0")).toBe(404);
		expect(await status("nothing/media/0")).toBe(404);
		expect(await status("pictures/media/-1")).toBe(400);
		expect(await status("pictures/media/x")).toBe(400);
		await world.call("DELETE", session);
		expect(await status("pictures/media/0")).toBe(410);
	});
});

describe("signed links", () => {
	const mediaSecret = "a secret of the deployment";

	async function linked() {
		const { world, session } = await furnished({ config: { mediaSecret } });
		const { entry } = (await world.get(`${session}/entries/pictures?media=link`)).body;
		const closed = world.cold({ authenticate: notConfigured });
		return { world, session, href: entry.message.content[1].href as string, closed };
	}

	it("work without credentials, for an hour, on every instance, and tell nobody the namespace", async () => {
		const { world, href, closed } = await linked();
		const load = async () => (await closed.get(href)).status;
		expect(await load()).toBe(200);
		expect((await closed.call("HEAD", href)).status).toBe(200);
		world.clock.advance(59 * 60_000);
		expect(await load()).toBe(200);
		world.clock.advance(7 * 60_000);
		expect(await load()).toBe(501);
		expect((await world.get(href)).status).toBe(200);
		expect(href).not.toContain("tests");
		expect(href).not.toContain(namespacePrefix("tests").slice(0, -1));
	});

	it("are good for one thing: no other block, entry, session, owner, time or call", async () => {
		const { session, href, closed } = await linked();
		const changes = [
			href.replace("media/0", "media/1"),
			href.replace("/pictures/", "/result/"),
			href.replace(session, "/v1/sessions/another"),
			href.replace(/owner=./, "owner=g"),
			href.replace(/expires=1/, "expires=2"),
			href.replace(/signature=./, "signature=_"),
			href.replace(/&signature=.*/, ""),
			href.replace(/entries\/pictures\/media\/0/, "entries"),
		];
		for (const changed of changes) {
			expect(changed).not.toBe(href);
			expect([changed, (await closed.get(changed)).status]).toEqual([changed, 501]);
		}
		expect((await closed.call("DELETE", href)).status).toBe(501);
		const otherSecret = closed.cold({ config: { mediaSecret: "another secret of sixteen" } });
		expect((await otherSecret.get(href)).status).toBe(501);
	});

	it("end with the session", async () => {
		const { world, session, href, closed } = await linked();
		await world.call("DELETE", session);
		expect((await closed.get(href)).status).toBe(410);
	});
});
