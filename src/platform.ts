import type { Clock, Random } from "./log/log.ts";

/** Time as the platform tells it. */
export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	sleep: (milliseconds, signal) =>
		new Promise((resolve) => {
			if (signal?.aborted) return resolve();
			const timer = setTimeout(() => {
				signal?.removeEventListener("abort", stop);
				resolve();
			}, milliseconds);
			const stop = () => {
				clearTimeout(timer);
				resolve();
			};
			signal?.addEventListener("abort", stop, { once: true });
		}),
};

/** The platform's own randomness. */
export const systemRandom: Random = {
	bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
	fraction: () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32,
};
