import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Leaflog } from "../../client/src/client.ts";
import { says, startServer } from "./service.ts";

describe("client of a server that listens", () => {
	let server: Awaited<ReturnType<typeof startServer>>;
	beforeAll(async () => {
		server = await startServer();
	});
	afterAll(() => server.close());

	it("writes, reads and sees what others write", async () => {
		const leaflog = new Leaflog({ baseUrl: server.url });
		const { id } = await leaflog.createSession({ name: "On the wire" });
		const session = leaflog.session(id);
		const events = session.watch();
		const first = events.next();
		const others = new Leaflog({ baseUrl: server.url }).session(id);
		let seen = false;
		first.then(() => {
			seen = true;
		});
		// What was written before the watch began is not its business.
		while (!seen) await others.append(says("hello"));
		expect((await first).value).toMatchObject({ type: "entry", entry: { message: { content: "hello" } } });
		await events.return();
		expect((await session.get()).messageCount).toBeGreaterThan(0);
	});

	it("a watcher that leaves is noticed by the server", async () => {
		const leaflog = new Leaflog({ baseUrl: server.url });
		const { id } = await leaflog.createSession();
		await leaflog.session(id).append(says("hello"));
		for await (const _ of leaflog.session(id).watch({ after: 0 })) break;
		const ended = () => server.world.lines.filter(({ route }) => route.endsWith("/events")).length;
		while (ended() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
		expect(server.world.lines.at(-1)).toMatchObject({ status: 200 });
	});
});
