import * as vscode from "vscode";

export function commandLink({ command, title, arguments: values = [] }: vscode.Command, detail = ""): string {
	const query = encodeURIComponent(JSON.stringify(values));
	// A quotation mark in a translation would end the detail.
	const hint = detail && ` "${detail.replaceAll('"', "'")}"`;
	return `[${title}](command:${command}?${query}${hint})`;
}

/** A trusted command link for list entries: VS Code collapses the text above a button if text follows. */
export function trustedLink(command: vscode.Command): vscode.MarkdownString {
	const link = new vscode.MarkdownString(commandLink(command));
	link.isTrusted = { enabledCommands: [command.command] };
	return link;
}
