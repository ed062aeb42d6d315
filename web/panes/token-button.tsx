import { ApiProblem } from "../api/api.ts";

/** The way out of a refusal that another token may end; nothing for other problems. */
export function TokenButton({ problem, ask }: { problem: Error; ask: () => void }) {
	if (!(problem instanceof ApiProblem) || (problem.status !== 401 && problem.status !== 403)) return null;
	return (
		<button type="button" class="main" onClick={ask}>
			Enter a token
		</button>
	);
}
