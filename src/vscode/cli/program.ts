import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { type AcpClient, loginOf } from "../../acp/link/acpClient.ts";
import type { CallHooks } from "../../acp/link/callHooks.ts";
import { startCli } from "../../acp/link/cliProcess.ts";
import { type FoundCli, findCli } from "../../acp/link/findCli.ts";
import { connectToServer } from "../../acp/link/tcpLink.ts";
import { folderLoads, homeLoads, type Loads, START_CLI } from "../../acp/loads/preflight.ts";
import { Failure } from "../../base/failure.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { cliHome } from "../../loads/cliHome.ts";
import { confirmLines } from "../confirmLines.ts";
import { told } from "../l10n.ts";
import { sendToChat } from "../models/passagesModel.ts";
import { requireTrust } from "../registerEach.ts";
import { setting } from "../settings.ts";

export async function openCli(
	context: vscode.ExtensionContext,
	log: vscode.LogOutputChannel,
	startHooks: () => Promise<CallHooks>,
) {
	requireTrustForCli();
	const server = setting("cli.server");
	if (server !== "") return connectToServer(server);
	const { command, version } = await locateCli(context);
	log.info(`The GitHub Copilot CLI ${version} starts: ${command}`);
	// Each session names its own folder, so the program starts in the home directory.
	const { args, env } = await startHooks();
	return startCli({
		command,
		args: ["--acp", "--stdio", ...args],
		cwd: homedir(),
		env: { ...process.env, ...env },
	});
}

export function locateCli(context: vscode.ExtensionContext): Promise<FoundCli> {
	const copilotChat = vscode.extensions.getExtension("github.copilot-chat");
	const globalStorage = dirname(context.globalStorageUri.fsPath);
	return findCli({
		setting: setting("cli.path"),
		env: process.env,
		packageFolders: copilotChat ? [copilotChat.extensionPath] : [],
		programs: [join(globalStorage, "github.copilot-chat", "copilotCli", "copilot")],
	});
}

/** Runs the CLI's login in a terminal, and asks the question again when the terminal closes. */
export async function signInToCli(client: AcpClient, question: unknown): Promise<void> {
	const info = await client.ensureStarted();
	// Never run a command that a server sends: only a program that we started may name its login.
	const login = client.pid() === undefined ? undefined : loginOf(info);
	const advice = vscode.l10n.t("Run “copilot login” in a terminal, then ask your question again.");
	if (!login) throw new Failure("CLI_SIGN_IN", advice);
	const { label: name, command: shellPath, args } = login;
	const terminal = vscode.window.createTerminal({ name, shellPath, shellArgs: [...args] });
	terminal.show();
	const closed = vscode.window.onDidCloseTerminal(async (ended) => {
		if (ended !== terminal) return;
		closed.dispose();
		// The CLI checks the login only when it starts.
		await client.stop();
		if (typeof question === "string" && ended.exitStatus?.code === 0) await sendToChat(question);
	});
}

const KEY = "cli.loads";

interface RulesThere {
	readonly permissions: Permissions;
	readonly workspace: string;
}

/** Asks before the CLI loads new or changed files of a folder or the user. Rejects without consent. */
export async function confirmLoads(folder: string, state: vscode.Memento, rules?: RulesThere): Promise<void> {
	requireTrustForCli();
	const { known, unseen } = await findUnseen(folder, state);
	if (unseen.length === 0) return;
	const lines = unseen.flatMap(({ loads }) => loads.lines.map(told));
	if (rules && (await isAllowed(folder, rules))) return;
	const message = unseen.some(({ place }) => known[place] === undefined)
		? vscode.l10n.t(
				"The Copilot CLI will load hooks, servers, or other files that this folder or your own configuration contains.",
			)
		: vscode.l10n.t("What this folder or your own configuration contains for the Copilot CLI has changed.");
	if (!(await confirmLines(message, lines, vscode.l10n.t("Load and Continue"))))
		throw unwanted(
			vscode.l10n.t("The Copilot CLI was not started, because you did not allow it to load these files."),
		);
	const seen = unseen.map(({ place, loads }) => [place, loads.fingerprint]);
	await state.update(KEY, { ...known, ...Object.fromEntries(seen) });
}

/** Whether the user's own rule for `START_CLI` allows the start. Throws if any rule denies it. */
async function isAllowed(folder: string, { permissions, workspace }: RulesThere): Promise<boolean> {
	const title = `Start the Copilot CLI, which loads what the folder ${folder} brings along`;
	const request = {
		channel: "cli",
		tool: START_CLI,
		title,
		arguments: [],
		workspace,
		mutates: true,
	} as const;
	const { effect, rule } = await permissions.verdictFor(request);
	const isOwn = rule?.tool === START_CLI && !(rule.origin === "settings" && rule.scope === "workspace");
	if (!rule || effect === "ask" || (effect === "allow" && !isOwn)) return false;
	await permissions.record({ request, effect, by: "rule", rule: rule.id });
	if (effect === "allow") return true;
	throw unwanted(vscode.l10n.t("The Copilot CLI was not started, because a rule does not allow it."));
}

function unwanted(message: string): Failure {
	return new Failure("UNTRUSTED", message);
}

export async function areLoadsConfirmed(folder: string, state: vscode.Memento): Promise<boolean> {
	return (await findUnseen(folder, state)).unseen.length === 0;
}

async function findUnseen(folder: string, state: vscode.Memento) {
	const home = cliHome(process.env);
	const known = state.get<Record<string, string>>(KEY, {});
	const found: readonly (readonly [string, Loads | undefined])[] = [
		[folder, await folderLoads(folder)],
		[home, await homeLoads(home)],
	];
	const unseen = found.flatMap(([place, loads]) =>
		loads && known[place] !== loads.fingerprint ? [{ place, loads }] : [],
	);
	return { known, unseen };
}

/** Throws in an untrusted folder, because the CLI also runs the hooks of folders that the CLI does not trust. */
export function requireTrustForCli(): void {
	requireTrust(
		vscode.l10n.t(
			"The Copilot CLI is not started in an untrusted folder, because it would run the folder's own hooks. Trust the folder first.",
		),
	);
}
