import * as vscode from "vscode";
import { createAcpClient } from "../../acp/link/acpClient.ts";
import { startCallHooks } from "../../acp/link/callHooks.ts";
import { createIdleStop } from "../../acp/link/idleStop.ts";
import { createSessionFiles, createStoredSessions } from "../../acp/stored/storedSessions.ts";
import { type CliStepsDeps, createCliRunner, createCliSteps } from "../../acp/turn/cliRunner.ts";
import type { CliQuestion } from "../../acp/turn/guard/permissionDesk.ts";
import { createCliHistory } from "../../acp/turn/session/cliHistory.ts";
import { type CliSession, mayAllowAll } from "../../acp/turn/session/cliSession.ts";
import { createCliSessions, type HttpMcpServer } from "../../acp/turn/session/cliSessions.ts";
import { hooked, hookedStep, inUse } from "../../agent/loop/middleware.ts";
import { type Middleware, measuredCalls, runTurn, traced } from "../../agent/loop/runTurn.ts";
import type { TurnObserver } from "../../agent/loop/turnTracer.ts";
import { Failure, messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { StepEngine, StepGrant, TurnHooks } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { cliHome } from "../../loads/cliHome.ts";
import type { Consents } from "../../permissions/consents.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { folderPaths } from "../folders.ts";
import type { ShownCall } from "../permissions/permissionPick.ts";
import type { Questions } from "../permissions/questions.ts";
import type { VirtualDocuments } from "../registerEach.ts";
import { setting } from "../settings.ts";
import { type CliCalls, createCliCalls } from "./calls.ts";
import { createCliChatSessions, rulesPlace } from "./chatSessions.ts";
import { chosenOptions, findChoice, optionsLine, type WantedOption } from "./chosenOptions.ts";
import type { CliSessionMap } from "./cliState.ts";
import { areLoadsConfirmed, locateCli, openCli, signInToCli } from "./program.ts";

const TRASH_MS = 7 * 24 * 60 * 60 * 1000;

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

export function createCliEngine(deps: CliLinkDeps, known: CliSessionMap) {
	const { client, hooks, history, chats, idle } = createParts(deps, known);
	const calls = createCliCalls(deps.documents);
	const turnDeps = async (session: string) => ({
		permissions: deps.permissions,
		turnHooks: deps.turnHooks,
		askPerson: createAsking(deps, calls, session),
		// A server in the settings was started by someone else, without our hooks.
		...(setting("cli.server") === "" && { hooks: await hooks.get() }),
		onEvent: calls.note,
	});
	const open = (chat: string, report: (text: string) => void) =>
		idle.during(() => chats.open(chat, workFolder(), report));
	const sessionOf = async (chat = chats.latest()) => (await open(chat, () => undefined)).session;
	const runnerFor = async (chat: string): Promise<Runner> =>
		createCliRunner({ ...(await turnDeps(chat)), chat, openSession: (report) => open(chat, report) });
	const atWork = (session: string) => [named(deps, session), inUse(idle)];
	const openStep: CliStepsDeps["openStep"] = (session, step, { folder = workFolder() }) =>
		chats.openStep(session, folder, step);
	const whileAtWork = (session: string, run: Runner) => runTurn(() => run, atWork(session));
	const steps = createCliSteps({ runnerDeps: turnDeps, folders: folderPaths, openStep, whileAtWork });
	const measured = [traced("cli", deps.traces), measuredCalls];
	const measuredSteps: StepEngine = {
		kind: "cli",
		runnerFor: (step) =>
			runTurn(() => steps.runnerFor(step), [hookedStep(deps.turnHooks, step.chain), ...measured]),
	};
	const found = once(() => locateCli(deps.context));
	return {
		/** Rejects with a `Failure` if the CLI is missing or too old. Does not start the CLI. */
		find: async () => void (setting("cli.server") === "" && (await found.get())),
		steps: measuredSteps,
		/** The CLI's sessions, read from disk without starting the CLI. */
		history,
		runnerFor: (chat: string): Runner =>
			runTurn(() => runnerFor(chat), [hooked(deps.turnHooks), ...measured, ...atWork(chat)]),
		...createChoices(sessionOf, chats.opened),
		signIn: (question: unknown) => idle.during(() => signInToCli(client, question)),
		openChange: calls.openChange,
		showOutput: calls.showOutput,
		startAhead: async () => {
			if (await areLoadsConfirmed(workFolder(), deps.context.workspaceState))
				await idle.during(() => client.ensureStarted());
		},
		dispose: () => {
			idle.dispose();
			void client.stop().then(async () => (await hooks.peek())?.stop());
		},
	};
}

function createParts({ context, log, permissions, mcpAccess }: CliLinkDeps, known: CliSessionMap) {
	const files = createSessionFiles(cliHome(process.env));
	const hooks = once(startCallHooks);
	const client = createAcpClient({
		open: () => openCli(context, log, hooks.get),
		version: context.extension.packageJSON.version,
	});
	const allowsAll = async (session: string, cwd: string) =>
		mayAllowAll(permissions, { session, workspace: await rulesPlace(cwd) });
	const sessions = createCliSessions({ client, files, mayAllowAll: allowsAll });
	const state = context.workspaceState;
	const chats = createCliChatSessions({ sessions, files, state, known, permissions, mcpAccess });
	const idle = createIdleStop({
		idleMs: () => setting("cli.idleMinutes") * 60_000,
		stop: async () => {
			log.info("The GitHub Copilot CLI is stopped: nobody has used it for a while.");
			await client.stop();
		},
	});
	// Not awaited: if the trash cannot be emptied, the next start tries again.
	files.emptyTrash(Date.now() - TRASH_MS).catch((thrown: unknown) => log.warn(messageOf(thrown)));
	const history = createCliHistory(
		sessions,
		createStoredSessions(files, (path) => vscode.Uri.file(path).toString()),
	);
	return { client, hooks, history, chats, idle };
}

function createChoices(
	/** Opens the session of the given chat, or of the chat that used the CLI last. */
	sessionOf: (chat?: string) => Promise<CliSession>,
	opened: (chat: string) => CliSession | undefined,
) {
	return {
		/** Lists the CLI's own commands in the last used session. Rejects with a `Failure` if there is none. */
		commands: async () => (await sessionOf()).commands(),
		/** Whether a tool in a chat's session is a plugin command, offered by our MCP server. */
		hasCommand: (chat: string, tool: string) => opened(chat)?.hasCommand(tool) ?? false,
		chooseOption: async (chat?: unknown) => {
			const session = await sessionOf(typeof chat === "string" ? chat : undefined);
			await pickOption(session);
		},
		choose: async (chat: string, wanted: readonly WantedOption[]) => {
			const session = await sessionOf(chat);
			for (const each of wanted) {
				const { id, value } = findChoice(session.options(), each);
				await session.setOption(id, value);
			}
		},
		/** Returns a line with the options of a chat's session; `undefined` if the session is not open. */
		choices: async (chat: string) => {
			const session = opened(chat);
			return session && optionsLine(session.options());
		},
	};
}

/** Keeps the user's consent, because our endpoint decides again if the call is one of our tools. */
function createAsking(
	{ askPerson, consents }: CliLinkDeps,
	calls: CliCalls,
	chat: string,
): AskPerson<CliQuestion> {
	return async ({ callId, ...call }, signal) => {
		const change = calls.hasChange(callId) && { openChange: () => calls.openChange(callId) };
		const answer = await askPerson({ ...call, canStop: true, ...change }, signal);
		if (answer?.kind === "once" && !signal.aborted) consents.give(chat, call.request.tool);
		return answer;
	};
}

/** Names a session after the user's last question, and revokes consents to single calls after the turn. */
function named({ questions, consents }: CliLinkDeps, chat: string): Middleware {
	return ({ request }) => {
		questions.name(chat, request.question);
		return { end: () => consents.forget(chat) };
	};
}

function workFolder(): string {
	const [folder] = folderPaths();
	if (folder !== undefined) return folder;
	const advice = vscode.l10n.t("Open a folder first: the Copilot CLI works in the open folder.");
	throw new Failure("NO_FOLDER", advice);
}

async function pickOption(session: CliSession): Promise<void> {
	const items = chosenOptions(session.options()).flatMap(
		({ id, name, value, choices }): (vscode.QuickPickItem & Partial<WantedOption>)[] => [
			{ label: name, kind: vscode.QuickPickItemKind.Separator },
			...choices.map((choice) => ({
				label: visibleText(choice.name),
				description: choice.value === value ? vscode.l10n.t("current") : "",
				id,
				value: choice.value,
			})),
		],
	);
	const placeHolder = vscode.l10n.t("Select what the Copilot CLI uses in this chat");
	const chosen = await vscode.window.showQuickPick(items, { placeHolder });
	if (chosen?.id !== undefined && chosen.value !== undefined)
		await session.setOption(chosen.id, chosen.value);
}
