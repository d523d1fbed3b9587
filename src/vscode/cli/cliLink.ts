import * as vscode from "vscode";
import type { CliHistory } from "../../acp/turn/session/cliHistory.ts";
import type { SlashCommand } from "../../acp/turn/session/cliSession.ts";
import type { HttpMcpServer } from "../../acp/turn/session/cliSessions.ts";
import { citeEvents } from "../../agent/loop/citationStream.ts";
import type { TurnObserver } from "../../agent/loop/runTurn.ts";
import { isFailure } from "../../base/failure.ts";
import type { Lazy } from "../../base/jobs/lazily.ts";
import { escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import { OUR_TOOLS_ON_CLI } from "../../core/agent/ourTools.ts";
import type { StepEngine, StepGrant, TurnHooks } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { SessionSummary } from "../../core/session/session.ts";
import type { Consents } from "../../permissions/consents.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { beginChat } from "../models/sendToChat.ts";
import type { ShownCall } from "../permissions/permissionPick.ts";
import type { Questions } from "../permissions/questions.ts";
import type { VirtualDocuments } from "../registerEach.ts";
import { readReferences } from "../turn/attachments.ts";
import { citedIn, historySinceCli } from "../turn/chatHistory.ts";
import type { ChatTurn } from "../turn/turnRecord.ts";
import { readWanted, type WantedOption } from "./chosenOptions.ts";
import { createCliEventView } from "./eventView.ts";

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
	/** Runs steps of chains, each in a separate session. */
	readonly steps: StepEngine;
	/** Lets the user sign in to the CLI in a terminal; then asks the given question again, if any. */
	signIn(question: unknown): Promise<void>;
	openChange(id: unknown): Promise<void>;
	showOutput(id: unknown): Promise<void>;
	chooseOption(chat?: unknown): Promise<void>;
	/** The same, as typed by the user. Rejects with a `Failure` that lists the choices. */
	choose(chat: string, wanted: readonly WantedOption[]): Promise<void>;
	/** What the session of a chat works with, in one line; `undefined` if it is not open. */
	choices(chat: string): Promise<string | undefined>;
	/** Starts the CLI before the first question, if nothing prevents that. */
	startAhead(): Promise<void>;
	/** The CLI's own commands in the session that was used last. Rejects with a `Failure` if there is none. */
	commands(): Promise<readonly SlashCommand[]>;
	/** Lets the user choose among all sessions of the CLI, including those from a terminal. */
	pickSession(): Promise<SessionSummary | undefined>;
}

export interface CliLinkDeps {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: Permissions;
	readonly consents: Consents;
	readonly questions: Questions;
	readonly askPerson: AskPerson<ShownCall>;
	readonly documents: VirtualDocuments;
	readonly turnHooks: TurnHooks;
	readonly traces: TurnObserver;
	mcpAccess(chat: string, step?: StepGrant): Promise<readonly HttpMcpServer[]>;
}

export async function answerOnCli(
	cli: CliLink,
	{ request, prompt, context, stream, session, show, steering }: ChatTurn,
	/** The user's instructions for every answer of the session. */
	instructions: string,
	signal: AbortSignal,
): Promise<void> {
	const view = createCliEventView(stream);
	const { wanted, question } = readWanted(prompt);
	try {
		const engine = await cli.engine();
		if (wanted.length > 0) await engine.choose(session, wanted);
		if (question === "") return;
		const { attachments, images } = await readReferences(request.references);
		const history = historySinceCli(context);
		const asked = { question, history, instructions, steering, attachments, images };
		const told = engine.runnerFor(session)(asked, signal);
		const isOurs = (tool: string) => OUR_TOOLS_ON_CLI.has(tool) || engine.hasCommand(session, tool);
		for await (const event of citeEvents(told, { before: citedIn(context), isOurs })) {
			view.before(event);
			show(event);
			view.show(event);
		}
	} catch (thrown) {
		if (isFailure(thrown)) offerRemedies(thrown.code, prompt, stream);
		throw thrown;
	} finally {
		view.end();
	}
}

/** Shows with which agent, mode and model it was answered. After a button VS Code takes what follows for the answer and folds the rest. */
export async function offerChoices(
	cli: CliLink,
	session: string,
	stream: vscode.ChatResponseStream,
): Promise<void> {
	const title = await cli.choices(session);
	if (title) stream.button({ command: "copilot-ld.chooseCliOption", title, arguments: [session] });
}

function offerRemedies(code: string, question: string, stream: vscode.ChatResponseStream): void {
	if (code === "CLI_SIGN_IN")
		stream.button({
			command: "copilot-ld.signInToCli",
			title: vscode.l10n.t("Sign In"),
			arguments: [`@copilot-ld /cli ${question}`],
		});
	// Another model can answer the same question.
	if (code === "MODEL_FAILED" || code.startsWith("CLI_"))
		stream.button({
			command: "workbench.action.chat.open",
			title: vscode.l10n.t("Ask Without the CLI"),
			arguments: [{ query: `@copilot-ld ${question}` }],
		});
}

type Commands = { readonly commands: CliLink["commands"] };

export async function showCliCommands(cli: Commands, stream: vscode.ChatResponseStream): Promise<void> {
	const lines = (await usable(cli)).map(
		({ name, description }) => `- \`/cli /${name}\` ${escapeMarkdown(description)}`,
	);
	stream.markdown(
		`${vscode.l10n.t("Commands of the Copilot CLI in this session:")}\n\n${lines.join("\n")}\n\n`,
	);
	stream.button({ command: "copilot-ld.chooseCliCommand", title: vscode.l10n.t("Choose Command") });
}

export async function chooseCliCommand(cli: Commands): Promise<void> {
	const items = (await usable(cli)).map(({ name, description }) => ({
		label: `/${name}`,
		detail: visibleText(description.replace(/\s+/g, " ").trim()),
	}));
	const options = { placeHolder: vscode.l10n.t("Select a command of the Copilot CLI"), matchOnDetail: true };
	const chosen = await vscode.window.showQuickPick(items, options);
	if (!chosen) return;
	await beginChat(`@copilot-ld /cli ${chosen.label} `);
}

/** A folder may add commands: names that are more than a word are not shown to the user. */
async function usable(cli: Commands): Promise<SlashCommand[]> {
	const commands = (await cli.commands()).filter(({ name }) => /^[\p{L}\p{N}_:.-]+$/u.test(name));
	return commands.sort((a, b) => a.name.localeCompare(b.name));
}
