import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page, type Request } from "playwright-core";
import { freePort, Service } from "../start/service.ts";
import { type S3Server, startMiniflareS3 } from "../store/miniflare-s3.ts";
import { miniflareS3 } from "../store/miniflare-s3-settings.ts";

/** The service with its viewer, and a browser that looks at it. */
export class Served {
	readonly service: Service;
	readonly #s3: S3Server | undefined;
	readonly #browser: BrowserContext;
	readonly #profile: string;

	private constructor(service: Service, s3: S3Server | undefined, browser: BrowserContext, profile: string) {
		this.service = service;
		this.#s3 = s3;
		this.#browser = browser;
		this.#profile = profile;
	}

	/** `start` serves the Worker, `start:node` the same on Node and an S3 store. */
	static async start(environment: Record<string, string> = {}, script = "start:node"): Promise<Served> {
		const profile = mkdtempSync(join(tmpdir(), "leaflog-browser-"));
		const s3 = script === "start" ? undefined : await startMiniflareS3();
		const service = new Service(script, await freePort(), {
			...(s3 === undefined
				? { LEAFLOG_DATA: join(profile, "data") }
				: {
						S3_ENDPOINT: s3.endpoint,
						S3_BUCKET: miniflareS3.bucket,
						S3_REGION: miniflareS3.region,
						S3_ACCESS_KEY_ID: miniflareS3.accessKeyId,
						S3_SECRET_ACCESS_KEY: miniflareS3.secretAccessKey,
					}),
			ACTIVITY_LAG_SECONDS: "0",
			...environment,
		});
		const browser = await chromium.launchPersistentContext(profile, {
			executablePath: process.env.CHROMIUM!,
			headless: true,
			viewport: { width: 1440, height: 900 },
			permissions: ["clipboard-read", "clipboard-write"],
			args: [
				"--no-sandbox",
				"--disable-gpu",
				"--disable-quic",
				"--no-first-run",
				"--disable-background-networking",
				"--disable-component-update",
				"--disable-sync",
			],
		});
		browser.setDefaultTimeout(60_000);
		await service.ready();
		return new Served(service, s3, browser, profile);
	}

	/** A page of the viewer; what its console complains of is kept in `faults`. */
	open(hash = "", faults: string[] = []): Promise<Page> {
		return this.visit(`${this.service.url}/app/${hash}`, faults);
	}

	/** The same of any page. */
	async visit(address: string, faults: string[] = []): Promise<Page> {
		const page = await this.#browser.newPage();
		page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
		page.on("pageerror", (error) => faults.push(String(error)));
		await page.goto(address);
		return page;
	}

	/** What a page of this browser may ask for, of whatever page: `note` is told of each. */
	onRequest(note: (request: Request) => void): void {
		this.#browser.on("request", note);
	}

	async stop(): Promise<void> {
		await this.#browser.close();
		this.service.destroy();
		await this.service.gone();
		await this.#s3?.stop();
		rmSync(this.#profile, { recursive: true, force: true });
	}
}
