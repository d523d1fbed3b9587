import type * as vscode from "vscode";

/** Which session of the CLI belongs to which chat; kept for this workspace. */
export interface CliSessionMap {
	get(chat: string): string | undefined;
	set(chat: string, session: string): Promise<void>;
}

const KEY = "cli.sessions";

/** Chats that are older begin anew. */
const CHATS = 200;

export function createCliSessionMap(state: vscode.Memento): CliSessionMap {
	const entries = () => state.get<readonly [string, string][]>(KEY, []);
	return {
		get: (chat) => entries().find(([known]) => known === chat)?.[1],
		set: async (chat, session) => {
			const others = entries().filter(([known]) => known !== chat);
			await state.update(KEY, [...others, [chat, session]].slice(-CHATS));
		},
	};
}
