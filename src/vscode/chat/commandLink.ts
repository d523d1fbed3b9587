import * as vscode from "vscode";

/** A link that runs a command, for entries of a list: VS Code folds away what is above a button if text follows. */
export function commandLink({
	command,
	title,
	arguments: values = [],
}: vscode.Command): vscode.MarkdownString {
	const query = encodeURIComponent(JSON.stringify(values));
	const link = new vscode.MarkdownString(`[${title}](command:${command}?${query})`);
	link.isTrusted = { enabledCommands: [command] };
	return link;
}
