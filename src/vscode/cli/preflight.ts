import * as vscode from "vscode";
import { folderLoads, homeLoads, type Loads, START_CLI } from "../../acp/loads/preflight.ts";
import { Failure } from "../../base/failure.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { cliHome } from "../../loads/cliHome.ts";

const KEY = "cli.loads";
const GO_ON = vscode.l10n.t("Load and Continue");
const SHOW_ALL = vscode.l10n.t("Show All");

/** What a dialog holds without hiding its buttons. */
const MAX_LINES = 25;
const MAX_CHARACTERS = 400;

/** The rules, and the workspace that they are asked for. */
interface RulesThere {
	readonly permissions: Pick<Permissions, "verdictFor" | "record">;
	readonly workspace: string;
}

/**
 * Asks before the CLI loads what a folder and the person's own settings bring along, and again when that has changed.
 * Rejects where the folder is not trusted, and where the person, or a rule of theirs, does not want it.
 */
export async function confirmLoads(folder: string, state: vscode.Memento, rules?: RulesThere): Promise<void> {
	requireTrust();
	const { known, unseen } = await findUnseen(folder, state);
	if (unseen.length === 0) return;
	const lines = unseen.flatMap(({ loads }) => loads.lines);
	if (rules && (await isAllowed(folder, rules))) return;
	const message = unseen.some(({ place }) => known[place] === undefined)
		? vscode.l10n.t(
				"The Copilot CLI will load hooks, servers, or other files that this folder or your own configuration contains.",
			)
		: vscode.l10n.t("What this folder or your own configuration contains for the Copilot CLI has changed.");
	if (!(await isWanted(message, lines)))
		throw unwanted(
			vscode.l10n.t("The Copilot CLI was not started, because you did not allow it to load these files."),
		);
	const seen = unseen.map(({ place, loads }) => [place, loads.fingerprint]);
	await state.update(KEY, { ...known, ...Object.fromEntries(seen) });
}

/**
 * Whether a rule that names this, and that the folder does not bring along itself, lets the CLI start. A rule for all
 * tools says nothing of what runs without a call.
 */
async function isAllowed(folder: string, { permissions, workspace }: RulesThere): Promise<boolean> {
	const title = `Start the Copilot CLI, which loads what the folder ${folder} brings along`;
	const request = { door: "cli", tool: START_CLI, title, arguments: [], workspace, mutates: true } as const;
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

/** Whether nobody would have to be asked now. */
export async function areLoadsConfirmed(folder: string, state: vscode.Memento): Promise<boolean> {
	return (await findUnseen(folder, state)).unseen.length === 0;
}

/** What would be loaded and was not confirmed as it is now. */
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

async function isWanted(message: string, lines: readonly string[]): Promise<boolean> {
	const { text, isCut } = inShort(lines);
	const buttons = isCut ? [GO_ON, SHOW_ALL] : [GO_ON];
	const answer = await vscode.window.showWarningMessage(message, { modal: true, detail: text }, ...buttons);
	if (answer !== SHOW_ALL) return answer === GO_ON;
	const content = lines.join("\n\n");
	const document = await vscode.workspace.openTextDocument({ content, language: "plaintext" });
	await vscode.window.showTextDocument(document);
	// A modal question would stand before what there is to read.
	return (await vscode.window.showWarningMessage(message, GO_ON)) === GO_ON;
}

function inShort(lines: readonly string[]): { readonly text: string; readonly isCut: boolean } {
	const shown = lines.slice(0, MAX_LINES).map((line) => {
		const left = line.length - MAX_CHARACTERS;
		return left > 0
			? vscode.l10n.t("{0} … and {1} more characters: {2}", line.slice(0, MAX_CHARACTERS), left, SHOW_ALL)
			: line;
	});
	const left = lines.length - shown.length;
	const isCut = left > 0 || lines.some(({ length }) => length > MAX_CHARACTERS);
	return {
		text: [...shown, ...(left > 0 ? [vscode.l10n.t("… and {0} more: {1}", left, SHOW_ALL)] : [])].join("\n"),
		isCut,
	};
}

/** The CLI runs hooks of a folder, whether it trusts the folder or not. */
export function requireTrust(): void {
	if (vscode.workspace.isTrusted) return;
	throw new Failure(
		"UNTRUSTED",
		vscode.l10n.t(
			"The Copilot CLI is not started in an untrusted folder, because it would run the folder's own hooks. Trust the folder first.",
		),
	);
}
