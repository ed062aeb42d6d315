import { type ServerType, serve } from "@hono/node-server";
import { Leaflog } from "../../client/src/client.ts";
import type { ConnectionOptions } from "../../client/src/connection.ts";
import type { Platform } from "../../client/src/platform.ts";
import { seededRandom, World, type WorldOptions } from "../http/world.ts";

export type Fetch = NonNullable<ConnectionOptions["fetch"]>;

/** Pauses that are over at once, and are written down. */
export class TestPlatform implements Platform {
	readonly pauses: number[] = [];
	readonly #random = seededRandom("client");

	async sleep(ms: number): Promise<void> {
		this.pauses.push(ms);
		await new Promise((resolve) => setImmediate(resolve));
	}
	random(): number {
		return this.#random.fraction();
	}
	now(): number {
		return Date.parse("2026-01-02T03:04:05.000Z");
	}
}

/** Looks often: whoever sleeps so shortly moves the clock on. */
export const brisk = { firstPause: 100, longestPause: 100 };

/** An instance in this process, as `fetch` reaches it. */
export function fetchOf(world: () => World): Fetch {
	return (url, init) => world().fetch(new Request(url, init));
}

/** A client of an instance in this process; `wrap` stands for the network between them. */
export function clientOf(
	options: {
		readonly world?: World;
		readonly wrap?: (fetch: Fetch) => Fetch;
		readonly client?: Partial<ConnectionOptions>;
	} = {},
) {
	const world = options.world ?? new World({ config: { watch: brisk } });
	const platform = new TestPlatform();
	const wrap = options.wrap ?? ((fetch: Fetch) => fetch);
	const leaflog = new Leaflog({
		baseUrl: "http://localhost/",
		fetch: wrap(fetchOf(() => world)),
		platform,
		...options.client,
	});
	return { world, platform, leaflog };
}

/** A server on a free port of this machine, and how to end it. */
export async function startServer(
	options: WorldOptions = {},
): Promise<{ readonly url: string; readonly world: World; close(): Promise<void> }> {
	const world = new World({ config: { watch: brisk }, ...options });
	let server: ServerType | undefined;
	const port = await new Promise<number>((resolve) => {
		server = serve({ fetch: (request) => world.fetch(request), hostname: "127.0.0.1", port: 0 }, (address) =>
			resolve(address.port),
		);
	});
	return {
		url: `http://127.0.0.1:${port}`,
		world,
		close: () =>
			new Promise((resolve) => {
				server?.close(() => resolve());
				if (server && "closeAllConnections" in server) server.closeAllConnections();
			}),
	};
}

export function says(text: string, more: { readonly id?: string; readonly parentId?: string | null } = {}) {
	return { type: "message", message: { role: "user", content: text }, ...more } as const;
}
