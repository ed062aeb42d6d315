import { z } from "zod";
import { type Limits, limits, serverLimits } from "../schemas/limits.ts";
import { credentialsOf, credentialVariables } from "./credential-variables.ts";
import type { CredentialSettings } from "./http/credentials.ts";
import type { Rates } from "./http/memory-rates.ts";
import type { ServerBounds } from "./node-server.ts";
import { type CatalogueSettings, catalogueDefaults } from "./operations/catalogue.ts";
import { type SweepSettings, sweepDefaults } from "./operations/sweep.ts";
import { type WatchSettings, watchDefaults } from "./operations/watch-session.ts";
import type { S3Settings } from "./store/s3.ts";
import type { ChatCompletionsSettings } from "./summarizer/chat-completions.ts";

/** The environment's variables, as `process.env` or a Worker's bindings hold them. */
export type Environment = Readonly<Record<string, unknown>>;

/** What is wrong with the configuration, one line a variable. Never holds a value: it may be a secret. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

export type StoreConfig =
	/** The bucket that is bound to the Worker as `BUCKET`. */
	{ readonly kind: "r2" } | { readonly kind: "s3"; readonly settings: S3Settings };

/** What is configured alike on every platform. */
export interface ServiceConfig {
	/** Web pages' origins that may call. */
	readonly corsOrigins: readonly string[];
	/** Left out where nothing says who may call. */
	readonly credentials?: CredentialSettings;
	/** Nobody but its developer can reach it: without credentials, loopback names are let in. */
	readonly development: boolean;
	readonly catalogue: CatalogueSettings;
	/** How long streams of events last. */
	readonly watch: Pick<WatchSettings, "lifetime">;
	readonly sweep: SweepSettings;
	/** Calls that a namespace may make in a minute. */
	readonly rates: Rates;
	/** Signs links to media, for an hour each. */
	readonly mediaSecret?: string;
	/** Left out where no `SUMMARIZER_URL` is set. */
	readonly summarizer?: ChatCompletionsSettings;
}

export interface Config extends ServiceConfig {
	readonly store: StoreConfig;
}

/** Of a service that listens itself. */
export interface ServerConfig extends ServiceConfig {
	readonly host: string;
	/** 0 takes a free one. */
	readonly port: number;
	readonly s3: S3Settings;
	readonly bounds: ServerBounds;
	/** Bytes that are held at once, of request bodies and of what is read. */
	readonly held: Pick<Limits, "heldBodyBytes" | "heldReadBytes">;
	/** What `/metrics` asks for. */
	readonly metricsToken?: string;
	/** `/metrics` is there: it has a token, or nobody else reaches this host. */
	readonly metrics: boolean;
}

const flag = z.enum(["true", "false"]).transform((word) => word === "true");
const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const whole = (least: number, most: number) => {
	const error = `must be a whole number from ${least} to ${most}`;
	return z
		.string()
		.regex(/^\d+$/, error)
		.transform(Number)
		.pipe(z.number({ error }).min(least, error).max(most, error));
};
const seconds = (least: number, most: number, usual: number) =>
	whole(least, most)
		.transform((count) => count * 1000)
		.default(usual * 1000);
const mebibytes = (least: number, usual: number) =>
	whole(least, 65_536)
		.transform((count) => count * 1024 * 1024)
		.default(usual);
const required = z.string({ error: "is required with STORE=s3" });

/** Host names that only this machine reaches. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

const shared = z.object({
	DEVELOPMENT: flag.optional(),
	STORE: z.enum(["r2", "s3"], { error: "must be r2 or s3" }),
	CORS_ORIGINS: z.string().default(""),
	MEDIA_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
	WATCH_SECONDS: whole(1, 86_400)
		.transform((seconds) => seconds * 1000)
		.default(watchDefaults.lifetime),
	CATALOG_SHARDS: whole(1, 1024).default(catalogueDefaults.shards),
	ACTIVITY_LAG_SECONDS: whole(0, 3600)
		.transform((seconds) => seconds * 1000)
		.default(catalogueDefaults.activityLag),
	// Never less: an instance may trust what it knows of a session for ten minutes.
	PURGE_AFTER_MINUTES: whole(15, 525_600)
		.transform((minutes) => minutes * 60_000)
		.default(sweepDefaults.purgeAfter),
	SESSION_TTL_DAYS: whole(1, 36_500).optional(),
	READS_PER_MINUTE: whole(1, 1_000_000).default(limits.readsPerMinute),
	WRITES_PER_MINUTE: whole(1, 1_000_000).default(limits.writesPerMinute),
});

const s3 = z.object({
	S3_BUCKET: required,
	S3_REGION: required,
	S3_ACCESS_KEY_ID: required,
	S3_SECRET_ACCESS_KEY: required,
	S3_SESSION_TOKEN: z.string().optional(),
	S3_ENDPOINT: url.optional(),
	S3_PATH_STYLE: flag.optional(),
	S3_REQUEST_TIMEOUT_MS: whole(1, 600_000).optional(),
});

const price = z
	.string()
	.regex(/^\d+(\.\d+)?$/, "must be a number of US dollars for a million tokens")
	.transform(Number);

const summarizer = z.object({
	SUMMARIZER_URL: url,
	SUMMARIZER_MODEL: z.string({ error: "is required with SUMMARIZER_URL" }),
	SUMMARIZER_KEY: z.string().optional(),
	SUMMARIZER_TIMEOUT_SECONDS: whole(1, 3600).default(120),
	SUMMARIZER_MAX_TOKENS: whole(1, 10_000_000).optional(),
	SUMMARIZER_INPUT_PRICE: price.default(0),
	SUMMARIZER_OUTPUT_PRICE: price.default(0),
	SUMMARIZER_CACHED_PRICE: price.optional(),
});

const server = z.object({
	HOST: z.string().default("127.0.0.1"),
	PORT: whole(0, 65_535).default(8787),
	METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
	NODE_ENV: z.string().optional(),
	// No less than an import and an append together.
	HELD_BODY_MIB: mebibytes(40, serverLimits.heldBodyBytes),
	// Twice the bytes that a stream reads at a time.
	HELD_READ_MIB: mebibytes(8, serverLimits.heldReadBytes),
	MAX_CONNECTIONS: whole(1, 1_000_000).default(serverLimits.connections),
	HEADERS_SECONDS: seconds(1, 600, serverLimits.headersSeconds),
	REQUEST_SECONDS: seconds(1, 3600, serverLimits.requestSeconds),
	// Longer than the pause between two signs of life of a stream of events.
	IDLE_SECONDS: seconds(30, 3600, serverLimits.idleSeconds),
});

/**
 * The configuration of a Worker.
 * @throws ConfigError
 */
export function readConfig(environment: Environment): Config {
	const given: Environment = { STORE: "r2", ...withoutEmpty(environment) };
	const variables = parse(shared, given);
	const ttlDays = variables.SESSION_TTL_DAYS;
	const development = variables.DEVELOPMENT ?? false;
	const credentials = credentialsOf(parse(credentialVariables(development), given));
	const service: ServiceConfig = {
		// A Worker can't tell by itself where it runs, and the host name is the client's word: somebody must say so.
		development,
		...(credentials && { credentials }),
		...(given.SUMMARIZER_URL !== undefined && { summarizer: summarizerSettings(parse(summarizer, given)) }),
		watch: { lifetime: variables.WATCH_SECONDS },
		...(variables.MEDIA_SECRET !== undefined && { mediaSecret: variables.MEDIA_SECRET }),
		corsOrigins: variables.CORS_ORIGINS.split(",")
			.map((origin) => origin.trim())
			.filter((origin) => origin !== ""),
		catalogue: { shards: variables.CATALOG_SHARDS, activityLag: variables.ACTIVITY_LAG_SECONDS },
		sweep: {
			...sweepDefaults,
			purgeAfter: variables.PURGE_AFTER_MINUTES,
			...(ttlDays !== undefined && { ttl: ttlDays * 24 * 60 * 60_000 }),
		},
		rates: { reads: variables.READS_PER_MINUTE, writes: variables.WRITES_PER_MINUTE },
	};
	if (variables.STORE === "r2") return { ...service, store: { kind: "r2" } };
	return { ...service, store: { kind: "s3", settings: s3Settings(parse(s3, given)) } };
}

/**
 * The configuration of a service that listens itself. It has no R2 binding: R2 is reached through its S3 endpoint.
 * It is in development where it listens on loopback, unless `NODE_ENV` is `production`: a proxy beside it would let
 * everybody in.
 * @throws ConfigError
 */
export function readServerConfig(environment: Environment): ServerConfig {
	const variables = parse(server, withoutEmpty(environment));
	const { HOST, PORT, METRICS_TOKEN, NODE_ENV } = variables;
	const isLocal = loopback.test(HOST);
	const usual = { STORE: "s3", DEVELOPMENT: isLocal && NODE_ENV !== "production" ? "true" : "false" };
	const { store, development, ...service } = readConfig({ ...usual, ...withoutEmpty(environment) });
	if (store.kind === "r2") {
		throw new ConfigError(
			"STORE: r2 is a Worker's binding; outside of Workers use s3, with R2's S3 endpoint",
		);
	}
	const metrics = {
		metrics: isLocal || METRICS_TOKEN !== undefined,
		...(METRICS_TOKEN !== undefined && { metricsToken: METRICS_TOKEN }),
	};
	if (development && !isLocal) {
		throw new ConfigError("DEVELOPMENT: only with a HOST that nobody else reaches, like 127.0.0.1");
	}
	// A connection is silent while its call waits for a summary.
	const waits = (service.summarizer?.timeout ?? 0) + 30_000;
	const bounds: ServerBounds = {
		headersTimeout: Math.min(variables.HEADERS_SECONDS, variables.REQUEST_SECONDS),
		requestTimeout: variables.REQUEST_SECONDS,
		idleTimeout: Math.max(variables.IDLE_SECONDS, waits),
		keepAliveTimeout: serverLimits.keepAliveSeconds * 1000,
		headerBytes: serverLimits.headerBytes,
		connections: variables.MAX_CONNECTIONS,
	};
	return {
		...service,
		...metrics,
		development,
		host: HOST,
		port: PORT,
		s3: store.settings,
		bounds,
		held: { heldBodyBytes: variables.HELD_BODY_MIB, heldReadBytes: variables.HELD_READ_MIB },
	};
}

function s3Settings(variables: z.infer<typeof s3>): S3Settings {
	return {
		bucket: variables.S3_BUCKET,
		region: variables.S3_REGION,
		accessKeyId: variables.S3_ACCESS_KEY_ID,
		secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
		sessionToken: variables.S3_SESSION_TOKEN,
		endpoint: variables.S3_ENDPOINT,
		pathStyle: variables.S3_PATH_STYLE,
		requestTimeout: variables.S3_REQUEST_TIMEOUT_MS,
	};
}

function summarizerSettings(variables: z.infer<typeof summarizer>): ChatCompletionsSettings {
	return {
		url: variables.SUMMARIZER_URL,
		model: variables.SUMMARIZER_MODEL,
		key: variables.SUMMARIZER_KEY,
		timeout: variables.SUMMARIZER_TIMEOUT_SECONDS * 1000,
		maxTokens: variables.SUMMARIZER_MAX_TOKENS,
		prices: {
			input: variables.SUMMARIZER_INPUT_PRICE,
			output: variables.SUMMARIZER_OUTPUT_PRICE,
			cacheRead: variables.SUMMARIZER_CACHED_PRICE,
		},
	};
}

/** A variable that is set to nothing is not set. */
function withoutEmpty(environment: Environment): Environment {
	return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}

function parse<T extends z.ZodType>(schema: T, environment: Environment): z.infer<T> {
	const outcome = schema.safeParse(environment);
	if (outcome.success) return outcome.data;
	const problems = outcome.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
	throw new ConfigError(problems.join("\n"));
}
