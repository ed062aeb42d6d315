import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** The layers, and what each may import besides itself. Only `log.ts` of the log is visible from above it. */
const allowed: Record<string, readonly string[]> = {
	schemas: [],
	"src/session": ["schemas"],
	"src/store": [],
	"src/summarizer": [],
	"src/log": ["src/store/object-store.ts"],
	"src/operations": [
		"schemas",
		"src/session",
		"src/log/log.ts",
		"src/store/object-store.ts",
		"src/summarizer/summarizer.ts",
	],
	"src/http": ["schemas", "src/operations", "src/store/object-store.ts"],
	// Both are packages of their own; the CLI is a user of the client like any other.
	"client/src": [],
	cli: ["client/src/index.ts"],
	// Types only: the viewer's bundle holds no validator.
	web: ["schemas"],
};

/** Packages that a layer may import. The pure layers take none beside the validator. */
const packages: Record<string, RegExp> = {
	schemas: /^(zod|@hono\/zod-openapi)$/,
	"src/session": /^$/,
	"src/store": /^(@aws-sdk\/client-s3|@smithy\/.*)$/,
	"src/summarizer": /^$/,
	"src/log": /^node:crypto$/,
	"src/operations": /^node:crypto$/,
	"client/src": /^$/,
	cli: /^(commander|string-width|vite|node:.*)$/,
	"src/http": /^(hono|hono\/.*|@hono\/.*|zod|node:crypto)$/,
	web: /^preact(\/hooks)?$/,
};

const importPattern =
	/(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

/** All TypeScript files below a folder, as paths from the repository's root. */
function filesBelow(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((name) => /\.tsx?$/.test(name))
		.map((name) => join(folder, name));
}

/** Every module a source text imports, type-only imports included. */
function importsOf(text: string): string[] {
	return [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? "");
}

/** The statements that bring more than types from the schemas. */
function valuesOfSchemas(text: string): string[] {
	return text.match(/^(?:import|export)(?! type)[^;]*from\s+["'][^"']*\/schemas\/[^"']*["']/gm) ?? [];
}

/** Why this import breaks the layers, or undefined. */
function violation(layer: string, file: string, specifier: string): string | undefined {
	if (!specifier.startsWith(".")) {
		return packages[layer]?.test(specifier) ? undefined : `${file} imports the package ${specifier}`;
	}
	const target = relative(root, join(root, dirname(file), specifier));
	const fine = [layer, ...(allowed[layer] ?? [])].some(
		(place) => target === place || target.startsWith(`${place}/`),
	);
	return fine ? undefined : `${file} imports ${target}`;
}

describe("layers: imports only go down", () => {
	for (const layer of Object.keys(allowed)) {
		it(layer, () => {
			const found = filesBelow(layer).flatMap((file) =>
				importsOf(readFileSync(join(root, file), "utf8")).map((specifier) =>
					violation(layer, file, specifier),
				),
			);
			expect(found.filter((problem) => problem !== undefined)).toEqual([]);
		});
	}

	it("web: takes nothing but types from the schemas", () => {
		const texts = filesBelow("web").map((file) => readFileSync(join(root, file), "utf8"));
		expect(texts.flatMap(valuesOfSchemas)).toEqual([]);
		expect(valuesOfSchemas('import { limits } from "../schemas/limits.ts";')).toHaveLength(1);
		expect(valuesOfSchemas('import type { Session } from "../schemas/session.ts";')).toEqual([]);
	});

	it("notices an upward import, a deep import of the log, and a foreign package", () => {
		expect(violation("src/log", "src/log/append.ts", "../session/tree.ts")).toBeDefined();
		expect(violation("src/operations", "src/operations/x.ts", "../log/commit.ts")).toBeDefined();
		expect(violation("src/operations", "src/operations/x.ts", "../log/log.ts")).toBeUndefined();
		expect(violation("src/session", "src/session/x.ts", "hono")).toBeDefined();
		expect(importsOf('import type { A } from "./a.ts";\nexport { b } from "../b.ts";')).toEqual([
			"./a.ts",
			"../b.ts",
		]);
	});
});
