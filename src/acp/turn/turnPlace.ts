import type { PromptResponse } from "@agentclientprotocol/sdk";
import { fieldOf, numberOf } from "../../base/values.ts";
import type { SessionFiles } from "../stored/storedSessions.ts";
import type { CliSession } from "./session/cliSession.ts";
import type { CliSessions } from "./session/cliSessions.ts";

export interface TurnPlace {
	readonly session: CliSession;
	readonly folder: string;
	readonly usage: UsageMeter;
	/** URI of the window's first folder; empty if there is none. */
	readonly workspace: string;
}

export interface StepPlace extends TurnPlace {
	close(): Promise<void>;
}

/** Opens a session for a single step; rules treat it as part of `workspace`. */
export async function openStepPlace(
	{ sessions, files }: { readonly sessions: CliSessions; readonly files: SessionFiles },
	{ cwd, mcpServers, workspace }: Parameters<CliSessions["create"]>[0] & { readonly workspace: string },
): Promise<StepPlace> {
	const session = await sessions.create({ cwd, mcpServers });
	const folder = files.folderOf(session.id);
	const close = () => sessions.close(session.id);
	return { session, folder, usage: createUsageMeter(), workspace, close };
}

/** Computes the tokens of a single turn, because the agent reports totals over all turns of a session. */
export type UsageMeter = ReturnType<typeof createUsageMeter>;

export function createUsageMeter() {
	let before = { inputTokens: 0, outputTokens: 0 };
	return {
		read: (answer: PromptResponse) => {
			const usage = fieldOf(answer, "usage");
			const inputTokens = numberOf(usage, "inputTokens");
			const outputTokens = numberOf(usage, "outputTokens");
			if (inputTokens === undefined || outputTokens === undefined) return undefined;
			const event = {
				kind: "usage" as const,
				inputTokens: Math.max(0, inputTokens - before.inputTokens),
				outputTokens: Math.max(0, outputTokens - before.outputTokens),
			};
			before = { inputTokens, outputTokens };
			return event;
		},
	};
}
