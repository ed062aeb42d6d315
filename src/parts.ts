import type { Authenticate } from "./http/auth.ts";
import type { Meter } from "./http/environment.ts";
import type { HttpConfig, Parts } from "./http/parts.ts";
import type { RateLimiter } from "./http/rates.ts";
import type { LogLine } from "./http/request-log.ts";
import { Log } from "./log/log.ts";
import { Catalogue, type CatalogueSettings } from "./operations/catalogue.ts";
import { systemClock, systemRandom } from "./platform.ts";
import { Readiness } from "./readiness.ts";
import { MeteredStore, type StoreCounts } from "./store/metering.ts";
import type { ObjectStore } from "./store/object-store.ts";
import { ReadRetries } from "./store/read-retries.ts";
import { ChatCompletions, type ChatCompletionsSettings } from "./summarizer/chat-completions.ts";

/** What one instance of the service is made of, beside its platform. */
export interface Instance {
	readonly bucket: ObjectStore;
	/** What stands between a request and the bucket; it is made anew for each request. */
	readonly connect?: (store: ObjectStore) => ObjectStore;
	readonly authenticate: Authenticate;
	/** Left out where nobody is to be counted. */
	readonly rates?: RateLimiter;
	/** Hears of each request's log line. */
	readonly observe?: (line: LogLine) => void;
	readonly http: HttpConfig;
	readonly catalogue?: CatalogueSettings;
	readonly summarizer?: ChatCompletionsSettings;
}

/** The parts of the app, and what else runs on them. */
export interface InstanceParts extends Parts {
	readonly readiness: Readiness;
	readonly meter: () => StoreMeter;
}

interface StoreMeter extends Meter {
	counts(): StoreCounts;
}

/** An instance on the platform's clock and randomness. A line of JSON a request goes to the log. */
export function partsOf(instance: Instance): InstanceParts {
	const { bucket, connect = (store) => store } = instance;
	const meter = (): StoreMeter => {
		const metered = new MeteredStore(bucket, { now: systemClock.monotonic });
		const store = new ReadRetries(connect(metered), {
			sleep: systemClock.sleep,
			random: systemRandom.fraction,
		});
		return {
			store,
			announce: (reads) => metered.announce(reads),
			serverTiming: () => metered.serverTiming(),
			requests: () => metered.requests(),
			counts: () => metered.counts(),
		};
	};
	const readiness = new Readiness({ open: () => meter().store, clock: systemClock, random: systemRandom });
	return {
		log: new Log({ clock: systemClock, random: systemRandom }),
		catalogue: new Catalogue({ clock: systemClock, random: systemRandom, settings: instance.catalogue }),
		...(instance.summarizer && { summarizer: summarizerOf(instance.summarizer) }),
		clock: systemClock,
		random: systemRandom,
		meter,
		authenticate: instance.authenticate,
		...(instance.rates && { rates: instance.rates }),
		writeLog: (line) => {
			console.log(JSON.stringify(line));
			instance.observe?.(line);
		},
		config: instance.http,
		probe: () => readiness.check(),
		readiness,
	};
}

function summarizerOf(settings: ChatCompletionsSettings): ChatCompletions {
	return new ChatCompletions(settings, {
		fetch: (url, init) => fetch(url, init),
		abortAfter: (milliseconds) => AbortSignal.timeout(milliseconds),
	});
}
