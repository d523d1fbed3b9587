import type * as vscode from "vscode";
import type { CliHistory } from "../../acp/turn/session/cliHistory.ts";
import type { SlashCommand } from "../../acp/turn/session/cliSession.ts";
import type { HttpMcpServer } from "../../acp/turn/session/cliSessions.ts";
import type { TurnObserver } from "../../agent/loop/tracedTurn.ts";
import type { Lazy } from "../../base/jobs/lazily.ts";
import type { Recorder } from "../../base/traces/recorder.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { StepGrant } from "../../core/agent/mcpEndpoint.ts";
import type { StepEngine } from "../../core/agent/stepEngine.ts";
import type { TurnHooks } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { Consents } from "../../permissions/consents.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import type { ShownCall } from "../permissions/permissionPick.ts";
import type { Questions } from "../permissions/questions.ts";
import type { VirtualDocuments } from "../registerEach.ts";
import type { WantedOption } from "./chosenOptions.ts";

/** The Copilot CLI. The first use loads its engine. */
export interface CliLink extends Lazy<CliEngine> {
	/** The session of the CLI that belongs to each chat. */
	chats(): ReadonlyMap<string, string>;
	bind(chat: string, session: string): Promise<void>;
	engine(): Promise<CliEngine>;
	readonly history: CliHistory;
	dispose(): void;
}

export interface CliEngine {
	dispose(): void;
	/** Its sessions, from the disk: none of it starts the CLI. */
	readonly history: CliHistory;
	runnerFor(chat: string): Runner;
	/** Whether a tool that the session of a chat calls so is a command of a plugin, which our own server offers it. */
	hasCommand(chat: string, tool: string): boolean;
	/** Rejects with a `Failure` if the CLI is not there, or too old. Starts nothing. */
	find(): Promise<void>;
	/** Runs steps of chains, each in a session of its own. */
	readonly steps: StepEngine;
	/** Lets the person sign in to the CLI in a terminal; then asks the question again, if there is one. */
	signIn(question: unknown): Promise<void>;
	openChange(id: unknown): Promise<void>;
	showOutput(id: unknown): Promise<void>;
	chooseOption(chat?: unknown): Promise<void>;
	/** The same, as the person typed it. Rejects with a `Failure` that names what there is. */
	choose(chat: string, wanted: readonly WantedOption[]): Promise<void>;
	/** What the session of a chat works with, in one line; `undefined` if it is not open. */
	choices(chat: string): Promise<string | undefined>;
	/** Starts the CLI before it is asked, where nothing speaks against that. */
	startAhead(): Promise<void>;
	/** The CLI's own commands in the session that was used last. Rejects with a `Failure` if there is none. */
	commands(): Promise<readonly SlashCommand[]>;
	/** Lets the person choose among all sessions of the CLI, also those from a terminal; resolves with the id. */
	pickSession(): Promise<string | undefined>;
}

export interface CliLinkDeps {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	/** Hears what goes over the wire, without what it says. */
	readonly recorder: Recorder;
	readonly permissions: Permissions;
	readonly consents: Consents;
	readonly questions: Questions;
	readonly askPerson: AskPerson<ShownCall>;
	readonly documents: VirtualDocuments;
	readonly turnHooks: TurnHooks;
	readonly traces: TurnObserver;
	mcpAccess(chat: string, step?: StepGrant): Promise<readonly HttpMcpServer[]>;
}
