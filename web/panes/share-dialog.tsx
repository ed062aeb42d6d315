import { useState } from "preact/hooks";
import type { Api } from "../api/api.ts";
import { shareHash } from "../route.ts";
import { fullTime } from "../times.ts";
import { Dialog } from "./dialog.tsx";

const day = 24 * 60 * 60;

/** Makes a link by which anybody can read a session, or what belongs to one of its paths, for some days. */
export function ShareDialog(props: {
	api: Api;
	session: string;
	/** The entry to which the path leads. */
	entry: string | undefined;
	copy: (text: string, what: string) => Promise<void>;
	close: () => void;
}) {
	const { api, session, entry } = props;
	const [path, setPath] = useState(false);
	const [days, setDays] = useState(7);
	const [made, setMade] = useState<{ link: string; until: string }>();
	const [problem, setProblem] = useState<string>();
	const make = async (event: Event) => {
		event.preventDefault();
		try {
			const leafId = path ? entry : undefined;
			const { token, expiresAt } = await api.share(session, {
				...(leafId !== undefined && { leafId }),
				expiresInSeconds: days * day,
			});
			const link = new URL(shareHash({ session, token }), location.href).href;
			setMade({ link, until: fullTime(expiresAt) });
			setProblem(undefined);
		} catch (problem) {
			setProblem((problem as Error).message);
		}
	};
	return (
		<Dialog title="Share" close={props.close}>
			<form onSubmit={make}>
				<fieldset class="choices">
					<label>
						<input type="radio" name="what" checked={!path} onChange={() => setPath(false)} />
						The whole session, with what is still to come
					</label>
					<label>
						<input
							type="radio"
							name="what"
							checked={path}
							disabled={entry === undefined}
							onChange={() => setPath(true)}
						/>
						Only the path to the chosen entry
					</label>
				</fieldset>
				<label>
					For
					<select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
						<option value={1}>a day</option>
						<option value={7}>a week</option>
						<option value={30}>30 days</option>
					</select>
				</label>
				<p class="hint">Whoever has the link can read it. Nobody can write.</p>
				{problem !== undefined && (
					<p class="problem" role="alert">
						{problem}
					</p>
				)}
				<button type="submit" class="main">
					Make a link
				</button>
			</form>
			{made !== undefined && (
				<div class="made">
					<label>
						Until {made.until}
						<input
							readOnly
							aria-label="Link"
							value={made.link}
							onFocus={(event) => event.currentTarget.select()}
						/>
					</label>
					<button type="button" onClick={() => props.copy(made.link, "Link")}>
						Copy
					</button>
				</div>
			)}
		</Dialog>
	);
}
