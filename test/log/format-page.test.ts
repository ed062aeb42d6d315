import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { buildCommit } from "../../src/log/build-commit.ts";
import { encodeHeader, encodeTombstone, formatVersion, smallestLiveCommit } from "../../src/log/commit.ts";
import { commitKey, logPrefix } from "../../src/log/keys.ts";
import { defaultLimits } from "../../src/log/limits.ts";
import { LogState } from "../../src/log/log-state.ts";
import type { NewRecord } from "../../src/log/record.ts";
import { World } from "./instances.ts";
import { buildLog, logPlan } from "./random-logs.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/format.md"), "utf8");
const name = { namespace: "demo", id: "s1" };
const prefix = logPrefix(name);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The objects that the page shows, by key. */
const shown = new Map(
	[...page.matchAll(/```jsonl (\S+)\n([\s\S]*?)```/g)].map((match) => [match[1]!, match[2]!]),
);

/** An object taken apart by what the page says, with nothing but JSON. */
function takeApart(text: string) {
	const lines = text.split("\n").slice(0, -1);
	const header = JSON.parse(lines[0]!);
	const commits: { line: unknown[]; records: unknown[][] }[] = [];
	let at = 1;
	for (let k = 0; k < header.index[0]; k++) {
		const line = JSON.parse(lines[at]!) as unknown[];
		const count = line[1] as number;
		const records = lines.slice(at + 1, at + 1 + count).map((record) => JSON.parse(record) as unknown[]);
		commits.push({ line, records });
		at += 1 + count;
	}
	const own = commits.at(-1)!;
	const ownBodies = own.records.length + (header.n === 0 ? 1 : 0);
	return { header, commits, own, bodies: lines.slice(at), ownBodies: lines.slice(lines.length - ownBodies) };
}

describe("docs/format.md: the example", () => {
	const commits = [0, 1, 2].map((n) => shown.get(commitKey(prefix, n))!);

	it("shows a log of three commits and its end, under the keys that they have", () => {
		expect([...shown.keys()]).toEqual([0, 1, 2, 3].map((n) => commitKey(prefix, n)));
	});

	it("is, byte for byte, what the codec makes of what it says", () => {
		const state = new LogState(prefix);
		const ids: string[] = [];
		for (const [n, text] of commits.entries()) {
			const { header, own, ownBodies } = takeApart(text);
			const [genesis] = n === 0 ? ownBodies : [];
			const lines = n === 0 ? ownBodies.slice(1) : ownBodies;
			const records = own.records.map((fields, k): NewRecord => {
				const [id, parent, kind, time, , , , meta, head] = fields as [
					string,
					number | string | null,
					string,
					number,
					number,
					string,
					string,
					object?,
					(string | null)?,
				];
				const parentId = typeof parent === "number" ? ids[ids.length - parent]! : parent;
				ids.push(id);
				const bytes = encoder.encode(lines[k]!);
				return {
					id,
					parent: parentId,
					kind,
					time: new Date(time).toISOString(),
					meta: meta as never,
					bytes,
					...(head !== undefined && { head }),
				};
			});
			const tag = own.records[0]?.[6] as string;
			const [writeId, , , , meta, , , makingTag] = own.line as [
				string,
				number,
				number,
				number,
				never,
				number,
				string,
				string,
			];
			const built = buildCommit(
				state,
				writeId,
				records.length > 0 ? [{ tag, records }] : [],
				defaultLimits,
				genesis === undefined ? undefined : { meta, bytes: encoder.encode(genesis), tag: makingTag },
			);
			expect(decoder.decode(built.bytes)).toBe(text);
			expect(header.leaflog).toBe(formatVersion);
			state.fold(built.header, built.prefixLength, built.index);
			for (const [seq, body] of built.ownBodies) state.keepBody(seq, body);
		}
		const end = shown.get(commitKey(prefix, 3))!;
		expect(decoder.decode(encodeTombstone(prefix, 3, JSON.parse(end).id))).toBe(end);
	});

	it("is read by an instance, and is gone with its end", async () => {
		const world = new World();
		for (const [n, text] of commits.entries())
			await world.store.put(commitKey(prefix, n), encoder.encode(text));
		const outcome = await world.instance().read(world.scope(), name);
		if (outcome.kind !== "ok") throw new Error(outcome.kind);
		const { view } = outcome;
		expect([view.length, view.head]).toEqual([3, "aaaaaaaa"]);
		const bodies = await view.bodies([1, 2, 3]);
		const file = [await view.genesisBody(), ...[1, 2, 3].map((seq) => bodies.get(seq)!)];
		expect(file.map((line) => decoder.decode(line))).toEqual(
			commits.flatMap((text) => takeApart(text).ownBodies),
		);
		await world.store.put(commitKey(prefix, 3), encoder.encode(shown.get(commitKey(prefix, 3))));
		expect(await world.instance().read(world.scope(), name)).toEqual({ kind: "gone" });
	});
});

describe("docs/format.md: what it says", () => {
	it("the header's fields are those that are written, in their order", () => {
		const section = page.slice(page.indexOf("### The header line"), page.indexOf("### Index records"));
		const fields = [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
		const header = {
			n: 2,
			writeId: "w",
			previous: "v",
			length: 1,
			head: null,
			indexCarried: 1,
			indexLength: 1,
			indexChecksum: "c",
			bodyCarried: 1,
			cover: [[0, 1]] as const,
		};
		expect(fields).toEqual(Object.keys(JSON.parse(decoder.decode(encodeHeader(prefix, header)))));
	});

	it("its numbers are the code's", () => {
		expect(page).toContain(`A tombstone is shorter than ${smallestLiveCommit} bytes`);
		expect(page).toContain(`at most ${defaultLimits.indexCap / 2 ** 20} MiB`);
		expect(page).toContain(`at most ${defaultLimits.bodyCap / 2 ** 10} KiB`);
		const id = (length: number) => logPrefix({ ...name, id: "x".repeat(length) });
		const longest = Number(/Escaped ids of more than (\d+) bytes/.exec(page)![1]);
		expect(id(longest)).toContain("x");
		expect(() => id(longest + 1)).toThrow(RangeError);
	});
});

describe("docs/format.md: the recipe", () => {
	const recipe = /```sh\n([\s\S]*?)```/.exec(page)![1]!;
	const folder = mkdtempSync(join(tmpdir(), "leaflog-format-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	let runs = 0;

	/** Runs it over these objects, with an `aws` that copies from a folder. Gives the session file. */
	function run(objects: Iterable<readonly [key: string, bytes: Uint8Array]>): Buffer {
		const place = join(folder, String(++runs));
		const [bucket, tools, work] = ["my-bucket", "tools", "work"].map((part) => join(place, part)) as [
			string,
			string,
			string,
		];
		for (const made of [bucket, tools, work]) mkdirSync(made, { recursive: true });
		for (const [key, bytes] of objects) {
			mkdirSync(dirname(join(bucket, key)), { recursive: true });
			writeFileSync(join(bucket, key), bytes);
		}
		const aws = join(tools, "aws");
		writeFileSync(
			aws,
			`#!/bin/sh\n[ "$1 $2 $3 $4" = "s3 cp --recursive --quiet" ] || exit 2\ncp -R "${place}/\${5#s3://}." "$6"\n`,
		);
		chmodSync(aws, 0o755);
		const environment = { ...process.env, PATH: `${tools}:${process.env.PATH}` };
		execFileSync("sh", ["-eu", "-c", recipe], {
			cwd: work,
			env: environment,
			stdio: ["ignore", "ignore", "inherit"],
		});
		return readFileSync(join(work, "session.jsonl"));
	}

	it("gets the example's session file out, ended or not", () => {
		const file = [0, 1, 2].flatMap((n) => takeApart(shown.get(commitKey(prefix, n))!).ownBodies);
		const objects = [...shown].map(([key, text]) => [key, encoder.encode(text)] as const);
		for (const some of [objects, objects.slice(0, 3)])
			expect(run(some).toString()).toBe(file.map((line) => `${line}\n`).join(""));
	});

	it("gets any log's file out, byte for byte", { timeout: 120_000 }, () => {
		fc.assert(
			fc.property(logPlan, fc.boolean(), (plan, ended) => {
				const log = buildLog(plan, name);
				const end = log.commits.length;
				const objects = [
					...log.commits.map(({ n, bytes }) => [commitKey(prefix, n), bytes] as const),
					...(ended ? [[commitKey(prefix, end), encodeTombstone(prefix, end, "abcdefghijkl")] as const] : []),
				];
				const lines = [log.genesisBody, ...log.records.map(({ bytes }) => bytes)];
				const file = Buffer.concat(lines.flatMap((line) => [line, Uint8Array.of(10)]));
				expect(run(objects).equals(file)).toBe(true);
			}),
			{ seed: 1, numRuns: 12 },
		);
	});

	it("a purged log gives an empty file", () => {
		expect(run([[commitKey(prefix, 0), encodeTombstone(prefix, 0, "abcdefghijkl")]]).length).toBe(0);
	});
});
