import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import type { SessionReader, Sessions, TranscriptTurn } from "../../core/session/session.ts";
import { workspaceUri } from "../folders.ts";

export interface TurnName {
	readonly session: string;
	/** When it was asked; milliseconds since 1970. */
	readonly at: number;
}

/** What a link under an answer carries; `undefined` if it is something else. */
export function turnNameOf(session: unknown, at: unknown): TurnName | undefined {
	return typeof session === "string" && typeof at === "number" ? { session, at } : undefined;
}

/** The turns that links under answers name; without a name, the one that was noted last. */
export function createNamedTurns(sessions: SessionReader) {
	let last: TurnName | undefined;
	return {
		note: (turn: TurnName) => {
			last = turn;
		},
		read: async (session: unknown, at: unknown): Promise<TranscriptTurn> => {
			const name = turnNameOf(session, at) ?? last;
			if (!name) throw askFirst();
			return readTurn(sessions, name);
		},
	};
}

export function askFirst(): Failure {
	return new Failure("NOT_FOUND", l10n.t("Ask @copilot-ld a question first."));
}

export async function readTurn(sessions: SessionReader, { session, at }: TurnName): Promise<TranscriptTurn> {
	const { turns } = await sessions.read(session, new AbortController().signal);
	const turn = turns.find((each) => each.at === at);
	if (!turn) throw new Failure("NOT_FOUND", l10n.t("This turn is no longer available. Ask again."));
	return turn;
}

const RECENT_SESSIONS = 100;

/** The turns of the last session in this workspace. What other programs asked was not asked here. */
export async function lastTurns(sessions: Sessions, signal: AbortSignal): Promise<readonly TranscriptTurn[]> {
	const page = await sessions.list({ workspace: workspaceUri(), limit: RECENT_SESSIONS }, signal);
	const session = page.sessions.find(({ engine }) => engine !== "mcp");
	return session ? (await sessions.read(session.id, signal)).turns : [];
}
