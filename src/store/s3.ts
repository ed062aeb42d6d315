import {
	DeleteObjectsCommand,
	GetObjectCommand,
	HeadObjectCommand,
	ListObjectsV2Command,
	PutObjectCommand,
	S3Client,
} from "@aws-sdk/client-s3";
import { deletePages } from "./delete-pages.ts";
import type {
	ByteRange,
	GetOptions,
	GetOutcome,
	ListOptions,
	ListPage,
	ObjectStore,
	PutOptions,
	PutOutcome,
} from "./object-store.ts";
import { StoreUnavailable } from "./object-store.ts";

export interface S3Settings {
	readonly bucket: string;
	/** Where the service answers, unless it is AWS itself: an http or https URL. */
	readonly endpoint?: string;
	readonly region: string;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** Of temporary credentials. */
	readonly sessionToken?: string;
	/** The bucket in the path instead of the host name (default true; AWS serves both). */
	readonly pathStyle?: boolean;
	/** Milliseconds after which a request without a complete answer counts as lost (default 10,000). */
	readonly requestTimeout?: number;
}

/**
 * A bucket behind the S3 protocol, in Workers and in Node. Each request is sent once: repeating reads is for
 * `ReadRetries`, and whether a doubtful write took effect is for the caller to find out.
 */
export class S3Store implements ObjectStore {
	readonly #client: S3Client;
	readonly #bucket: string;
	readonly #timeout: number;

	constructor(settings: S3Settings) {
		const { accessKeyId, secretAccessKey, sessionToken } = settings;
		this.#client = new S3Client({
			endpoint: settings.endpoint,
			region: settings.region,
			credentials: { accessKeyId, secretAccessKey, sessionToken },
			forcePathStyle: settings.pathStyle ?? true,
			maxAttempts: 1,
			// The default checksums ruin bodies in workerd, and some servers answer 411 to them (2026-11).
			requestChecksumCalculation: "WHEN_REQUIRED",
			responseChecksumValidation: "WHEN_REQUIRED",
			expectContinueHeader: false,
		});
		this.#bucket = settings.bucket;
		this.#timeout = settings.requestTimeout ?? 10_000;
	}

	async put(key: string, bytes: Uint8Array, options: PutOptions = {}): Promise<PutOutcome> {
		const command = new PutObjectCommand({
			Bucket: this.#bucket,
			Key: key,
			Body: bytes,
			ContentLength: bytes.length,
			IfNoneMatch: options.ifAbsent ? "*" : undefined,
		});
		try {
			const { ETag } = await this.#inTime((abortSignal) => this.#client.send(command, { abortSignal }));
			return { kind: "created", etag: told(ETag, "ETag") };
		} catch (cause) {
			if (options.ifAbsent && statusOf(cause) === 412) return { kind: "exists" };
			return { kind: "unknown", cause };
		}
	}

	async get(key: string, options: GetOptions = {}): Promise<GetOutcome> {
		try {
			return await this.#inTime((abortSignal) => this.#read(key, options, abortSignal));
		} catch (cause) {
			if (statusOf(cause) === 404 && nameOf(cause) === "NoSuchKey") return { kind: "absent" };
			if (statusOf(cause) === 412) return { kind: "changed" };
			if (statusOf(cause) !== 416 || options.range === undefined) throw unavailable("get", cause);
			return this.#nothingPastTheEnd(key, options.range, options.ifMatch);
		}
	}

	async list(prefix: string, options: ListOptions = {}): Promise<ListPage> {
		const command = new ListObjectsV2Command({
			Bucket: this.#bucket,
			Prefix: prefix,
			MaxKeys: options.limit ?? 1000,
			StartAfter: options.after,
		});
		try {
			const page = await this.#inTime((abortSignal) => this.#client.send(command, { abortSignal }));
			const truncated = told(page.IsTruncated, "IsTruncated");
			const objects = (page.Contents ?? []).map((object) => ({
				key: told(object.Key, "Key"),
				size: told(object.Size, "Size"),
				etag: told(object.ETag, "ETag"),
				modified: told(object.LastModified, "LastModified").getTime(),
			}));
			if (truncated && objects.length === 0) throw new Error("an empty page that isn't the last");
			return { objects, truncated };
		} catch (cause) {
			throw unavailable("list", cause);
		}
	}

	async delete(keys: readonly string[]): Promise<void> {
		for (const page of deletePages(keys)) {
			const command = new DeleteObjectsCommand({
				Bucket: this.#bucket,
				Delete: { Objects: page.map((Key) => ({ Key })), Quiet: true },
			});
			try {
				const { Errors } = await this.#inTime((abortSignal) => this.#client.send(command, { abortSignal }));
				const failed = (Errors ?? []).filter(({ Code }) => Code !== "NoSuchKey");
				if (failed.length > 0)
					throw new Error(`${failed.length} keys stayed, the first with ${failed[0]!.Code}`);
			} catch (cause) {
				throw unavailable("delete", cause);
			}
		}
	}

	async #read(key: string, { range, ifMatch }: GetOptions, abortSignal: AbortSignal): Promise<GetOutcome> {
		const command = new GetObjectCommand({
			Bucket: this.#bucket,
			Key: key,
			Range: range && `bytes=${range.offset}-${range.offset + range.length - 1}`,
			IfMatch: ifMatch,
		});
		const answer = await this.#client.send(command, { abortSignal });
		const bytes = await told(answer.Body, "body").transformToByteArray();
		if (bytes.length < told(answer.ContentLength, "Content-Length")) throw new Error("the body broke off");
		const etag = told(answer.ETag, "ETag");
		const modified = told(answer.LastModified, "Last-Modified").getTime();
		if (range === undefined) return { kind: "found", bytes, etag, size: bytes.length, modified };
		const size = Number(/\/(\d+)$/.exec(answer.ContentRange ?? "")?.[1]);
		if (Number.isNaN(size)) throw new Error("the range was ignored");
		return { kind: "found", bytes, etag, size, modified };
	}

	/** S3 answers 416 to a range that begins at or past the end, without the object's ETag and time. */
	async #nothingPastTheEnd(key: string, range: ByteRange, ifMatch?: string): Promise<GetOutcome> {
		const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key });
		try {
			const answer = await this.#inTime((abortSignal) => this.#client.send(command, { abortSignal }));
			const etag = told(answer.ETag, "ETag");
			const size = told(answer.ContentLength, "Content-Length");
			const modified = told(answer.LastModified, "Last-Modified").getTime();
			if (ifMatch !== undefined && ifMatch !== etag) return { kind: "changed" };
			if (range.offset < size) throw new Error("the object changed meanwhile");
			return { kind: "found", bytes: new Uint8Array(0), etag, size, modified };
		} catch (cause) {
			throw unavailable("get", cause);
		}
	}

	/** The answer, its body included, or an error once the request's time is over. */
	async #inTime<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
		const controller = new AbortController();
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise<never>((_, reject) => {
			timer = setTimeout(() => {
				reject(new Error(`no complete answer in ${this.#timeout} ms`));
				controller.abort();
			}, this.#timeout);
		});
		try {
			return await Promise.race([work(controller.signal), late]);
		} finally {
			clearTimeout(timer);
		}
	}
}

/** What an S3 server always tells; what answers without it is none. */
function told<T>(value: T | undefined, name: string): T {
	if (value === undefined) throw new Error(`an answer without ${name}`);
	return value;
}

function unavailable(action: string, cause: unknown): StoreUnavailable {
	const detail = [statusOf(cause), nameOf(cause)].filter((part) => part !== undefined).join(" ");
	return new StoreUnavailable(`S3 gave no clear answer to ${action}: ${detail}`, { cause });
}

/** The HTTP status that an error of the SDK came with. */
function statusOf(cause: unknown): number | undefined {
	return (cause as { $metadata?: { httpStatusCode?: number } })?.$metadata?.httpStatusCode;
}

/** S3's code of an error, for example `NoSuchKey`. */
function nameOf(cause: unknown): string | undefined {
	return (cause as { name?: string })?.name;
}
