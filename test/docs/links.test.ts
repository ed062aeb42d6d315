import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = ["*.md", "docs/**/*.md", "client/*.md", "cli/*.md", "examples/**/*.md", "test/**/*.md"]
	.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (name) => name.includes("node_modules") }))
	.sort();

interface Link {
	/** From the root of the repository; empty within the page. */
	readonly path: string;
	readonly anchor: string | undefined;
	readonly line: number;
}

/** The links of a page that lead to a file of this repository. */
function linksOf(page: string): Link[] {
	const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```/gm, (block) =>
		block.replace(/[^\n]/g, ""),
	);
	return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: target = "", index }) => {
		if (/^[a-z]+:/i.test(target)) return [];
		const [path = "", anchor] = target.split("#");
		const line = text.slice(0, index).split("\n").length;
		return [{ path: path === "" ? page : join(dirname(page), path), anchor, line }];
	});
}

/** Headings as GitHub names them in links. */
function anchorsOf(page: string): string[] {
	const headings = readFileSync(join(root, page), "utf8").matchAll(/^#+ (.+)$/gm);
	return [...headings].map(({ 1: heading = "" }) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

describe("links of the pages", () => {
	it.each(pages)("%s: each leads to something that is there", (page) => {
		const dead = linksOf(page).filter(({ path, anchor }) => {
			if (!existsSync(join(root, path))) return true;
			return anchor !== undefined && path.endsWith(".md") && !anchorsOf(path).includes(anchor);
		});
		expect(dead).toEqual([]);
	});

	it("the README leads to every page of docs/", () => {
		const seen = new Set<string>();
		const follow = (page: string) => {
			if (seen.has(page) || !existsSync(join(root, page))) return;
			seen.add(page);
			if (statSync(join(root, page)).isDirectory()) {
				for (const inside of pages.filter((other) => !relative(page, other).startsWith(".."))) follow(inside);
			} else if (page.endsWith(".md")) for (const { path } of linksOf(page)) follow(path);
		};
		follow("README.md");
		expect(pages.filter((page) => page.startsWith("docs/") && !seen.has(page))).toEqual([]);
	});

	it("each source of the comparison is used, and each that is used is there", () => {
		const [text = "", sources = ""] = readFileSync(join(root, "docs/comparison.md"), "utf8").split(
			"## Sources",
		);
		const used = new Set([...text.matchAll(/\[(\d+)\](?!\()/g)].map(([, number]) => Number(number)));
		const listed = [...sources.matchAll(/^(\d+)\. .+/gm)].map(([, number]) => Number(number));
		expect(listed).toEqual(listed.map((_, at) => at + 1));
		expect([...used].sort((a, b) => a - b)).toEqual(listed);
	});
});
