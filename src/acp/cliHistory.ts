import type { SessionSummary, Transcript, TranscriptTurn } from "../core/session.ts";
import type { CliSessions, HttpMcpServer } from "./cliSessions.ts";
import { mergeReplay } from "./mergeReplay.ts";

/** The CLI's sessions, also those that were made in a terminal, as our own are shown. */
export interface CliHistory {
	/** Used last, first. `turns` and `tokens` are not known before a session is read. */
	list(): Promise<readonly SessionSummary[]>;
	/** `own` is what our journal knows of it. */
	read(session: SessionSummary, own: readonly TranscriptTurn[]): Promise<Transcript>;
}

/** `toUri` and `toPath` bring folders into the words of the editor and back. */
export interface FolderNames {
	toUri(path: string): string;
	toPath(uri: string): string;
}

const NO_SERVERS: readonly HttpMcpServer[] = [];

export function createCliHistory(sessions: CliSessions, { toUri, toPath }: FolderNames): CliHistory {
	return {
		list: async () =>
			(await sessions.list()).map(({ id, title, cwd, updatedAt }) => ({
				id,
				title,
				engine: "cli",
				workspace: toUri(cwd),
				createdAt: updatedAt,
				updatedAt,
				turns: 0,
				tokens: 0,
				archived: false,
			})),
		read: async (session, own) => {
			const setting = { cwd: toPath(session.workspace), mcpServers: NO_SERVERS };
			const { replay } = await sessions.load(session.id, setting);
			const turns = mergeReplay(own, replay);
			const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0);
			return { session: { ...session, turns: turns.length, tokens }, turns };
		},
	};
}
