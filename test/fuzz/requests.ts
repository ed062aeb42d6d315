import fc from "fast-check";
import { type Call, calls, resolve } from "./document.ts";
import { broken, odd, type Schema, valid, type Words } from "./json-schema.ts";

export interface FuzzRequest {
	/** Hidden from the report of a failure, which would be pages long. */
	readonly call: () => Call;
	readonly address: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** Names of what the tests put there first, and of some things that aren't. */
export const sessions = ["one", "two", "gone"];
export const entries = ["q1", "p1", "a1", "q2", "l1", "c1", "x1"];

const sessionNames = new Set(["id", "parent", "parentSession"]);
const entryNames = new Set([
	"entryId",
	"leafId",
	"targetId",
	"parentId",
	"fromId",
	"from",
	"before",
	"firstKeptEntryId",
	"targetIds",
]);

const words: Words = {
	resolve,
	known: (name) => {
		if (entryNames.has(name)) return [...entries, "nowhere"];
		return sessionNames.has(name) ? [...sessions, "one", "two", "one", "two", "nowhere"] : undefined;
	},
};

/** Stands in an address for the id of a share of that session, which is known once it is made. */
export const shareOf = (session: string): string => `share-of-${session}`;

/** In the body of an entry `id` is an entry's, elsewhere a session's. */
const bodyWords: Words = {
	resolve,
	known: (name) => (name === "id" ? ["one", "q1", "fresh-1", "fresh-2"] : words.known(name)),
};

/** One of these, most of which are wrong for most calls. */
const header = fc
	.tuple(
		fc.constantFrom(
			"Idempotency-Key",
			"If-Match",
			"If-None-Match",
			"Leaflog-Share",
			"Leaflog-Namespace",
			"Last-Event-ID",
			"Content-Encoding",
			"Range",
		),
		fc.constantFrom(
			...["k1", "k2", "", "a b", "x".repeat(129), "*", '"1"', '"7-0"', 'W/"7-0-getLeaf"', "0", "3", "-1"],
			...["gzip", "identity", "bytes=0-1", "lls_x", `lls_${"A".repeat(43)}`, "UTF-8''%ff"],
		),
	)
	.map(([name, value]) => ({ [name]: value }));

function requestOf(call: Call): fc.Arbitrary<FuzzRequest> {
	return fc
		.record({
			address: addressOf(call),
			headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: header }),
			body: bodyOf(call),
		})
		.map(({ address, headers, body }) => {
			const accept: Record<string, string> =
				call.operation.operationId === "watchSession" ? { Accept: "application/json" } : {};
			return { call: () => call, address, headers: { ...accept, ...body.headers, ...headers }, ...body.text };
		});
}

function addressOf({ path, operation }: Call): fc.Arbitrary<string> {
	const parameters = operation.parameters ?? [];
	const segments = Object.fromEntries(
		parameters
			.filter((one) => one.in === "path")
			.map(({ name, schema }) => [name, fc.oneof({ weight: 9, arbitrary: sound(name, schema) }, oddSegment)]),
	);
	const query = parameters.filter((one) => one.in === "query");
	const sounds = Object.fromEntries(query.map(({ name, schema }) => [name, sound(name, schema)]));
	const odds = fc.dictionary(
		fc.constantFrom(...query.map(({ name }) => name), "nonsense", "__proto__"),
		odd.map((value) => (typeof value === "string" ? value : JSON.stringify(value))),
		{ maxKeys: 2 },
	);
	const needed = query.filter(({ required }) => required).map(({ name }) => name);
	return fc
		.record({
			segments: fc.record(segments),
			query: fc.oneof(
				{ weight: 4, arbitrary: fc.record(sounds, { requiredKeys: needed }) },
				{
					weight: 2,
					arbitrary: fc.record(Object.fromEntries(needed.map((name) => [name, sounds[name] ?? odd]))),
				},
				odds,
			),
		})
		.map(({ segments: parts, query: given }) => {
			const address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => parts[name] ?? "");
			// Whoever waits here would wait for a clock that stands still.
			const values = Object.entries(given).map(([name, value]): [string, unknown] =>
				name === "wait" && Number(value) > 0 ? [name, "0"] : [name, value],
			);
			const search = values.map(([name, value]) => `${encode(name)}=${encode(String(value))}`).join("&");
			return search === "" ? address : `${address}?${search}`;
		});
}

function sound(name: string, schema: Schema): fc.Arbitrary<string> {
	if (name === "k") return fc.constantFrom("0", "1", "7");
	if (name === "shareId") return fc.constantFrom(shareOf("one"), "019b7ca9-8c8b-74e0-a426-e5566504b01c");
	return valid(schema, words, name).map((value) => {
		const text = Array.isArray(value) ? value.join(",") : String(value);
		return schema.pattern === undefined ? text : encode(text);
	});
}

const oddSegment = fc.constantFrom(
	"-",
	"%00",
	"%2e%2e",
	"a%2Fb",
	"%",
	"%ff",
	"x".repeat(200),
	"%F0%9F%8C%B3",
	"__proto__",
);

function encode(text: string): string {
	return encodeURIComponent(text.toWellFormed());
}

interface Body {
	readonly headers: Record<string, string>;
	readonly text: { readonly body?: string };
}

const none: Body = { headers: {}, text: {} };

function bodyOf({ operation }: Call): fc.Arbitrary<Body> {
	const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
	if (type === undefined || content === undefined) return fc.constant(none);
	const texts = type === "application/json" ? jsonTexts(content.schema) : files;
	const types = fc.oneof(
		{ weight: 12, arbitrary: fc.constant(type) },
		fc.constantFrom("text/plain", "application/json; charset=latin1", "application/x-ndjson", "nonsense", ""),
	);
	return fc.oneof(
		{
			weight: 20,
			arbitrary: fc
				.tuple(types, texts)
				.map(([given, body]) => ({ headers: { "Content-Type": given }, text: { body } })),
		},
		{ weight: 1, arbitrary: fc.constant(none) },
	);
}

function jsonTexts(schema: Schema): fc.Arbitrary<string> {
	const sounds = valid(schema, bodyWords);
	return fc.oneof(
		{ weight: 5, arbitrary: sounds.map((value) => JSON.stringify(value)) },
		{ weight: 4, arbitrary: sounds.chain(broken).map((value) => JSON.stringify(value)) },
		{
			weight: 1,
			arbitrary: fc.tuple(sounds, fc.nat(60)).map(([value, at]) => JSON.stringify(value).slice(0, at)),
		},
		{
			weight: 1,
			arbitrary: fc.constantFrom("", "[", "{}", "[]", "null", `${"[".repeat(300)}`, '{"a":1,}', "\ufeff{}"),
		},
	);
}

/** Session files: the lines of one, some of them broken. */
const files: fc.Arbitrary<string> = fc
	.record({
		version: fc.constantFrom(1, 2, 3, 4, "3", null),
		entries: fc.array(
			valid(resolve("#/components/schemas/Entry"), { ...words, known: (name) => entryFile(name) }),
			{
				maxLength: 4,
			},
		),
		wrong: fc.option(odd),
		end: fc.constantFrom("\n", "", "\r\n", "\n\n{"),
	})
	.map(({ version, entries: lines, wrong, end }) =>
		[
			{ type: "session", version, id: "file", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/" },
			...lines,
			...(wrong === null ? [] : [wrong]),
		]
			.map((line) => JSON.stringify(line))
			.join("\n")
			.concat(end),
	);

function entryFile(name: string): readonly string[] | undefined {
	if (name === "id") return ["e1", "e2", "e3", "e4", "e5"];
	return entryNames.has(name) ? ["e1", "e2", "e3"] : undefined;
}

const isErasure = ({ operation }: Call) => operation.operationId === "eraseNamespace";

/** One request of any call: as the document wants it, or with something wrong; but none that ends all there is. */
export const request: fc.Arbitrary<FuzzRequest> = fc.oneof(
	...calls.filter((call) => !isErasure(call)).map(requestOf),
);

/** The call that ends all there is, asked so and otherwise. */
export const erasure: fc.Arbitrary<FuzzRequest> = fc.oneof(...calls.filter(isErasure).map(requestOf));
