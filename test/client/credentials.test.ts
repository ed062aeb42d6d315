import { describe, expect, it } from "vitest";
import type { MessageEntry } from "../../client/src/api.ts";
import { LeaflogError } from "../../client/src/errors.ts";
import { picturesOf } from "../../client/src/messages.ts";
import { authenticate, token as signed } from "../http/tokens.ts";
import { World } from "../http/world.ts";
import { brisk, clientOf, says } from "./service.ts";

const guarded = () => new World({ config: { watch: brisk }, authenticate: authenticate() });
const expired = () => signed({ exp: 1 });

describe("a token that has expired", () => {
	it("reads, writes and watches ask for another one, and go on", async () => {
		const asked: boolean[] = [];
		let current = await expired();
		const token = async (refused: boolean) => {
			asked.push(refused);
			if (refused) current = await signed();
			return current;
		};
		const { leaflog, platform } = clientOf({ world: guarded(), client: { token } });
		const { id } = await leaflog.createSession();
		expect(asked).toEqual([false, true]);
		const session = leaflog.session(id);
		current = await expired();
		await session.append(says("hello"));
		current = await expired();
		for await (const event of session.watch({ after: 0 })) {
			expect(event).toMatchObject({ seq: 1, entry: { type: "message" } });
			break;
		}
		expect(asked).toEqual([false, true, false, true, false, true]);
		expect(platform.pauses).toEqual([]);
	});

	it("the other one is refused as well: 401, asked twice and no more", async () => {
		let asked = 0;
		const token = async () => {
			asked++;
			return expired();
		};
		const { leaflog } = clientOf({ world: guarded(), client: { token } });
		const refused = await leaflog.createSession().catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(LeaflogError);
		expect(refused).toMatchObject({ status: 401, code: "unauthorized" });
		expect(asked).toBe(2);
	});

	it("that can't be renewed: 401 at once", async () => {
		let sent = 0;
		const { leaflog } = clientOf({
			world: guarded(),
			client: { token: await expired() },
			wrap: (fetch) => (url, init) => {
				sent++;
				return fetch(url, init);
			},
		});
		await expect(leaflog.createSession()).rejects.toMatchObject({ status: 401 });
		expect(sent).toBe(1);
	});
});

describe("a picture", () => {
	it("read as a link: its absolute address; else its data", async () => {
		const { leaflog } = clientOf({
			world: new World({ config: { mediaSecret: "sixteen or more characters" } }),
		});
		const { id } = await leaflog.createSession();
		const session = leaflog.session(id);
		const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
		await session.append({ type: "message", id: "m1", message: { role: "user", content: [image] } });
		const blockOf = async (media?: "link") => {
			const { entry } = await session.entry("m1", { media });
			return picturesOf((entry as MessageEntry).message)[0]!;
		};
		expect(leaflog.picture(await blockOf())).toBe("data:image/png;base64,aGk=");
		expect(leaflog.picture(await blockOf("link"))).toMatch(
			/^http:\/\/localhost\/v1\/sessions\/[^/]+\/entries\/m1\/media\/0\?/,
		);
	});
});
