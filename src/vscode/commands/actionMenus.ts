import * as vscode from "vscode";
import { l10n } from "vscode";
import { signOf, troublesOf } from "../knowledgeView/indexSigns.ts";
import { storageSettings } from "../settings.ts";
import type { IndexWatch } from "../worker/readiness.ts";

type Action = readonly [command: string, detail: string];

interface Contribution {
	readonly command: string;
	/** VS Code keeps the English title beside a translated one. */
	readonly title: string | { readonly value: string };
	readonly icon?: string;
}

export function menuCommands(watch: IndexWatch): Record<string, () => Promise<unknown>> {
	const fixed = Object.entries(MENUS).map(([menu, actions]) => [menu, () => pickAction(menu, actions)]);
	return {
		...Object.fromEntries(fixed),
		"copilot-ld.showIndexActions": () =>
			pickAction("copilot-ld.showIndexActions", indexActions(watch), signOf(watch.current).tooltip),
	};
}

/** Runs the chosen command. Its title and icon come from the manifest, which is translated already. */
async function pickAction(menu: string, actions: readonly Action[], placeHolder?: string): Promise<unknown> {
	const items = actions.map(([command, detail]) => ({ ...itemOf(command), detail, command }));
	const options = { title: itemOf(menu).label, matchOnDetail: true, ...(placeHolder && { placeHolder }) };
	const chosen = await vscode.window.showQuickPick(items, options);
	return chosen && vscode.commands.executeCommand(chosen.command);
}

/** An icon in a label would be read aloud by its name. */
function itemOf(id: string) {
	const extension = vscode.extensions.getExtension("copilot-ld.copilot-ld");
	const commands: readonly Contribution[] = extension?.packageJSON.contributes.commands;
	const { title = l10n.t("Show Problems"), icon = "$(warning)" } =
		commands.find(({ command }) => command === id) ?? {};
	return {
		label: typeof title === "string" ? title : title.value,
		iconPath: new vscode.ThemeIcon(icon.slice(2, -1)),
	};
}

const MENUS: Readonly<Record<string, readonly Action[]>> = {
	"copilot-ld.checkAnswer": [
		["copilot-ld.openSources", l10n.t("Opens the lines that the last answer cites")],
		[
			"copilot-ld.showEvidence",
			l10n.t("Compares each statement with its cited lines and shows what they do not contain"),
		],
		["copilot-ld.showContext", l10n.t("Shows what the model was given, and what was left out and why")],
	],
	"copilot-ld.saveAnswer": [
		["copilot-ld.saveAsTool", l10n.t("Makes a tool for every agent from its query, search, or question")],
		["copilot-ld.saveAsTest", l10n.t("Keeps the question with what its answer must cite")],
	],
	"copilot-ld.manageModels": [
		[
			"copilot-ld.addModel",
			l10n.t("Adds a model of a server that is compatible with the OpenAI API to the model picker"),
		],
		["copilot-ld.removeModel", l10n.t("Removes a model from the model picker")],
		["copilot-ld.strongerSearch", l10n.t("Finds by meaning with a larger model that runs on this computer")],
	],
	"copilot-ld.showCliActions": [
		["copilot-ld.signInToCli", l10n.t("Runs the CLI's own login in a terminal")],
		["copilot-ld.resumeCliSession", l10n.t("Continues a session of the CLI")],
		["copilot-ld.chooseCliOption", l10n.t("Sets what the CLI session of the last chat uses")],
		["copilot-ld.chooseCliCommand", l10n.t("Writes one of the CLI's own commands into the chat")],
	],
};

function indexActions({ current }: IndexWatch): Action[] {
	const isDescribable = vscode.workspace.isTrusted && !storageSettings().readOnly;
	const actions: readonly (Action | false)[] = [
		troublesOf(current) > 0 && [
			"workbench.actions.view.problems",
			l10n.t("Lists the files that could not be read completely"),
		],
		["copilot-ld.showIndexStatus", l10n.t("Shows what is in the index, what is not, and why")],
		["copilot-ld.explainFile", l10n.t("Says how the file in the editor was read, or which rule excludes it")],
		["copilot-ld.reindexFile", l10n.t("Reads the file in the editor again")],
		["copilot-ld.indexWorkspace", l10n.t("Reads what is new or changed")],
		["copilot-ld.rebuildIndex", l10n.t("Reads everything again; the current index is used until then")],
		current.isPaused
			? ["copilot-ld.resumeIndexing", l10n.t("Continues where indexing was paused")]
			: ["copilot-ld.pauseIndexing", l10n.t("Stops indexing after the current file; nothing is lost")],
		isDescribable && [
			"copilot-ld.describeDocuments",
			l10n.t("Lets a model describe documents, so that they are found with words they do not contain"),
		],
		vscode.workspace.isTrusted && [
			"copilot-ld.publishGraph",
			l10n.t("Writes the statements of the index to your SPARQL store"),
		],
		["copilot-ld.clearData", l10n.t("Deletes the index, sessions, memory, rules, or logs that you choose")],
		["copilot-ld.search", l10n.t("Finds passages as you type")],
		["copilot-ld.showLog", l10n.t("Opens the log")],
	];
	return actions.filter((action) => action !== false);
}
