import type * as vscode from "vscode";
import type { CliSession } from "../acp/cliSession.ts";
import type { CliSessions, HttpMcpServer } from "../acp/cliSessions.ts";
import type { SessionFiles } from "../acp/sessionFiles.ts";
import { createUsageMeter, type UsageMeter } from "../acp/usage.ts";
import { isFailure } from "../core/failure.ts";
import { confirmLoads } from "./cliPreflight.ts";
import { createCliSessionMap } from "./cliSessionMap.ts";

/** The session of the CLI that belongs to each chat. */
export interface CliChatSessions {
	/** Begins it, or goes on with it. Rejects with a `Failure`, also where the person does not want it. */
	open(
		chat: string,
		cwd: string,
		report: (text: string) => void,
	): Promise<{ readonly session: CliSession; readonly folder: string; readonly usage: UsageMeter }>;
	/** The next chat that is new goes on with this session. */
	resumeNext(id: string): void;
	/** The one that was used last. */
	latest(): CliSession | undefined;
}

export interface CliChatSessionsDeps {
	readonly sessions: CliSessions;
	readonly files: SessionFiles;
	readonly state: vscode.Memento;
	mcpAccess?(chat: string): Promise<readonly HttpMcpServer[]>;
}

export function createCliChatSessions(deps: CliChatSessionsDeps): CliChatSessions {
	const { sessions, files, state } = deps;
	const known = createCliSessionMap(state);
	const meters = new WeakMap<CliSession, UsageMeter>();
	let latest: CliSession | undefined;
	let wanted: string | undefined;
	return {
		open: async (chat, cwd, report) => {
			await confirmLoads(cwd, state);
			report("Asking the Copilot CLI");
			const setting = { cwd, mcpServers: (await deps.mcpAccess?.(chat)) ?? [] };
			const own = known.get(chat);
			const id = own ?? wanted;
			if (own === undefined) wanted = undefined;
			const loaded = id === undefined ? undefined : await ifThere(() => sessions.load(id, setting));
			const session = loaded?.session ?? (await sessions.create(setting));
			await known.set(chat, session.id);
			latest = session;
			const usage = meters.get(session) ?? createUsageMeter();
			meters.set(session, usage);
			return { session, folder: files.folderOf(session.id), usage };
		},
		resumeNext: (id) => {
			wanted = id;
		},
		latest: () => latest,
	};
}

/** A session whose files are gone is begun anew. */
async function ifThere<T>(load: () => Promise<T>): Promise<T | undefined> {
	try {
		return await load();
	} catch (thrown) {
		if (isFailure(thrown) && thrown.code === "NOT_FOUND") return undefined;
		throw thrown;
	}
}
