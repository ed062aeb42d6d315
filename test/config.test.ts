import { describe, expect, it } from "vitest";
import { ConfigError, type Environment, readConfig, readServerConfig } from "../src/config.ts";

const s3 = {
	STORE: "s3",
	S3_BUCKET: "sessions",
	S3_REGION: "auto",
	S3_ACCESS_KEY_ID: "id",
	S3_SECRET_ACCESS_KEY: "secret-value",
};

import { sweepDefaults } from "../src/operations/sweep.ts";

function problemsOf(read: (environment: Environment) => unknown, environment: Environment): string[] {
	try {
		read(environment);
	} catch (problem) {
		if (problem instanceof ConfigError) return problem.message.split("\n");
		throw problem;
	}
	return [];
}

describe("configuration of a Worker", () => {
	it("nothing set: the bound R2 bucket, no foreign pages, one shard", () => {
		const defaults = {
			store: { kind: "r2" },
			development: false,
			corsOrigins: [],
			catalogue: { shards: 1, activityLag: 15_000 },
			sweep: sweepDefaults,
			rates: { reads: 6000, writes: 600 },
			watch: { lifetime: 600_000 },
		};
		expect(readConfig({})).toEqual(defaults);
		expect(readConfig({ STORE: "", CORS_ORIGINS: "", CATALOG_SHARDS: "" })).toEqual(defaults);
	});

	it("bindings and variables of others: left alone", () => {
		expect(readConfig({ BUCKET: {}, HOME: "/root", S3_PATH_STYLE: "perhaps" }).store).toEqual({ kind: "r2" });
	});

	it("a summarizer: as it is asked for, in milliseconds", () => {
		const least = { SUMMARIZER_URL: "http://127.0.0.1:9/v1", SUMMARIZER_MODEL: "small" };
		expect(readConfig(least).summarizer).toEqual({
			url: "http://127.0.0.1:9/v1",
			model: "small",
			timeout: 120_000,
			prices: { input: 0, output: 0 },
		});
		const all = {
			...least,
			SUMMARIZER_KEY: "sk-1",
			SUMMARIZER_TIMEOUT_SECONDS: "30",
			SUMMARIZER_MAX_TOKENS: "4000",
			SUMMARIZER_INPUT_PRICE: "0.25",
			SUMMARIZER_OUTPUT_PRICE: "2",
			SUMMARIZER_CACHED_PRICE: "0.025",
		};
		expect(readConfig(all).summarizer).toEqual({
			url: "http://127.0.0.1:9/v1",
			model: "small",
			key: "sk-1",
			timeout: 30_000,
			maxTokens: 4000,
			prices: { input: 0.25, output: 2, cacheRead: 0.025 },
		});
		expect(readConfig({ SUMMARIZER_KEY: "sk-1", SUMMARIZER_MODEL: "small" }).summarizer).toBeUndefined();
		expect(readServerConfig({ ...s3, ...least }).summarizer?.model).toBe("small");
	});

	it("a summarizer that makes no sense: each variable is named, and no value", () => {
		const wrong = {
			SUMMARIZER_URL: "ftp://secret-host/",
			SUMMARIZER_TIMEOUT_SECONDS: "0",
			SUMMARIZER_INPUT_PRICE: "-1",
			SUMMARIZER_MAX_TOKENS: "many",
		};
		const problems = problemsOf(readConfig, wrong);
		expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual([
			"SUMMARIZER_INPUT_PRICE",
			"SUMMARIZER_MAX_TOKENS",
			"SUMMARIZER_MODEL",
			"SUMMARIZER_TIMEOUT_SECONDS",
			"SUMMARIZER_URL",
		]);
		expect(problems.join()).not.toContain("secret");
	});

	it("all there is to say: read", () => {
		const environment = {
			...s3,
			S3_SESSION_TOKEN: "token",
			S3_ENDPOINT: "http://127.0.0.1:9000",
			S3_PATH_STYLE: "false",
			S3_REQUEST_TIMEOUT_MS: "2500",
			CORS_ORIGINS: "https://a.example, http://localhost:3000,",
			CATALOG_SHARDS: "16",
			ACTIVITY_LAG_SECONDS: "0",
			PURGE_AFTER_MINUTES: "15",
			SESSION_TTL_DAYS: "30",
			READS_PER_MINUTE: "100",
			WRITES_PER_MINUTE: "10",
			WATCH_SECONDS: "45",
			MEDIA_SECRET: "sixteen letters or more",
		};
		expect(readConfig(environment)).toEqual({
			development: false,
			store: {
				kind: "s3",
				settings: {
					bucket: "sessions",
					region: "auto",
					accessKeyId: "id",
					secretAccessKey: "secret-value",
					sessionToken: "token",
					endpoint: "http://127.0.0.1:9000",
					pathStyle: false,
					requestTimeout: 2500,
				},
			},
			corsOrigins: ["https://a.example", "http://localhost:3000"],
			catalogue: { shards: 16, activityLag: 0 },
			sweep: { ...sweepDefaults, purgeAfter: 900_000, ttl: 30 * 86_400_000 },
			rates: { reads: 100, writes: 10 },
			watch: { lifetime: 45_000 },
			mediaSecret: "sixteen letters or more",
		});
	});

	it("S3 with nothing to go by: every missing variable is named", () => {
		expect(problemsOf(readConfig, { STORE: "s3", S3_REGION: "" })).toEqual([
			"S3_BUCKET: is required with STORE=s3",
			"S3_REGION: is required with STORE=s3",
			"S3_ACCESS_KEY_ID: is required with STORE=s3",
			"S3_SECRET_ACCESS_KEY: is required with STORE=s3",
		]);
	});

	it("values that make no sense: the variable is named, the value isn't told", () => {
		const bad: [variable: string, value: string][] = [
			["STORE", "disk"],
			["S3_ENDPOINT", "127.0.0.1:9000"],
			["S3_ENDPOINT", "ftp://storage.example"],
			["S3_PATH_STYLE", "yes"],
			["S3_REQUEST_TIMEOUT_MS", "0"],
			["S3_REQUEST_TIMEOUT_MS", "1.5"],
			["S3_REQUEST_TIMEOUT_MS", "soon"],
			["CATALOG_SHARDS", "0"],
			["ACTIVITY_LAG_SECONDS", "-1"],
			["PURGE_AFTER_MINUTES", "14"],
		];
		for (const [variable, value] of bad) {
			const problems = problemsOf(readConfig, { ...s3, [variable]: value });
			expect(problems).toHaveLength(1);
			expect(problems[0]).toMatch(new RegExp(`^${variable}: .`));
			if (value.length > 3) expect(problems[0]).not.toContain(value);
		}
	});
});

describe("configuration of a server", () => {
	it("S3 alone: loopback, port 8787", () => {
		const { STORE: _, ...variables } = s3;
		expect(readServerConfig(variables)).toMatchObject({
			host: "127.0.0.1",
			port: 8787,
			s3: { bucket: "sessions" },
			corsOrigins: [],
		});
	});

	it("host and port: taken", () => {
		expect(readServerConfig({ ...s3, HOST: "0.0.0.0", PORT: "80" })).toMatchObject({
			host: "0.0.0.0",
			port: 80,
		});
		expect(readServerConfig({ ...s3, PORT: "0" }).port).toBe(0);
	});

	it("what it bears: by default, as configured, and longer than a summary takes", () => {
		expect(readServerConfig(s3)).toMatchObject({
			bounds: {
				headersTimeout: 20_000,
				requestTimeout: 300_000,
				idleTimeout: 120_000,
				keepAliveTimeout: 65_000,
				headerBytes: 16_384,
				connections: 4000,
			},
			held: { heldBodyBytes: 128 * 2 ** 20, heldReadBytes: 256 * 2 ** 20 },
		});
		const given = {
			HEADERS_SECONDS: "5",
			REQUEST_SECONDS: "3",
			IDLE_SECONDS: "40",
			MAX_CONNECTIONS: "10",
			HELD_BODY_MIB: "40",
			HELD_READ_MIB: "8",
			SUMMARIZER_URL: "http://127.0.0.1:9/v1",
			SUMMARIZER_MODEL: "small",
			SUMMARIZER_TIMEOUT_SECONDS: "60",
		};
		expect(readServerConfig({ ...s3, ...given })).toMatchObject({
			bounds: { headersTimeout: 3000, requestTimeout: 3000, idleTimeout: 90_000, connections: 10 },
			held: { heldBodyBytes: 40 * 2 ** 20, heldReadBytes: 8 * 2 ** 20 },
		});
		for (const [variable, value] of [
			["HELD_BODY_MIB", "39"],
			["HELD_READ_MIB", "7"],
			["MAX_CONNECTIONS", "0"],
			["HEADERS_SECONDS", "0"],
			["REQUEST_SECONDS", "never"],
			["IDLE_SECONDS", "29"],
		] as const) {
			const problems = problemsOf(readServerConfig, { ...s3, [variable]: value });
			expect(problems).toEqual([expect.stringMatching(new RegExp(`^${variable}: must be a whole number`))]);
		}
	});

	it("a port that is none, or R2: refused by name", () => {
		for (const PORT of ["-1", "65536", "8787x", " 1", "1e3"]) {
			expect(problemsOf(readServerConfig, { ...s3, PORT })).toEqual([
				"PORT: must be a whole number from 0 to 65535",
			]);
		}
		expect(problemsOf(readServerConfig, { ...s3, STORE: "r2" })[0]).toMatch(
			/^STORE: r2 is a Worker's binding/,
		);
	});

	it("development, where nobody else comes: only on loopback, and never in production", () => {
		const developed = (variables: Environment) => readServerConfig({ ...s3, ...variables }).development;
		for (const HOST of ["", "127.0.0.1", "127.1.2.3", "localhost", "::1"]) {
			expect(developed({ HOST })).toBe(true);
			expect(developed({ HOST, NODE_ENV: "production" })).toBe(false);
			expect(developed({ HOST, DEVELOPMENT: "false" })).toBe(false);
			expect(developed({ HOST, NODE_ENV: "production", DEVELOPMENT: "true" })).toBe(true);
		}
		for (const HOST of ["0.0.0.0", "::", "10.0.0.1", "localhost.example", "127.example"]) {
			expect(developed({ HOST })).toBe(false);
			expect(problemsOf(readServerConfig, { ...s3, HOST, DEVELOPMENT: "true" })[0]).toMatch(/^DEVELOPMENT: /);
		}
	});

	it("metrics: for whoever is on this machine, or has the token", () => {
		const METRICS_TOKEN = "sixteen letters or more";
		expect(readServerConfig(s3)).toMatchObject({ metrics: true });
		expect(readServerConfig({ ...s3, HOST: "0.0.0.0" })).toMatchObject({ metrics: false });
		expect(readServerConfig({ ...s3, HOST: "0.0.0.0", METRICS_TOKEN })).toMatchObject({
			metrics: true,
			metricsToken: METRICS_TOKEN,
		});
		expect(problemsOf(readServerConfig, { ...s3, METRICS_TOKEN: "short" })[0]).toMatch(/^METRICS_TOKEN: /);
	});
});
