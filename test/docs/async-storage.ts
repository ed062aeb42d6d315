/** What the pages use of `@react-native-async-storage/async-storage`, in memory. */
const kept = new Map<string, string>();

export default {
	async getItem(key: string): Promise<string | null> {
		return kept.get(key) ?? null;
	},
	async setItem(key: string, text: string): Promise<void> {
		kept.set(key, text);
	},
};
