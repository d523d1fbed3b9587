import type * as vscode from "vscode";

export interface CliSessionMap {
	all(): ReadonlyMap<string, string>;
	get(chat: string): string | undefined;
	set(chat: string, session: string): Promise<void>;
}

const KEY = "cli.sessions";

/** Chats that are older begin anew. */
const CHATS = 1000;

export function createCliSessionMap(state: vscode.Memento): CliSessionMap {
	const entries = () => state.get<readonly [string, string][]>(KEY, []);
	return {
		all: () => new Map(entries()),
		get: (chat) => entries().find(([known]) => known === chat)?.[1],
		set: async (chat, session) => {
			const others = entries().filter(([known]) => known !== chat);
			await state.update(KEY, [...others, [chat, session]].slice(-CHATS));
		},
	};
}
