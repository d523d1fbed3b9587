import * as vscode from "vscode";

export function commandLink({ command, title, arguments: values = [] }: vscode.Command, detail = ""): string {
	const query = encodeURIComponent(JSON.stringify(values));
	// A quotation mark in a translation would end the detail.
	const hint = detail && ` "${detail.replaceAll('"', "'")}"`;
	return `[${title}](command:${command}?${query}${hint})`;
}

/** A trusted link to a command, for lists. VS Code collapses an answer that has text after a button. */
export function trustedLink(command: vscode.Command): vscode.MarkdownString {
	const link = new vscode.MarkdownString(commandLink(command));
	link.isTrusted = { enabledCommands: [command.command] };
	return link;
}
