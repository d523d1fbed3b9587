import * as vscode from "vscode";
import { l10n } from "vscode";
import {
	type ArgumentKind,
	CHANNELS,
	type Channel,
	type Decision,
} from "../../core/permission/permission.ts";
import { CHANNEL_NAMES } from "../../core/permission/ruleText.ts";
import type { RuleDraft } from "../../protocol/webview.ts";
import { confirmLines } from "../confirmLines.ts";
import { counted, told } from "../l10n.ts";

const EFFECTS = [
	["allow", l10n.t("Allow")],
	["ask", l10n.t("Ask every time")],
	["deny", l10n.t("Deny")],
] as const;

const SCOPES = [
	["always", l10n.t("Always")],
	["workspace", l10n.t("In this workspace")],
] as const;

const CHANNEL_ITEMS: readonly (readonly [Channel | undefined, string])[] = [
	[undefined, l10n.t("Every channel")],
	...CHANNELS.map((channel) => [channel, told(CHANNEL_NAMES[channel])] as const),
];

const ARGUMENTS: readonly (readonly [ArgumentKind | undefined, string])[] = [
	[undefined, l10n.t("Any argument")],
	["command", l10n.t("Command")],
	["path", l10n.t("Path")],
	["host", l10n.t("Host")],
];

const EXAMPLES: Readonly<Record<ArgumentKind, string>> = {
	command: "git status",
	path: l10n.t("src/** or **/*.pem"),
	host: "*.example.org",
};

const STAYING = { title: l10n.t("Add Rule"), ignoreFocusOut: true };

export async function askRule(): Promise<RuleDraft | undefined> {
	const rule = await askParts();
	await focusView();
	return rule;
}

const DIFFERENT = counted(
	l10n.t("With this rule, 1 decision of the last 30 days would have been different."),
	l10n.t("With this rule, {0} decisions of the last 30 days would have been different."),
);

/** Asks whether to add a rule that would have changed these decisions, all of which the user can read. */
export async function isWanted(changed: readonly Decision[]): Promise<boolean> {
	if (changed.length === 0) return true;
	const lines = changed.map(({ request: { tool, title, arguments: named } }) =>
		[title || tool, tool, ...named.map(({ value }) => value)].join(" · "),
	);
	return confirmLines(DIFFERENT(changed.length), lines, l10n.t("Add Rule"));
}

async function askParts(): Promise<RuleDraft | undefined> {
	const effect = await choose(l10n.t("Select what the rule does"), EFFECTS);
	const kind = effect && (await choose(l10n.t("Select what the rule is about"), ARGUMENTS));
	const argument = kind && (await askArgument(kind.value));
	if (!argument) return undefined;
	const tool = await askTool(effect.value === "allow" && !argument.value);
	if (tool === undefined) return undefined;
	const channel = await choose(l10n.t("Select the channel"), CHANNEL_ITEMS);
	const scope = channel && (await choose(l10n.t("Select where the rule applies"), SCOPES));
	return (
		scope && {
			effect: effect.value,
			scope: scope.value,
			...(channel.value && { channel: channel.value }),
			...(tool && { tool }),
			...(argument.value && { argument: argument.value }),
		}
	);
}

function choose<Value>(placeHolder: string, choices: readonly (readonly [value: Value, label: string])[]) {
	const items = choices.map(([value, label]) => ({ label, value }));
	return vscode.window.showQuickPick(items, { ...STAYING, placeHolder });
}

async function askArgument(kind: ArgumentKind | undefined) {
	if (!kind) return {};
	const typed = await vscode.window.showInputBox({
		...STAYING,
		placeHolder: EXAMPLES[kind],
		validateInput: (text) => argumentProblem(kind, text.trim()),
	});
	return typed === undefined ? undefined : { value: { kind, value: typed.trim() } };
}

async function askTool(isNeeded: boolean): Promise<string | undefined> {
	const typed = await vscode.window.showInputBox({
		...STAYING,
		prompt: l10n.t("Tool; leave it empty for every tool"),
		placeHolder: l10n.t("run_command, or * for a part of a name"),
		validateInput: (text) => toolProblem(text.trim(), isNeeded),
	});
	return typed?.trim();
}

function toolProblem(tool: string, isNeeded: boolean): string | undefined {
	if (tool === "")
		return isNeeded ? l10n.t("Enter a tool: without one, this rule would allow everything.") : undefined;
	if (/^[\w*./-]{1,200}$/.test(tool)) return undefined;
	return l10n.t("Use letters, digits, “-”, and “_” for the name of a tool; “*” stands for any of them.");
}

const HOST = /^[\w*-]+(\.[\w*-]+)*(:\d+)?$/;

function argumentProblem(kind: ArgumentKind, value: string): string | undefined {
	if (value === "") return l10n.t("Enter what the rule is about.");
	if (kind === "path" && value.includes("\\")) return l10n.t("Use forward slashes in paths.");
	if (kind === "path" && value.split("/").includes(".."))
		return l10n.t("Enter the path without “..”, for example src/** or **/*.pem.");
	if (kind === "host" && !HOST.test(value))
		return l10n.t("Enter a host without “https://” and without a path, for example *.example.org.");
	return undefined;
}

export async function askForText(title: string, former: string, most: number): Promise<string | undefined> {
	// An input box has a single line.
	const value = former.replace(/\s+/g, " ");
	const typed = (await vscode.window.showInputBox({ title, value }))?.trim().slice(0, most);
	await focusView();
	return typed === value ? undefined : typed;
}

async function focusView(): Promise<void> {
	await vscode.commands.executeCommand("copilot-ld.sessions.focus");
}
