import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publicErrors } from "../../schemas/error.ts";
import { limits, serverLimits } from "../../schemas/limits.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/limits.md"), "utf8");

/** Name and number of each row that has both. */
const rows = [...page.matchAll(/^\|[^|]*\| ([^|]+) \| `([\w.]+)` \|/gm)].map(
	([, number = "", name = ""]) => [name, number] as const,
);

/** A number as the page writes it. */
function written(name: string, number: number): string {
	const units: [string, number][] = [
		["MiB", 1024 * 1024],
		["KiB", 1024],
	];
	const unit = name.endsWith("Bytes") && units.find(([, size]) => number % size === 0);
	return unit ? `${number / unit[1]} ${unit[0]}` : String(number);
}

describe("docs/limits.md", () => {
	it("has each limit once, with the number that it has in schemas/limits.ts", () => {
		const all: Record<string, number> = { ...limits };
		for (const [name, number] of Object.entries(serverLimits)) all[`server.${name}`] = number;
		const expected = Object.entries(all).map(([name, number]) => [name, written(name, number)]);
		expect([...rows].sort()).toEqual(expected.sort());
	});

	it("names codes with their status, and variables that the configuration reads", () => {
		const codes = [...page.matchAll(/(\d{3}) `([a-z_]+)`/g)];
		expect(codes.length).toBeGreaterThan(20);
		for (const [, status, code = ""] of codes) {
			expect([code, publicErrors[code as keyof typeof publicErrors]?.status]).toEqual([code, Number(status)]);
		}
		const config = readFileSync(join(root, "src/config.ts"), "utf8");
		for (const [, name] of page.matchAll(/`([A-Z]+_[A-Z_]+)`/g)) expect(config).toContain(`\t${name}: `);
	});
});
