import { limits } from "../../schemas/limits.ts";
import type { JsonObject, LogView } from "../log/log.ts";
import { equalJson } from "../session/equal-json.ts";
import { planBranchedSession } from "../session/fork.ts";
import type { Call, SharedPart } from "./call.ts";
import { derivedSessionId, newSessionId } from "./new-id.ts";
import { openSession } from "./open-session.ts";
import { done, type Outcome } from "./outcome.ts";
import { refusalOfProblem } from "./place-records.ts";
import { type Refusal, refuse } from "./refusal.ts";
import {
	countShares,
	findShare,
	hashOf,
	putGrant,
	putShare,
	removeShare,
	type Share,
	type ShareScope,
	sealed,
	sharesOf,
	shareToken,
} from "./shares.ts";
import { unavailable } from "./unavailable.ts";
import { holds, type Precondition, versionOf } from "./version.ts";

export interface ShareRequest {
	readonly session: string;
	readonly scope: ShareScope;
	readonly leafId?: string;
	readonly expiresInSeconds?: number;
	readonly key?: string;
	readonly ifMatch?: Precondition;
}

export interface ShareMade {
	readonly id: string;
	readonly token: string;
	readonly expiresAt: string;
}

/** Lets whoever has the token read a session, or the path to one of its entries, for some time. */
export async function createShare(call: Call, request: ShareRequest): Promise<Outcome<ShareMade>> {
	const { session, key, ifMatch, scope, leafId, expiresInSeconds } = request;
	const opened = await openSession(call, session);
	if (opened.kind === "refused") return opened;
	const { view } = opened;
	const part = { namespace: call.namespace, session, ...(leafId !== undefined && { leafId }) };
	const asked = {
		scope,
		...(leafId !== undefined && { leafId }),
		...(expiresInSeconds !== undefined && { expiresInSeconds }),
	};
	const id =
		key === undefined
			? newSessionId(call.clock, call.random)
			: derivedSessionId(JSON.stringify([call.namespace, session, "share"]), key);
	if (key !== undefined) {
		const earlier = await findShare(call.scope.store, part, id);
		if (earlier !== undefined) return repeated(call, part, view, { asked, key, share: earlier });
	}
	const refusal = await refused(call, part, view, ifMatch);
	if (refusal !== undefined) return refusal;

	const secret = call.random.bytes(32);
	const token = shareToken(secret);
	const createdAt = call.clock.now();
	const share: Share = {
		id,
		...(leafId !== undefined && { leafId }),
		scope,
		createdAt,
		expiresAt: createdAt + (expiresInSeconds ?? limits.shareSecondsDefault) * 1000,
		hash: hashOf(token),
		...(key !== undefined && {
			sealed: Buffer.from(sealed(secret, key, id)).toString("base64url"),
			request: asked,
		}),
	};
	const outcome = await putShare(call.scope.store, part, share);
	if (outcome === "stored") return made(view, share, token);
	const winner = key === undefined ? undefined : await findShare(call.scope.store, part, id);
	if (key === undefined || winner === undefined) return unavailable("indeterminate");
	return repeated(call, part, view, { asked, key, share: winner });
}

async function refused(
	call: Call,
	part: SharedPart,
	view: LogView,
	ifMatch: Precondition | undefined,
): Promise<Refusal | undefined> {
	if (!holds(ifMatch, view.length)) {
		return refuse("precondition_failed", `The session's version is ${view.length}`);
	}
	if (part.leafId !== undefined) {
		const plan = planBranchedSession(view, part.leafId);
		if (plan.kind === "problem") return refusalOfProblem(plan.problem);
		if (plan.kept.length === 0) return refuse("unprocessable", "There is nothing on the path to this entry");
	}
	if ((await countShares(call.scope.store, part)) < limits.sharesPerSession) return undefined;
	return refuse(
		"unprocessable",
		`A session has at most ${limits.sharesPerSession} shares; revoke some first`,
	);
}

async function repeated(
	call: Call,
	part: SharedPart,
	view: LogView,
	{ asked, key, share }: { readonly asked: JsonObject; readonly key: string; readonly share: Share },
): Promise<Outcome<ShareMade>> {
	if (share.sealed === undefined || !equalJson(share.request, asked)) {
		return refuse("conflict", "This key is known with another content");
	}
	// The first call may have ended before the token led anywhere.
	if ((await putGrant(call.scope.store, part, share)) === "unknown") return unavailable("indeterminate");
	const token = shareToken(sealed(Buffer.from(share.sealed, "base64url"), key, share.id));
	return made(view, share, token, true);
}

function made(view: LogView, { id, expiresAt }: Share, token: string, replayed = false): Outcome<ShareMade> {
	return done({ id, token, expiresAt: new Date(expiresAt).toISOString() }, versionOf(view), replayed);
}

export interface ListedShare {
	readonly id: string;
	readonly scope: ShareScope;
	readonly leafId?: string;
	readonly createdAt: string;
	readonly expiresAt: string;
}

/** The shares of a session that are not over, oldest first, and what tells this list from others. Never their tokens. */
export async function listShares(
	call: Call,
	session: string,
): Promise<
	Refusal | { readonly kind: "shares"; readonly shares: readonly ListedShare[]; readonly tag: string }
> {
	const opened = await openSession(call, session);
	if (opened.kind === "refused") return opened;
	const all = await sharesOf(call.scope.store, { namespace: call.namespace, session });
	const shares = all
		.filter(({ expiresAt }) => expiresAt > call.clock.now())
		.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
		.map(({ id, scope, leafId, createdAt, expiresAt }) => ({
			id,
			scope,
			...(leafId !== undefined && { leafId }),
			createdAt: new Date(createdAt).toISOString(),
			expiresAt: new Date(expiresAt).toISOString(),
		}));
	return { kind: "shares", shares, tag: hashOf(JSON.stringify(shares)).slice(0, 16) };
}

/** Ends a share at once: from now on its token is none. */
export async function revokeShare(
	call: Call,
	request: { readonly session: string; readonly shareId: string; readonly ifMatch?: Precondition },
): Promise<Refusal | { readonly kind: "revoked" }> {
	const { session, shareId, ifMatch } = request;
	const opened = await openSession(call, session);
	if (opened.kind === "refused") return opened;
	if (!holds(ifMatch, opened.view.length)) {
		return refuse("precondition_failed", `The session's version is ${opened.view.length}`);
	}
	const part = { namespace: call.namespace, session };
	const share = await findShare(call.scope.store, part, shareId);
	if (share === undefined) return refuse("not_found", "The session has no share with this id");
	await removeShare(call.scope.store, part, share);
	return { kind: "revoked" };
}
