import type * as vscode from "vscode";
import { fieldOf, textOf } from "../../base/values.ts";

/** Our session for a chat of VS Code, from what VS Code passes beside its API. Without that, a call belongs to no session. */
export type ChatOrigins = ReturnType<typeof createChatOrigins>;

interface Chat {
	readonly session: string;
	readonly model?: vscode.LanguageModelChat;
}

export function createChatOrigins() {
	const chats = new Map<string, Chat>();
	return {
		/** The chat that a request's token is of is this session, and the person chose this model in it. */
		note: (origin: unknown, session: string, model?: vscode.LanguageModelChat) => {
			const chat = chatOf(origin);
			if (chat !== undefined) chats.set(chat, { session, ...(model && { model }) });
		},
		/** A name for the chat, whosesoever it is; `undefined` if VS Code does not tell. */
		chatOf,
		sessionOf: (origin: unknown) => chats.get(chatOf(origin) ?? "")?.session,
		/** What the person chose in the last request of the chat that we saw. */
		modelOf: (origin: unknown) => chats.get(chatOf(origin) ?? "")?.model,
		turnOf: (origin: unknown) => textOf(origin, "chatRequestId"),
	};
}

/** The token of a request and of a call has one name for the chat, the announcement of a call another. */
function chatOf(origin: unknown): string | undefined {
	const resource = fieldOf(origin, "sessionResource") ?? fieldOf(origin, "chatSessionResource");
	const [scheme, path] = [textOf(resource, "scheme"), textOf(resource, "path")];
	if (scheme === undefined || path === undefined) return undefined;
	return JSON.stringify([scheme, textOf(resource, "authority") ?? "", path, textOf(resource, "query") ?? ""]);
}
