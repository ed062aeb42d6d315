/** Pauses and randomness, on whatever platform this runs. Tests bring their own. */
export interface Platform {
	/** Ends early, without failing, when `signal` is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	/** Uniform in [0, 1). */
	random(): number;
	now(): number;
}

export const platform: Platform = {
	sleep: (ms, signal) =>
		new Promise((resolve) => {
			if (signal?.aborted) return resolve();
			const stop = () => {
				clearTimeout(timer);
				resolve();
			};
			const timer = setTimeout(() => {
				signal?.removeEventListener("abort", stop);
				resolve();
			}, ms);
			signal?.addEventListener("abort", stop, { once: true });
		}),
	random: Math.random,
	now: () => Date.now(),
};

/** An id of 32 hex digits. React Native has no `crypto` unless it is brought along. */
export function newId(): string {
	const bytes = new Uint8Array(16);
	const { crypto } = globalThis as { crypto?: { getRandomValues?(bytes: Uint8Array): unknown } };
	if (crypto?.getRandomValues) crypto.getRandomValues(bytes);
	else for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(Math.random() * 256);
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
