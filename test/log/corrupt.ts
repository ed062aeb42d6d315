import { expect } from "vitest";
import { Corrupt } from "../../src/log/errors.ts";

/** What is thrown, which must be an error that names the key. */
export function corrupt(key: string, work: () => unknown): string {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(Corrupt);
		expect((error as Corrupt).key).toBe(key);
		return (error as Corrupt).message;
	}
	throw new Error("nothing was thrown");
}
