import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import { commandName, type PluginCommand, type PluginDefinition } from "../../core/plugin/plugin.ts";
import type { Field } from "../../core/plugin/valueType.ts";
import { callHostTool } from "../cancellation.ts";
import type { MarkdownViewer } from "../registerEach.ts";
import type { LivePlugins } from "./livePlugins.ts";
import { parsedOf } from "./pluginConfig.ts";

interface Chosen {
	readonly plugin: PluginDefinition;
	readonly command: PluginCommand;
}

export async function runCommand(
	live: LivePlugins,
	documents: MarkdownViewer,
	given: Partial<Chosen> = {},
): Promise<void> {
	const { plugin: own, command: wanted } = given;
	const chosen = own && wanted ? { plugin: own, command: wanted } : await pickCommand(live);
	const param = chosen && (await askFor(chosen));
	if (!chosen || !param) return;
	const { plugin, command } = chosen;
	const input = { plugin: plugin.name, command: command.name, param };
	const words = await callHostTool("copilot-ld_plugin", input, { signal: new AbortController().signal });
	await documents.show(`${plugin.name} ${command.name}.txt`, words);
}

async function pickCommand(live: LivePlugins): Promise<Chosen | undefined> {
	const { plugins } = await live.registry(new AbortController().signal);
	const items = plugins
		.filter(({ isDisabled }) => !isDisabled)
		.flatMap((plugin) =>
			plugin.commands.map((command) => ({
				label: commandName(plugin.name, command.name),
				detail: visibleText(command.description),
				chosen: { plugin, command },
			})),
		);
	const placeHolder = vscode.l10n.t("Select a command");
	return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true }))?.chosen;
}

/** Asks the user for each parameter; empty ones are omitted. */
async function askFor({ command }: Chosen): Promise<Record<string, unknown> | undefined> {
	const param: Record<string, unknown> = {};
	for (const field of command.parameters) {
		const typed = await askForOne(command, field);
		if (typed === undefined) return undefined;
		if (typed !== "") {
			// A text as it is; everything else as JSON, which the command itself judges.
			const isText = ["string", "date", "iri", "path"].includes(field.type.kind);
			param[field.name] = isText ? typed : parsedOf(typed);
		}
	}
	return param;
}

function askForOne(command: PluginCommand, { name, description, isRequired, example }: Field) {
	return vscode.window.showInputBox({
		title: command.name,
		prompt: visibleText(description === undefined ? name : `${name}: ${description}`),
		placeHolder: isRequired ? "" : vscode.l10n.t("may be left empty"),
		value: typeof example === "string" ? example : (JSON.stringify(example) ?? ""),
	});
}
