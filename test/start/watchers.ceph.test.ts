import { afterAll, expect, it } from "vitest";
import { Leaflog } from "../../client/src/client.ts";
import { platform } from "../../client/src/platform.ts";
import { Seeded } from "../simulation/seeded.ts";
import { freePort, Service } from "./service.ts";

const services: Service[] = [];

afterAll(() => {
	for (const service of services) service.destroy();
});

function start(port: number): Service {
	const service = new Service("start:node", port, { STORE: "s3" });
	services.push(service);
	return service;
}

const total = 500;
const deaths = 3;
/** Who lives again soon is asked again soon. */
const patient = {
	retries: 50,
	platform: {
		...platform,
		sleep: (ms: number, signal?: AbortSignal) => platform.sleep(Math.min(ms, 500), signal),
	},
};

it("ten watchers on three Node servers that are killed and come back: each sees 500 entries once, in order", async () => {
	const ports = [await freePort(), await freePort(), await freePort()];
	const living: Service[] = [];
	// The first one puts the files of /docs in place for all.
	living.push(await start(ports[0]!).ready());
	living.push(...(await Promise.all(ports.slice(1).map((port) => start(port).ready()))));
	const chance = new Seeded(10);
	const anyOf = <T>(list: readonly T[]): T => list[Math.floor(chance.fraction() * list.length)]!;
	const urls = living.map(({ url }) => url);
	/** Like a load balancer without a look at who lives: each request goes to one of the three. */
	const spread = () =>
		new Leaflog({
			baseUrl: "http://anyone",
			fetch: (url, init) => fetch(url.replace("http://anyone", anyOf(urls)), init),
			...patient,
		});

	const id = `watched-${crypto.randomUUID().slice(0, 8)}`;
	await spread().createSession({ id });
	let lost = 0;
	const complete = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
	const watch = async (client: Leaflog, at: number) => {
		const seen: { seq: number; text: unknown }[] = [];
		const onConnection = (state: "connected" | "lost") => {
			if (state === "lost") lost++;
		};
		for await (const event of client.session(id).watch({ after: 0, onConnection })) {
			if (event.type === "deleted") break;
			const { entry, seq } = event;
			seen.push({ seq, text: entry.type === "message" && entry.message.content });
			if (seq === total) complete[at]!.resolve();
		}
		return seen;
	};
	// Some come back to the server they had, others to any.
	const watchers = Array.from({ length: 10 }, (_, at) =>
		watch(at < 5 ? new Leaflog({ baseUrl: urls[at % 3]!, ...patient }) : spread(), at),
	);

	const writer = spread().session(id);
	let restarted: Promise<unknown> = Promise.resolve();
	for (let sent = 0, died = 0; sent < total; ) {
		const size = Math.min(total - sent, 1 + Math.floor(chance.fraction() * 5));
		await writer.append(
			Array.from({ length: size }, (_, at) => ({
				type: "message" as const,
				message: { role: "user" as const, content: `entry ${sent + at}` },
			})),
		);
		sent += size;
		if (died < deaths && sent > ((died + 1) * total) / (deaths + 1)) {
			await restarted;
			const at = died % 3;
			living[at]!.destroy();
			living[at] = start(ports[at]!);
			restarted = living[at]!.ready();
			died++;
		}
	}
	await restarted;
	await Promise.all(complete.map(({ promise }) => promise));
	await writer.delete();

	const expected = Array.from({ length: total }, (_, at) => ({ seq: at + 1, text: `entry ${at}` }));
	for (const seen of await Promise.all(watchers)) expect(seen).toEqual(expected);
	// Each death cut off somebody.
	expect(lost).toBeGreaterThanOrEqual(deaths);
}, 180_000);
