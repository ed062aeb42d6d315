/** What the pages use of `react-native`: the app comes and goes when `AppState` is told so. */
type State = "active" | "background";
const listeners = new Set<(state: State) => void>();

export const AppState = {
	addEventListener(_type: "change", listener: (state: State) => void): { remove(): void } {
		listeners.add(listener);
		return { remove: () => listeners.delete(listener) };
	},
	emit(state: State): void {
		for (const listener of listeners) listener(state);
	},
};
