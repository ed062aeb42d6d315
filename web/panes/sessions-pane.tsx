import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Api, ApiProblem, type Session } from "../api/api.ts";
import { Icon } from "../icons.tsx";
import { hashOf, type Route } from "../route.ts";
import { ago } from "../times.ts";
import { importFiles } from "./import-files.ts";
import { TokenButton } from "./token-button.tsx";

/** The sessions of the namespace, the newest first, a page at a time. */
export function SessionsPane(props: {
	api: Api;
	current: string | undefined;
	refreshes: number;
	/** Who looks came with a share alone: there are no sessions of their own. */
	shared: boolean;
	go: (to: Route) => void;
	tools: ComponentChildren;
	askCredentials: () => void;
}) {
	const { api, current } = props;
	const [typed, setTyped] = useState("");
	const [q, setQ] = useState("");
	const [again, setAgain] = useState(0);
	const list = useSessions(api, q, props.refreshes + again);
	const [problem, setProblem] = useState<string>();
	const file = useRef<HTMLInputElement>(null);
	useEffect(() => {
		const timer = setTimeout(() => setQ(typed.trim()), 200);
		return () => clearTimeout(timer);
	}, [typed]);
	const take = async (files: Iterable<File>) => {
		const taken = await importFiles(api, files);
		setProblem(taken.problem);
		setAgain((count) => count + 1);
		if (taken.last !== undefined) props.go({ session: taken.last });
	};
	useDroppedFiles(take);
	return (
		<nav class="sessions" aria-label="Sessions">
			<header>
				<a class="brand" href="#/">
					<Icon name="leaf" />
					Leaflog
				</a>
				{props.tools}
			</header>
			<div class="find">
				<label class="search">
					<Icon name="search" />
					<input
						type="search"
						placeholder="Search sessions"
						aria-label="Search sessions"
						value={typed}
						onInput={(event) => setTyped(event.currentTarget.value)}
					/>
				</label>
				<button type="button" title="Import session files" onClick={() => file.current?.click()}>
					<Icon name="import" />
				</button>
				<input
					ref={file}
					type="file"
					class="file"
					accept=".jsonl,.ndjson"
					multiple
					hidden
					onChange={(event) => {
						take([...(event.currentTarget.files ?? [])]);
						event.currentTarget.value = "";
					}}
				/>
			</div>
			{problem && (
				<p class="problem" role="alert">
					{problem}
				</p>
			)}
			<ul onScroll={(event) => nearEnd(event.currentTarget) && list.more()}>
				{list.sessions.map((session) => (
					<SessionItem key={session.id} session={session} current={session.id === current} />
				))}
				{list.problem && <Refused problem={list.problem} {...props} />}
				{list.hasMore && (
					<li class="more">
						<button type="button" onClick={list.more}>
							More
						</button>
					</li>
				)}
				{list.done && list.sessions.length === 0 && (
					<li class="empty">{q ? "No session has these words." : "No sessions yet."}</li>
				)}
			</ul>
		</nav>
	);
}

function SessionItem({ session, current }: { session: Session; current: boolean }) {
	const title = session.name ?? session.firstMessage ?? session.id;
	return (
		<li>
			<a href={hashOf({ session: session.id })} aria-current={current ? "page" : undefined}>
				<strong>{title}</strong>
				{session.name !== undefined && session.firstMessage !== undefined && (
					<span>{session.firstMessage}</span>
				)}
				<small>
					<span>{session.messageCount === 1 ? "1 message" : `${session.messageCount} messages`}</span>
					{session.parentSession !== undefined && <span>fork</span>}
					<span class="end">{ago(session.modified, Date.now())}</span>
				</small>
			</a>
		</li>
	);
}

function Refused(props: { problem: Error; shared: boolean; askCredentials: () => void }) {
	const { problem, shared, askCredentials } = props;
	const alone = shared && problem instanceof ApiProblem && problem.status === 401;
	return (
		<li class="empty" role={alone ? "status" : "alert"}>
			{alone ? "A session was shared with you. A token shows your own." : problem.message}
			<TokenButton problem={problem} ask={askCredentials} />
		</li>
	);
}

/** The pages read so far; they are read anew when the words, the caller or `refreshes` change. */
function useSessions(api: Api, q: string, refreshes: number) {
	const [sessions, setSessions] = useState<readonly Session[]>([]);
	const [cursor, setCursor] = useState<string>();
	const [state, setState] = useState<"loading" | "done" | Error>("loading");
	const turn = useRef(0);
	const load = async (from: string | undefined) => {
		const mine = ++turn.current;
		setState("loading");
		try {
			const page = await api.sessions({ q, ...(from !== undefined && { cursor: from }) });
			if (mine !== turn.current) return;
			setSessions((before) => (from === undefined ? page.sessions : [...before, ...page.sessions]));
			setCursor(page.nextCursor);
			setState("done");
		} catch (problem) {
			if (mine !== turn.current) return;
			if (from === undefined) setSessions([]);
			setCursor(from);
			setState(problem as Error);
		}
	};
	useEffect(() => {
		load(undefined);
		const back = () => document.visibilityState === "visible" && load(undefined);
		document.addEventListener("visibilitychange", back);
		return () => document.removeEventListener("visibilitychange", back);
	}, [api, q, refreshes]);
	return {
		sessions,
		hasMore: cursor !== undefined,
		done: state === "done",
		problem: state instanceof Error ? state : undefined,
		more: () => {
			if (cursor !== undefined && state !== "loading") load(cursor);
		},
	};
}

function useDroppedFiles(take: (files: Iterable<File>) => void): void {
	useEffect(() => {
		const over = (event: DragEvent) => event.preventDefault();
		const drop = (event: DragEvent) => {
			event.preventDefault();
			take([...(event.dataTransfer?.files ?? [])]);
		};
		addEventListener("dragover", over);
		addEventListener("drop", drop);
		return () => {
			removeEventListener("dragover", over);
			removeEventListener("drop", drop);
		};
	});
}

function nearEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
	return scrollTop + clientHeight > scrollHeight - 200;
}
