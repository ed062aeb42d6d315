import { createApp } from "../../src/http/app.ts";
import { openOnLoopback } from "../../src/http/auth.ts";
import { Log, type LogLimits } from "../../src/log/log.ts";
import { partsOf } from "../../src/parts.ts";
import { systemClock, systemRandom } from "../../src/platform.ts";
import { type S3Settings, S3Store } from "../../src/store/s3.ts";

/** An instance of the service as its callers know it. */
export type Instance = (request: Request) => Response | Promise<Response>;

interface Temper {
	/** ms after which a request to the store counts as lost. */
	readonly requestTimeout?: number;
	/** ms by which lists may lag. */
	readonly activityLag: number;
	readonly limits?: Partial<LogLimits>;
}

/** Instances on one bucket that share nothing else, each of another temper. */
export function outageInstances(settings: S3Settings): Instance[] {
	const hasty = { requestTimeout: 400, activityLag: 300, limits: { settle: 1_500 } };
	return [
		instanceOf(settings, { activityLag: 300 }),
		instanceOf(settings, hasty),
		instanceOf(settings, hasty),
		forgetful(settings),
	];
}

/** An instance that knows nothing when it is asked, each time. */
export function forgetful(settings: S3Settings): Instance {
	const store = new S3Store({ ...settings, requestTimeout: 400 });
	return (request) => appOn(store, { activityLag: 0 })(request);
}

function instanceOf(settings: S3Settings, temper: Temper): Instance {
	const { requestTimeout } = temper;
	return appOn(new S3Store({ ...settings, requestTimeout }), temper);
}

/** The whole service but for its socket: what `src/parts.ts` makes of a bucket, read retries included. */
function appOn(bucket: S3Store, { activityLag, limits }: Temper): Instance {
	const parts = partsOf({
		bucket,
		authenticate: openOnLoopback("outage"),
		http: {},
		catalogue: { shards: 1, activityLag },
	});
	const log = limits ? new Log({ clock: systemClock, random: systemRandom, limits }) : parts.log;
	const app = createApp({ ...parts, log, writeLog: () => {} });
	return (request) => app.fetch(request);
}
