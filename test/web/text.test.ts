import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryText } from "../../web/text/entry-text.ts";
import { marked } from "../../web/text/marked.ts";
import { pictureUrl } from "../../web/text/pictures.ts";
import { pieces, safeHref } from "../../web/text/pieces.ts";
import { shortened } from "../../web/text/shortened.ts";
import { said } from "./random-tree.ts";

describe("pieces", () => {
	it("code, blocks, bold words and links: told apart", () => {
		expect(
			pieces("See `a<b>` and **this**:\n```ts\nlet a;\n```\n[docs](https://x.test/a), https://y.test/b."),
		).toEqual([
			{ kind: "text", text: "See " },
			{ kind: "code", text: "a<b>" },
			{ kind: "text", text: " and " },
			{ kind: "strong", text: "this" },
			{ kind: "text", text: ":" },
			{ kind: "block", text: "let a;", language: "ts" },
			{ kind: "link", text: "docs", href: "https://x.test/a" },
			{ kind: "text", text: ", " },
			{ kind: "link", text: "https://y.test/b", href: "https://y.test/b" },
			{ kind: "text", text: "." },
		]);
	});

	it("a block without an end: goes on to the end", () => {
		expect(pieces("```\none\ntwo")).toEqual([{ kind: "block", text: "one\ntwo", language: "" }]);
	});

	it("a title that looks like another address: says beside it where it leads", () => {
		const titles = (text: string) =>
			pieces(text).flatMap((piece) => (piece.kind === "link" ? [piece.text] : []));
		expect(
			titles(
				"[bank.test](https://evil.test/a) [bank.test/login](https://bank.test/) [the bank.](https://x.test/) [https://a](http://b.test/)",
			),
		).toEqual(["bank.test (evil.test)", "bank.test/login", "the bank.", "https://a (b.test)"]);
	});

	it("a million marks that come to nothing: text, without each being tried against all others", () => {
		for (const mark of ["[", "**", "`", "```x", "[a](", `https://x/${")".repeat(20)}`, "\n"]) {
			const text = mark.repeat(1_000_000 / mark.length);
			expect(
				pieces(text)
					.map((piece) => piece.text)
					.join("").length,
			).toBeGreaterThan(0);
		}
		const address = `https://x.test/${").".repeat(300_000)}x${")".repeat(300_000)}`;
		expect(pieces(address)[0]!.text).toHaveLength(address.length - 300_000);
	}, 60_000);

	it("links of other kinds: text", () => {
		const texts = [
			"[x](javascript:alert(1))",
			"data:text/html,x",
			"[x](JAVASCRIPT:alert(1))",
			"vbscript:x",
			"file:///etc",
		];
		expect(texts.map(pieces)).toEqual(texts.map((text) => [{ kind: "text", text }]));
	});

	const bits = ["`", "```", "\n", "**", "[a](", ")", "javascript:", "<b>", " ", "é"];
	const texts = (of: readonly string[]) =>
		fc.array(fc.constantFrom(...of), { maxLength: 40 }).map((list) => list.join(""));

	it("any text: links lead to the web only", () => {
		fc.assert(
			fc.property(texts([...bits, "https://", "http://", "x.test/"]), (text) => {
				for (const piece of pieces(text))
					if (piece.kind === "link") expect(piece.href).toMatch(/^https?:\/\//);
			}),
		);
	});

	it("any text without links: no letter is lost, and none comes twice", () => {
		const letters = (of: string) => of.replaceAll(/[^é]/g, "").length;
		fc.assert(
			fc.property(texts(bits), (text) => {
				const shown = pieces(text).map((piece) =>
					piece.kind === "block" ? piece.language + piece.text : piece.text,
				);
				expect(letters(shown.join(""))).toBe(letters(text));
			}),
		);
	});
});

describe("addresses", () => {
	it("only those of the web", () => {
		expect(
			[
				"https://a.test",
				"HTTP://a.test/b",
				"javascript:alert(1)",
				" java\nscript:alert(1)",
				"//a.test",
				"/a",
				"ftp://a",
				"blob:https://a.test/1",
			].map(safeHref),
		).toEqual(["https://a.test/", "http://a.test/b", ...Array(6).fill(undefined)]);
	});

	it("pictures: of four types, in base64", () => {
		expect(pictureUrl("image/png", "AAAA")).toBe("data:image/png;base64,AAAA");
		for (const type of [
			"image/svg+xml",
			"text/html",
			"image/png,<script>",
			"image/png\n",
			"IMAGE/PNG;x",
			1,
			undefined,
		])
			expect(pictureUrl(type, "AAAA")).toBeUndefined();
		for (const data of ["<svg>", 'AA"AA', "", undefined])
			expect(pictureUrl("image/png", data)).toBeUndefined();
	});
});

describe("texts", () => {
	it("marked: the words that were searched for, whatever they hold", () => {
		expect(marked("A (b) a", ["a", "(b"])).toEqual([
			{ text: "A", found: true },
			{ text: " ", found: false },
			{ text: "(b", found: true },
			{ text: ") ", found: false },
			{ text: "a", found: true },
		]);
	});

	it("a preview: without marks, and with dots where it was cut", () => {
		const of = (preview: string, role: string) => shortened({ preview, role });
		expect([
			of("**a** `b`, 2**8 and **k", "assistant"),
			of("**a** `b` 2**8", "user"),
			of("a".repeat(56), "assistant"),
			of("a".repeat(56), "user"),
			of("```", "assistant"),
		]).toEqual(["a b, 2**8 and k", "**a** `b` 2**8", `${"a".repeat(56)} …`, "a".repeat(56), ""]);
	});

	it("of an entry: what it says, else its JSON", () => {
		expect(entryText(said("q1", null))).toBe("text of q1");
		expect(entryText({ type: "compaction", id: "c", parentId: null, timestamp: "", summary: "short" })).toBe(
			"short",
		);
		expect(JSON.parse(entryText({ type: "custom", id: "c", parentId: null, timestamp: "" }))).toMatchObject({
			id: "c",
		});
	});
});
