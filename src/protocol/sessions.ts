import { NotificationType, RequestType } from "vscode-jsonrpc";
import type { AtDoor } from "../core/permission/door.ts";
import type { Fact, NewFact, RecallQuery, Recollection, Remembered } from "../core/session/memory.ts";
import type {
	JournalEntry,
	SessionChange,
	SessionHit,
	SessionPage,
	SessionQuery,
	Transcript,
} from "../core/session/session.ts";
import type { FailureData } from "./worker.ts";

/** A session, or a fact. */
export interface IdParams {
	readonly id: string;
}

export interface AppendParams extends IdParams {
	readonly entries: readonly JournalEntry[];
}

export interface ForkParams extends IdParams {
	readonly turns: number;
}

export interface EditParams extends IdParams {
	readonly text: string;
}

/** Where facts hold. */
export interface FactsParams {
	readonly workspace: string;
	readonly session?: string;
}

export const appendToSession = new RequestType<AppendParams, void, FailureData>("copilot-ld/sessions/append");
export const listSessions = new RequestType<SessionQuery, SessionPage, FailureData>(
	"copilot-ld/sessions/list",
);
export const readSession = new RequestType<IdParams, Transcript, FailureData>("copilot-ld/sessions/read");
export const searchSessions = new RequestType<
	SessionQuery & { readonly text: string },
	readonly SessionHit[],
	FailureData
>("copilot-ld/sessions/search");
export const forkSession = new RequestType<ForkParams, string, FailureData>("copilot-ld/sessions/fork");
export const deleteSession = new RequestType<IdParams, void, FailureData>("copilot-ld/sessions/delete");
export const restoreSession = new RequestType<IdParams, void, FailureData>("copilot-ld/sessions/restore");

export const remember = new RequestType<NewFact, Remembered, FailureData>("copilot-ld/memory/remember");
export const recall = new RequestType<AtDoor<RecallQuery>, readonly Recollection[], FailureData>(
	"copilot-ld/memory/recall",
);
export const listFacts = new RequestType<FactsParams, readonly Fact[], FailureData>(
	"copilot-ld/memory/facts",
);
export const editFact = new RequestType<EditParams, Fact, FailureData>("copilot-ld/memory/edit");
export const forgetFact = new RequestType<IdParams, void, FailureData>("copilot-ld/memory/forget");

/** The worker tells what has become of the sessions that it changed. */
export const sessionsChanged = new NotificationType<{ readonly changes: readonly SessionChange[] }>(
	"copilot-ld/sessions/changed",
);
