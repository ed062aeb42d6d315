import { Leaflog, LeaflogError, toChatCompletions, Unreachable } from "leaflog-client";
import { compactWhereDue } from "./compaction.ts";
import { eventStream } from "./events.ts";
import { ask, type Model, ModelError } from "./model.ts";
import { storeAnswer, storedAnswer, storeQuestion, turnOf } from "./turn.ts";

export interface Env {
	readonly LEAFLOG_URL: string;
	/** The way to Leaflog where it is a Worker of the same account. */
	readonly LEAFLOG?: Fetcher;
	readonly MODEL_URL: string;
	readonly MODEL: string;
	readonly MODEL_KEY?: string;
	/** Seconds; 60 unless given. */
	readonly MODEL_PATIENCE?: string;
	readonly CONTEXT_TOKENS: string;
	readonly SYSTEM_PROMPT: string;
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * `GET /chat/{session}`: the conversation, with the siblings of each entry.
 * `POST /chat/{session}` with `{id, text?, parentId?}`: says something, and streams the model's answer.
 */
export default {
	async fetch(request, env, context): Promise<Response> {
		try {
			return await respond(request, env, context);
		} catch (error) {
			const problem = problemOf(error);
			const headers = { ...(problem.retryAfter !== undefined && { "Retry-After": problem.retryAfter }) };
			return Response.json(problem, { status: problem.status, headers });
		}
	},
} satisfies ExportedHandler<Env>;

async function respond(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
	const { pathname, hostname } = new URL(request.url);
	const sessionId = /^\/chat\/([\w.-]+)$/.exec(pathname)?.[1];
	if (sessionId === undefined)
		return Response.json({ status: 404, detail: "Try /chat/{session}" }, { status: 404 });
	// Who calls is Leaflog's business: it gets the caller's own token, before any model is asked.
	const token = /^Bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
	if (token === undefined && !loopback.test(hostname)) {
		return Response.json({ status: 401, detail: "Send a token of Leaflog's" }, { status: 401 });
	}
	const { LEAFLOG: binding } = env;
	const leaflog = new Leaflog({
		baseUrl: env.LEAFLOG_URL,
		retries: 2,
		...(token !== undefined && { token }),
		...(binding && { fetch: (url: string, init: RequestInit) => binding.fetch(url, init) }),
	});
	if (request.method === "GET")
		return Response.json(await leaflog.session(sessionId).branch({ siblings: true }));
	if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "GET, POST" } });
	// Pages of other origins can't send this type without being asked first.
	const json = /^application\/json\b/i.test(request.headers.get("Content-Type") ?? "");
	const turn = json
		? turnOf(await request.json().catch(() => undefined))
		: "Content-Type: must be application/json";
	if (typeof turn === "string") return Response.json({ status: 400, detail: turn }, { status: 400 });

	const asked = await storeQuestion(leaflog, sessionId, turn);
	const stored = await storedAnswer(asked);
	if (stored !== undefined) return eventStream(context, async (tell) => tell("answer", stored), problemOf);
	const model: Model = {
		url: env.MODEL_URL,
		name: env.MODEL,
		key: env.MODEL_KEY,
		patience: Number(env.MODEL_PATIENCE ?? 60) * 1000,
	};
	const { messages } = await asked.session.context({ from: asked.questionId, format: "llm" });
	if (messages.at(-1)?.role !== "user") {
		return Response.json({ status: 422, detail: "parentId: not a question" }, { status: 422 });
	}
	const readAnswer = await ask(model, [
		{ role: "system", content: env.SYSTEM_PROMPT },
		...toChatCompletions(messages),
	]);
	return eventStream(
		context,
		async (tell) => {
			const said = await readAnswer((text) => tell("text", { text }));
			const answer = await storeAnswer(asked, said, new URL(model.url).hostname);
			tell("answer", answer);
			if (answer.leafId !== answer.entry.id) return;
			// The answer is told and stored: a summary that fails is the next turn's affair.
			const made = await compactWhereDue(asked.session, answer.seq, model, Number(env.CONTEXT_TOKENS)).catch(
				(error: unknown) => console.error(error),
			);
			if (made) tell("compacted", { entry: made });
		},
		problemOf,
	);
}

/** What a caller is told of an error. */
function problemOf(error: unknown): { status: number; code?: string; detail: string; retryAfter?: string } {
	if (error instanceof ModelError) {
		const { status, code, message: detail, retryAfter } = error;
		return { status, code, detail, ...(retryAfter !== undefined && { retryAfter }) };
	}
	if (error instanceof LeaflogError) {
		const { status, code, message: detail, retryAfter } = error;
		const seconds = retryAfter === undefined ? {} : { retryAfter: String(Math.ceil(retryAfter / 1000)) };
		return { status, ...(code && { code }), detail, ...seconds };
	}
	if (error instanceof Unreachable)
		return { status: 503, code: "unreachable", detail: "Leaflog can't be reached" };
	console.error(error);
	return { status: 500, code: "internal", detail: "Something went wrong" };
}
