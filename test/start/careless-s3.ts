import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An S3 server that knows no conditions: every PUT overwrites. Says nothing of signatures either. */
export async function startCarelessS3(): Promise<{ endpoint: string; keys(): string[]; stop(): void }> {
	const objects = new Map<string, Buffer>();
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const body = Buffer.concat(chunks);
		const path = new URL(request.url!, "http://localhost").pathname;
		const headers = { ETag: '"e"', "Last-Modified": new Date(0).toUTCString() };
		if (request.method === "PUT") {
			objects.set(path, body);
			response.writeHead(200, headers).end();
		} else if (request.method === "POST") {
			for (const [, key] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g))
				objects.delete(`/bucket/${key}`);
			response.end("<DeleteResult/>");
		} else {
			response.writeHead(200, headers).end(objects.get(path));
		}
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	return {
		endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		keys: () => [...objects.keys()],
		stop: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
