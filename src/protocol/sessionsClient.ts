import type { Memory } from "../core/session/memory.ts";
import type { Sessions } from "../core/session/session.ts";
import { ask, type Pipe } from "./pipe.ts";
import * as protocol from "./sessions.ts";

/** The sessions over a pipe. */
export function createSessionsClient(pipe: Pipe): Sessions {
	return {
		append: (id, entries, signal) =>
			ask(pipe, { type: protocol.appendToSession, params: { id, entries } }, signal),
		list: (query, signal) => ask(pipe, { type: protocol.listSessions, params: query }, signal),
		read: (id, signal) => ask(pipe, { type: protocol.readSession, params: { id } }, signal),
		search: (query, signal) => ask(pipe, { type: protocol.searchSessions, params: query }, signal),
		fork: (id, turns, signal) => ask(pipe, { type: protocol.forkSession, params: { id, turns } }, signal),
		delete: (id, signal) => ask(pipe, { type: protocol.deleteSession, params: { id } }, signal),
		restore: (id, signal) => ask(pipe, { type: protocol.restoreSession, params: { id } }, signal),
	};
}

/** What is remembered, over a pipe. */
export function createMemoryClient(pipe: Pipe): Memory {
	return {
		remember: (fact, signal) => ask(pipe, { type: protocol.remember, params: fact }, signal),
		recall: (query, signal) => ask(pipe, { type: protocol.recall, params: query }, signal),
		facts: (where, signal) => ask(pipe, { type: protocol.listFacts, params: where }, signal),
		edit: (id, text, signal) => ask(pipe, { type: protocol.editFact, params: { id, text } }, signal),
		forget: (id, signal) => ask(pipe, { type: protocol.forgetFact, params: { id } }, signal),
	};
}
