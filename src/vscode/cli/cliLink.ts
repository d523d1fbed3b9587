import type * as vscode from "vscode";
import type { CliHistory } from "../../acp/turn/cliHistory.ts";
import type { SlashCommand } from "../../acp/turn/cliSession.ts";
import type { HttpMcpServer } from "../../acp/turn/cliSessions.ts";
import type { Recorder } from "../../base/recorder.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { Consents } from "../../permissions/consents.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import type { ShownCall } from "../permissions/permissionPick.ts";
import type { Questions } from "../permissions/questions.ts";

/** The Copilot CLI. The first use loads it. */
export interface CliLink extends vscode.Disposable {
	/** Its sessions, from the disk: none of it starts the CLI. */
	readonly history: CliHistory;
	/** The session of the CLI that belongs to each chat. */
	chats(): ReadonlyMap<string, string>;
	/** Answers in the session that belongs to a chat. */
	runnerFor(chat: string): Runner;
	/** Lets the person sign in to the CLI in a terminal; then asks the question again, where there is one. */
	signIn(question: unknown): Promise<void>;
	/** Shows a change that a call of the CLI made or wants to make. */
	openChange(id: unknown): Promise<void>;
	/** Lets the person choose the agent, the mode or the model of the session that was used last. */
	chooseOption(): Promise<void>;
	/** The CLI's own commands in the session that was used last. Rejects with a `Failure` where there is none. */
	commands(): Promise<readonly SlashCommand[]>;
	/** Lets a new chat go on with a session of the CLI, also one from a terminal; without an id the person chooses. */
	resume(id?: string): Promise<void>;
}

/** The CLI, once it is loaded. */
export type CliEngine = Omit<CliLink, "chats">;

export interface CliLinkDeps {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	/** Hears what goes over the wire, without what it says. */
	readonly recorder: Recorder;
	readonly permissions: Permissions;
	/** Gets what the person allows the CLI once, for the turn that they allow it in. */
	readonly consents: Pick<Consents, "give" | "forget">;
	/** Learns what the person calls a session. */
	readonly questions: Pick<Questions, "name">;
	readonly askPerson: AskPerson<ShownCall>;
	/** Our tools for a session of the CLI. */
	mcpAccess?(chat: string): Promise<readonly HttpMcpServer[]>;
}
