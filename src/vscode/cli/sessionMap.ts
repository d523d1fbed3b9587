import type * as vscode from "vscode";

export type CliSessionMap = ReturnType<typeof createCliSessionMap>;

const KEY = "cli.sessions";

/** Maximum number of chats that keep their session; older chats start a new session. */
const CHATS = 1000;

export function createCliSessionMap(state: vscode.Memento) {
	const entries = () => state.get<readonly [string, string][]>(KEY, []);
	const all = () => new Map(entries());
	return {
		all,
		get: (chat: string) => all().get(chat),
		set: async (chat: string, session: string) => {
			const others = entries().filter(([known]) => known !== chat);
			await state.update(KEY, [...others, [chat, session]].slice(-CHATS));
		},
	};
}
