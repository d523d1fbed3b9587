import * as vscode from "vscode";
import { requireFolder } from "../worker/readiness.ts";
import { MCP_CONFIGURATION_FORMATS, type McpConfigurationFormat, type McpLaunch } from "./configuration.ts";
import { mcpLaunch } from "./launch.ts";

/** Puts the configuration for a client on the clipboard. `wanted` is the id of a format; without one, the person chooses. */
export async function copyMcpConfiguration(context: vscode.ExtensionContext, wanted: unknown): Promise<void> {
	requireFolder();
	const format = MCP_CONFIGURATION_FORMATS.find(({ id }) => id === wanted) ?? (await pickFormat());
	if (!format) return;
	const launch = await mcpLaunch(context);
	await vscode.env.clipboard.writeText(JSON.stringify(format.configure(launch), undefined, 2));
	void vscode.window.showInformationMessage(
		[
			vscode.l10n.t("Copied for {0}: {1}.", format.label, format.file),
			vscode.l10n.t("It needs Node.js 22 or newer. Copy it again after an update of Copilot-LD."),
			...secretsNote(format, launch),
		].join(" "),
	);
}

function secretsNote({ id, label }: McpConfigurationFormat, { variables }: McpLaunch): string[] {
	if (variables.length === 0) return [];
	if (id === "vscode") return [vscode.l10n.t("{0} asks for the secrets when it starts the server.", label)];
	const names = variables.map(({ name }) => name).join(", ");
	return [vscode.l10n.t("Secrets were not copied. Set them in the environment of {0}: {1}.", label, names)];
}

async function pickFormat(): Promise<McpConfigurationFormat | undefined> {
	const items = MCP_CONFIGURATION_FORMATS.map((format) => ({
		label: format.label,
		description: format.file,
		format,
	}));
	const title = vscode.l10n.t("Copy MCP Configuration");
	const picked = await vscode.window.showQuickPick(items, {
		title,
		placeHolder: vscode.l10n.t("Select a client"),
	});
	return picked?.format;
}
