import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { LogLine } from "./http/request-log.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const kinds = ["get", "put", "list", "delete"] as const;

/** What Prometheus is told of a server: the process, and its requests by route. Nothing of callers or of what they say. */
export class Metrics {
	readonly #registry = new Registry();
	readonly #requests = new Histogram({
		name: "leaflog_http_request_duration_seconds",
		help: "Time from a request to the end of its answer",
		labelNames: ["method", "route", "status"],
		buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
		registers: [this.#registry],
	});
	readonly #store = new Counter({
		name: "leaflog_store_requests_total",
		help: "Requests to the object store",
		labelNames: ["kind"],
		registers: [this.#registry],
	});
	readonly #failures = new Counter({
		name: "leaflog_failures_total",
		help: "Answers that are 500 or 503, and answers that broke off",
		registers: [this.#registry],
	});

	constructor() {
		collectDefaultMetrics({ register: this.#registry });
	}

	observe(line: LogLine): void {
		const method = methods.includes(line.method) ? line.method : "other";
		this.#requests.observe({ method, route: line.route, status: String(line.status) }, line.ms / 1000);
		if (line.failure !== undefined) this.#failures.inc();
		for (const kind of kinds) {
			const count = requestsIn(line.store, kind);
			if (count > 0) this.#store.inc({ kind }, count);
		}
	}

	/** All of it as Prometheus reads it. */
	async text(): Promise<{ readonly type: string; readonly text: string }> {
		return { type: this.#registry.contentType, text: await this.#registry.metrics() };
	}
}

function requestsIn(counts: unknown, kind: string): number {
	const count = (counts as { readonly [kind: string]: { readonly requests?: unknown } } | undefined)?.[kind];
	return typeof count?.requests === "number" ? count.requests : 0;
}
