import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import type { SessionReader, Sessions, TranscriptTurn } from "../../core/session/session.ts";
import { workspaceUri } from "../folders.ts";

export interface TurnName {
	readonly session: string;
	/** Time of the question, in milliseconds since 1970. */
	readonly at: number;
}

/** Parses the arguments of a link under an answer; `undefined` if they name no turn. */
export function turnNameOf(session: unknown, at: unknown): TurnName | undefined {
	return typeof session === "string" && typeof at === "number" ? { session, at } : undefined;
}

export async function readTurn(sessions: SessionReader, { session, at }: TurnName): Promise<TranscriptTurn> {
	const { turns } = await sessions.read(session, new AbortController().signal);
	const turn = turns.find((each) => each.at === at);
	if (!turn) throw new Failure("NOT_FOUND", l10n.t("This turn is no longer available. Ask again."));
	return turn;
}

const RECENT_SESSIONS = 100;

/** Finds something in the named turn, or else in the last turn for which `find` succeeds. */
export async function findInTurn<Found>(
	sessions: Sessions,
	[session, at]: readonly unknown[],
	find: (turn: TranscriptTurn) => Found | undefined,
	missing = l10n.t("Ask @copilot-ld a question first."),
): Promise<Found> {
	const name = turnNameOf(session, at);
	const turns = name ? [await readTurn(sessions, name)] : await lastTurns(sessions);
	const last = turns.toReversed().values().map(find);
	const found = last.find((one) => one !== undefined);
	if (found === undefined) throw new Failure("NOT_FOUND", missing);
	return found;
}

export function answered(turn: TranscriptTurn): TranscriptTurn | undefined {
	return turn.answer === "" ? undefined : turn;
}

async function lastTurns(sessions: Sessions): Promise<readonly TranscriptTurn[]> {
	const { signal } = new AbortController();
	const page = await sessions.list({ workspace: workspaceUri(), limit: RECENT_SESSIONS }, signal);
	const session = page.sessions.find(({ engine }) => engine !== "mcp");
	return session ? (await sessions.read(session.id, signal)).turns : [];
}
