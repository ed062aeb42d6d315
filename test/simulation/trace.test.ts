import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { simulate } from "./simulate.ts";

const root = join(import.meta.dirname, "..", "..");

describe("trace", () => {
	it("the same seed gives the same trace, byte for byte", async () => {
		for (let seed = 1; seed <= 25; seed++) {
			const [one, other] = [
				await simulate(seed, { keepTrace: true }),
				await simulate(seed, { keepTrace: true }),
			];
			expect(other.trace.join("\n")).toBe(one.trace.join("\n"));
			expect((await simulate(seed)).digest).toBe(one.digest);
		}
	}, 120_000);

	it("the same seed gives the same trace in another process", async () => {
		const seeds = [3, 5];
		const node = join(root, "node_modules", ".bin", "node");
		const main = join(root, "test", "simulation", "main.ts");
		for (const seed of seeds) {
			const printed = execFileSync(node, [main, "--seeds", "1", "--seed", String(seed), "--trace"], {
				encoding: "utf8",
			});
			const { trace } = await simulate(seed, { keepTrace: true });
			expect(printed).toBe(`${trace.join("\n")}\n`);
		}
	}, 120_000);

	it("another seed gives another trace", async () => {
		const digests = new Set<string>();
		for (let seed = 1; seed <= 25; seed++) digests.add((await simulate(seed)).digest);
		expect(digests.size).toBe(25);
	}, 120_000);
});
