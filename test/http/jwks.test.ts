import { describe, expect, it } from "vitest";
import { KeysUnavailable, RemoteKeys } from "../../src/http/jwks.ts";

function server() {
	const state = { now: 0, asked: 0, answer: (): Response => Response.json({ keys: [{ kid: "a" }] }) };
	const fetch = async () => {
		state.asked++;
		return state.answer();
	};
	return { state, keys: new RemoteKeys("https://issuer.example/jwks", { fetch, now: () => state.now }) };
}

const kids = async (keys: Promise<readonly { readonly kid?: string }[]>) =>
	(await keys).map(({ kid }) => kid);

describe("keys at an address", () => {
	it("asked for once, and again when they are old", async () => {
		const { state, keys } = server();
		await keys.keys("a");
		await keys.keys("a");
		expect(state.asked).toBe(1);
		state.now = 10 * 60_000;
		await keys.keys("a");
		expect(state.asked).toBe(2);
	});

	it("a key that was added: found, and made-up ones cost no more than a question in half a minute", async () => {
		const { state, keys } = server();
		await keys.keys("a");
		state.answer = () => Response.json({ keys: [{ kid: "a" }, { kid: "b" }] });
		state.now = 30_000;
		expect(await kids(keys.keys("b"))).toEqual(["a", "b"]);
		for (let made = 0; made < 100; made++) await keys.keys(`made-up ${made}`);
		expect(state.asked).toBe(2);
	});

	it("a server in trouble: what was known does for an hour, then nobody can tell", async () => {
		const { state, keys } = server();
		await keys.keys("a");
		for (const answer of [() => new Response("", { status: 500 }), () => new Response("<html>")]) {
			state.answer = answer;
			state.now += 20 * 60_000;
			expect(await kids(keys.keys("a"))).toEqual(["a"]);
		}
		state.now = 60 * 60_000;
		await expect(keys.keys("a")).rejects.toThrow(KeysUnavailable);
	});
});
