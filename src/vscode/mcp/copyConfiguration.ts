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
		`Copied for ${format.label}: ${format.file}. It needs Node.js 22 or newer, and must be copied again after an update of Copilot-LD.${secretsNote(format, launch)}`,
	);
}

function secretsNote({ id, label }: McpConfigurationFormat, { variables }: McpLaunch): string {
	if (variables.length === 0) return "";
	if (id === "vscode") return ` ${label} asks for the secrets when it starts the server.`;
	const names = variables.map(({ name }) => name).join(" and ");
	return ` No secret was copied: set ${names} in the environment of ${label}.`;
}

async function pickFormat(): Promise<McpConfigurationFormat | undefined> {
	const items = MCP_CONFIGURATION_FORMATS.map((format) => ({
		label: format.label,
		description: format.file,
		format,
	}));
	const title = "Copy MCP Configuration";
	const picked = await vscode.window.showQuickPick(items, { title, placeHolder: "For which client?" });
	return picked?.format;
}
