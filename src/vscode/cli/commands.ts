import * as vscode from "vscode";
import type { SlashCommand } from "../../acp/turn/session/cliSession.ts";
import { escapeMarkdown } from "../../base/text/markdown.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { CliLink } from "./cliLink.ts";

type Commands = Pick<CliLink, "commands">;

export async function showCliCommands(cli: Commands, stream: vscode.ChatResponseStream): Promise<void> {
	const lines = (await usable(cli)).map(
		({ name, description }) => `- \`/cli /${name}\` ${escapeMarkdown(lineOf(description))}`,
	);
	stream.markdown(
		`${vscode.l10n.t("Commands of the Copilot CLI in this session:")}\n\n${lines.join("\n")}\n\n`,
	);
	stream.button({ command: "copilot-ld.chooseCliCommand", title: vscode.l10n.t("Choose Command") });
}

export async function chooseCliCommand(cli: Commands): Promise<void> {
	const items = (await usable(cli)).map(({ name, description }) => ({
		label: `/${name}`,
		detail: visibleText(lineOf(description)),
	}));
	const options = { placeHolder: vscode.l10n.t("Select a command of the Copilot CLI"), matchOnDetail: true };
	const chosen = await vscode.window.showQuickPick(items, options);
	if (!chosen) return;
	const query = `@copilot-ld /cli ${chosen.label} `;
	await vscode.commands.executeCommand("workbench.action.chat.open", { query, isPartialQuery: true });
}

/** A folder may bring commands along: a name that is more than a word is not put before a person. */
async function usable(cli: Commands): Promise<SlashCommand[]> {
	const commands = (await cli.commands()).filter(({ name }) => /^[\p{L}\p{N}_:.-]+$/u.test(name));
	return commands.sort((a, b) => a.name.localeCompare(b.name));
}

function lineOf(description: string): string {
	return description.replace(/\s+/g, " ").trim();
}
