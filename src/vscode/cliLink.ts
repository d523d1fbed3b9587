import type * as vscode from "vscode";
import type { CliHistory } from "../acp/cliHistory.ts";
import type { HttpMcpServer } from "../acp/cliSessions.ts";
import type { Runner } from "../core/agentEvent.ts";
import type { Consents } from "../core/consents.ts";
import type { Permissions } from "../core/permission.ts";
import { once } from "./once.ts";

/** The Copilot CLI. The first use loads it. */
export interface CliLink extends CliHistory, vscode.Disposable {
	/** Answers in the session that belongs to a chat. */
	runnerFor(chat: string): Runner;
	/** Lets the person sign in to the CLI in a terminal; then asks the question again, where there is one. */
	signIn(question: unknown): Promise<void>;
	/** Shows a change that a call of the CLI made or wants to make. */
	openChange(id: unknown): Promise<void>;
	/** Lets the person choose the agent, the mode or the model of the session that was used last. */
	chooseOption(): Promise<void>;
	/** Lets the person choose a session of the CLI, also one from a terminal; a new chat goes on with it. */
	resume(): Promise<void>;
}

export interface CliLinkDeps {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: Permissions;
	/** Gets what the person allows the CLI once. */
	readonly consents: Pick<Consents, "give">;
	/** Our tools for a session of the CLI. */
	mcpAccess?(chat: string): Promise<readonly HttpMcpServer[]>;
}

export function createCliLink(deps: CliLinkDeps): CliLink {
	const engine = once(async (): Promise<CliLink> => {
		const { createCliEngine } = await import("./cliEngine.ts");
		return createCliEngine(deps);
	});
	return {
		list: async () => (await engine.get()).list(),
		read: async (session, own) => (await engine.get()).read(session, own),
		runnerFor: (chat) =>
			async function* run(request, signal) {
				yield* (await engine.get()).runnerFor(chat)(request, signal);
			},
		signIn: async (question) => (await engine.get()).signIn(question),
		openChange: async (id) => (await engine.get()).openChange(id),
		chooseOption: async () => (await engine.get()).chooseOption(),
		resume: async () => (await engine.get()).resume(),
		dispose: () => void engine.peek()?.then((started) => started.dispose()),
	};
}
