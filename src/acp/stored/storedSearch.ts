import { stat } from "node:fs/promises";
import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
import { textOf } from "../../base/values.ts";
import type { SessionHit, SessionSummary } from "../../core/session/session.ts";
import { readStoredEvents, type StoredSessions } from "./storedSessions.ts";

interface Message {
	readonly turn: number;
	readonly role: SessionHit["role"];
	readonly text: string;
}

const MOST_KEPT = 20_000_000;
const EXCERPT = 200;
const BEFORE = 60;
const LEAST_SHARE = 0.5;
/** Weight of words in the score, as for our own messages; stored messages have no other score. */
const WORDS_WEIGHT = 0.5;

/** Searches questions and answers by words, best first. Caches messages until their file changes. */
export function createStoredSearch({ eventsOf }: StoredSessions) {
	const kept = createBoundedMap<string, { readonly stamp: string; readonly messages: readonly Message[] }>(
		MOST_KEPT,
		({ messages }) => messages.reduce((sum, { text }) => sum + text.length, 0),
	);
	const messagesOf = async (id: string, signal: AbortSignal): Promise<readonly Message[]> => {
		const found = await stat(eventsOf(id)).catch(() => undefined);
		const stamp = `${found?.mtimeMs} ${found?.size}`;
		const before = kept.get(id);
		if (before?.stamp === stamp) return before.messages;
		const messages = await readMessages(eventsOf(id), signal);
		kept.set(id, { stamp, messages });
		return messages;
	};
	return async (text: string, sessions: readonly SessionSummary[], signal: AbortSignal) => {
		const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
		if (words.length === 0) return [];
		const hits: SessionHit[] = [];
		for (const session of sessions) {
			signal.throwIfAborted();
			const messages = await messagesOf(session.id, signal);
			hits.push(...messages.flatMap((message) => matchOf(session, message, words)));
		}
		return hits.sort((a, b) => b.score - a.score || b.session.updatedAt - a.session.updatedAt);
	};
}

async function readMessages(file: string, signal: AbortSignal): Promise<Message[]> {
	const messages: Message[] = [];
	let turn = -1;
	try {
		for await (const event of readStoredEvents(file, ["user.message", "assistant.message"], signal)) {
			if (event.type === "user.message") turn++;
			const text = textOf(event.data, "content")?.trim() ?? "";
			const role = event.type === "user.message" ? "question" : "answer";
			if (text !== "" && turn >= 0) messages.push({ turn, role, text });
		}
	} catch {
		signal.throwIfAborted();
		// Search the messages that were read so far.
	}
	return messages;
}

function matchOf(session: SessionSummary, { turn, role, text }: Message, words: readonly string[]) {
	const folded = text.toLowerCase();
	const places = words.map((word) => folded.indexOf(word)).filter((index) => index >= 0);
	const share = places.length / words.length;
	if (share < LEAST_SHARE) return [];
	return [
		{ session, turn, role, excerpt: excerptOf(text, Math.min(...places)), score: WORDS_WEIGHT * share },
	];
}

function excerptOf(text: string, at: number): string {
	const from = Math.max(0, at - BEFORE);
	const to = Math.min(text.length, from + EXCERPT);
	const line = text.slice(from, to).replace(/\s+/g, " ").trim();
	return `${from > 0 ? "…" : ""}${line}${to < text.length ? "…" : ""}`;
}
