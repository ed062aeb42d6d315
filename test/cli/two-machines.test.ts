import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../http/world.ts";
import { commandLine } from "./command-line.ts";

let place: Awaited<ReturnType<typeof commandLine>>;
beforeEach(async () => {
	place = await commandLine({ config: { limits: {} } });
});
afterEach(() => place.close());

type Chance = ReturnType<typeof seededRandom>;

const usage = {
	input: 3,
	output: 5,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 8,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.25 },
};

let turn = 0;

/** Some of all that pi does to a session. */
function goOn(session: SessionManager, chance: Chance): void {
	const ids = session.getEntries().map(({ id }) => id);
	const any = () => ids[Math.floor(chance.fraction() * ids.length)] ?? "";
	const said = (role: "user" | "assistant") =>
		session.getBranch().findLast((entry) => entry.type === "message" && entry.message.role === role);
	const text = `turn ${++turn}: \u2028 "quoted" \u0085 日本 🌧️`;
	const acts = [
		() => session.appendMessage({ role: "user", content: text, timestamp: turn }),
		() =>
			session.appendMessage({
				role: "assistant",
				content: [{ type: "text", text }],
				api: "anthropic-messages",
				provider: "anthropic",
				model: "claude",
				usage,
				stopReason: "stop",
				timestamp: turn,
			}),
		() => session.branch(any()),
		() => session.branchWithSummary(any(), `left for ${text}`),
		() => session.appendLabelChange(any(), ` mark ${turn} `),
		() => session.appendLabelChange(any(), undefined),
		() => session.appendSessionInfo(`name\n${turn}`),
		() => session.appendModelChange("openai", `model-${turn}`),
		() => session.appendThinkingLevelChange("high"),
		() => session.appendCustomEntry("extension", { turn, nested: { a: [null, 1.5e300] } }),
		() => session.appendCustomMessageEntry("extension", text, true, { turn }),
		() => session.appendUsage("cache_warm", "anthropic", "claude", usage),
		() => session.appendCompaction(`summary ${turn}`, said("user")?.id ?? null, 1000),
		() => {
			const target = said("assistant");
			if (target) session.appendContextEdit(target.id, { content: `shorter ${turn}` });
		},
	];
	acts[Math.floor(chance.fraction() * acts.length)]?.();
}

async function fileOf(folder: string): Promise<string> {
	const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
	expect(names).toHaveLength(1);
	return join(folder, names[0] ?? "");
}

/** What pi makes of a file. */
function asPi(file: string) {
	const session = SessionManager.open(file);
	const marks = new Set(session.getEntries().flatMap((entry) => (isMark(entry) ? [entry.id] : [])));
	return {
		header: session.getHeader(),
		entries: session.getEntries().filter(({ id }) => !marks.has(id)),
		path: session.getBranch().flatMap(({ id }) => (marks.has(id) ? [] : [id])),
		context: session.buildSessionContext(),
		name: session.getSessionName(),
	};
}

const isMark = (entry: object) => "customType" in entry && entry.customType === "leaflog.leaf";

describe("one session on two machines, pi on both", () => {
	for (const seed of ["rain", "forum", "trastevere", "tiber"]) {
		it(`goes to and fro: both have the same session each time (${seed})`, { timeout: 120_000 }, async () => {
			const chance = seededRandom(seed);
			const machines = [join(place.folder, "a"), join(place.folder, "b")] as const;
			const first = SessionManager.create("/home/me/project", join(machines[0], "--home-me-project--"));
			first.appendMessage({ role: "user", content: "begin", timestamp: 1 });
			const id = first.getSessionId();
			for (let round = 0; round < 12; round++) {
				const [here = "", there = ""] = round % 2 === 0 ? machines : [...machines].reverse();
				const session = SessionManager.open(await fileOf(here));
				for (let act = Math.floor(chance.fraction() * 12); act > 0; act--) goOn(session, chance);
				expect(await place.leaf("push", here)).toMatchObject({
					status: 0,
					err: "",
					out: expect.not.stringMatching(/failed|conflict/),
				});
				// Somebody else goes back in the tree: that too is where pi opens it.
				if (chance.fraction() < 0.3) {
					const { nodes } = await place.leaflog.session(id).tree();
					await place.leaflog
						.session(id)
						.setLeaf(nodes[Math.floor(chance.fraction() * nodes.length)]?.id ?? null);
				}
				await mkdir(there, { recursive: true });
				expect(await place.leaf("pull", there)).toMatchObject({ status: 0 });
				expect(await place.leaf("pull", here)).toMatchObject({ status: 0 });
				const [one, other] = [asPi(await fileOf(here)), asPi(await fileOf(there))];
				expect(other).toEqual(one);
				const { leafId } = await place.leaflog.session(id).leaf();
				expect(one.path.at(-1) ?? null).toBe(leafId);
				expect((await place.leaflog.session(id).context()).messages).toEqual(
					JSON.parse(JSON.stringify(one.context.messages)),
				);
				expect(await place.leaf("push", there)).toMatchObject({ status: 0, out: "1 session: 1 unchanged\n" });
				expect((await place.leaf("fsck", "--folder", there)).out).toContain(
					"sound; the file has the same\n1 checked",
				);
			}
			// Without its memory it compares all, and finds nothing to do.
			const text = await readFile(await fileOf(machines[1]), "utf8");
			const third = join(place.folder, "c");
			await place.leaf("pull", third);
			expect(await readFile(await fileOf(third), "utf8")).toBe(text);
			await mkdir(join(place.folder, "d"));
			await writeFile(join(place.folder, "d", "copy.jsonl"), text);
			expect((await place.leaf("push", join(place.folder, "d"))).out).toBe("1 session: 1 unchanged\n");
		});
	}
});
