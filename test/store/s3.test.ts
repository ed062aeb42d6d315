import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type ObjectStore, StoreUnavailable } from "../../src/store/object-store.ts";
import { S3Store } from "../../src/store/s3.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const stops: (() => void)[] = [];
afterEach(() => {
	for (const stop of stops.splice(0)) stop();
});

/** A server that gives the same answer to everything, and a store that talks to it. */
async function answering(answer: Answer, requestTimeout = 5000) {
	const sent: string[] = [];
	const server = createServer((request, response) => {
		sent.push(request.method!);
		request.resume();
		request.on("end", () => answer(request, response));
	});
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	stops.push(() => {
		server.close();
		server.closeAllConnections();
	});
	const store = new S3Store({
		endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		bucket: "bucket",
		region: "auto",
		accessKeyId: "key",
		secretAccessKey: "secret",
		requestTimeout,
	});
	return { store, sent };
}

function status(code: number, body = "", headers: Record<string, string> = {}): Answer {
	return (_, response) =>
		response.writeHead(code, { "content-type": "application/xml", ...headers }).end(body);
}

function refusal(code: number, name: string): Answer {
	return status(code, `<?xml version="1.0"?><Error><Code>${name}</Code></Error>`);
}

const object = { etag: '"e1"', "last-modified": "Wed, 01 Jan 2025 00:00:00 GMT" };

/** Answers that say nothing about whether the request took effect. */
const doubtful: [title: string, answer: Answer][] = [
	["400", refusal(400, "RequestTimeout")],
	["403", refusal(403, "AccessDenied")],
	["404 of the bucket", refusal(404, "NoSuchBucket")],
	["404 of something else", status(404, "<html>not here</html>")],
	["409", refusal(409, "ConditionalRequestConflict")],
	["429", refusal(429, "TooManyRequests")],
	["500", refusal(500, "InternalError")],
	["503", refusal(503, "SlowDown")],
	["503 without body", status(503)],
	["200 of no S3 server", status(200, "<html>welcome</html>", { "content-type": "text/html" })],
	["a reset", (request) => request.socket.destroy()],
	[
		"a reset within the answer",
		(request, response) => {
			response.writeHead(200, { ...object, "content-length": "100" }).write("<ListBucketResult>");
			setTimeout(() => request.socket.destroy(), 20);
		},
	],
];

const reads: [title: string, send: (store: ObjectStore) => Promise<unknown>][] = [
	["get", (store) => store.get("a")],
	["a range get", (store) => store.get("a", { range: { offset: 0, length: 10 } })],
	["list", (store) => store.list("a")],
];

describe("S3 store", () => {
	for (const [title, answer] of doubtful) {
		// A PUT is answered by headers alone, so only its own tests tell what a broken body means to it.
		if (title !== "a reset within the answer") {
			it(`${title} to a put: unknown, sent once`, async () => {
				const { store, sent } = await answering(answer);
				expect((await store.put("a", new Uint8Array(3), { ifAbsent: true })).kind).toBe("unknown");
				expect((await store.put("a", new Uint8Array(3))).kind).toBe("unknown");
				expect(sent).toEqual(["PUT", "PUT"]);
			});
		}
		for (const [kind, send] of reads) {
			it(`${title} to ${kind}: unavailable, sent once`, async () => {
				const { store, sent } = await answering(answer);
				await expect(send(store)).rejects.toBeInstanceOf(StoreUnavailable);
				expect(sent).toEqual(["GET"]);
			});
		}
	}

	it("an error without body: still told by its status", async () => {
		const { store } = await answering(status(412));
		expect(await store.put("a", new Uint8Array(3), { ifAbsent: true })).toEqual({ kind: "exists" });
		expect(await store.get("a", { ifMatch: '"e0"' })).toEqual({ kind: "changed" });
	});

	it("412 to a put without condition: unknown", async () => {
		const { store } = await answering(refusal(412, "PreconditionFailed"));
		expect((await store.put("a", new Uint8Array(3))).kind).toBe("unknown");
	});

	it("no answer in time: unknown for a put, unavailable for reads and deletions", async () => {
		const { store } = await answering(() => {}, 100);
		expect(await store.put("a", new Uint8Array(3), { ifAbsent: true })).toMatchObject({
			kind: "unknown",
			cause: { message: "no complete answer in 100 ms" },
		});
		for (const request of [store.get("a"), store.list("a"), store.delete(["a"])]) {
			await expect(request).rejects.toBeInstanceOf(StoreUnavailable);
		}
	});

	it("a body that never ends: unavailable", async () => {
		const { store } = await answering((_, response) => {
			response.writeHead(200, { ...object, "content-length": "10" }).write("12345");
		}, 100);
		await expect(store.get("a")).rejects.toBeInstanceOf(StoreUnavailable);
	});

	it("nobody listens: unknown for a put, unavailable for a get", async () => {
		const { store } = await answering(() => {});
		for (const stop of stops.splice(0)) stop();
		expect((await store.put("a", new Uint8Array(3))).kind).toBe("unknown");
		await expect(store.get("a")).rejects.toBeInstanceOf(StoreUnavailable);
	});

	it("a server that ignores the range: unavailable, not another range's bytes", async () => {
		const { store } = await answering(status(200, "0123456789", object));
		await expect(store.get("a", { range: { offset: 2, length: 3 } })).rejects.toBeInstanceOf(
			StoreUnavailable,
		);
	});

	it("keys that a deletion left: unavailable, with their number and the first code", async () => {
		const { store } = await answering(
			status(
				200,
				"<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code></Error><Error><Key>c</Key><Code>SlowDown</Code></Error></DeleteResult>",
			),
		);
		await expect(store.delete(["a", "b", "c"])).rejects.toMatchObject({
			name: "StoreUnavailable",
			cause: { message: "2 keys stayed, the first with AccessDenied" },
		});
	});

	it("an absent key that a server names in its answer to a deletion: no error", async () => {
		const { store } = await answering(
			status(200, "<DeleteResult><Error><Key>b</Key><Code>NoSuchKey</Code></Error></DeleteResult>"),
		);
		await store.delete(["a", "b"]);
	});

	it("an empty page that isn't the last: unavailable", async () => {
		const { store } = await answering(
			status(200, "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
		);
		await expect(store.list("a")).rejects.toBeInstanceOf(StoreUnavailable);
	});
});
