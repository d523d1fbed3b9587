import * as vscode from "vscode";

/**
 * A link that runs a command, for each entry of a list: VS Code folds away what stands above a button as soon as text
 * follows it, so that of a list with buttons only the last entry would be seen.
 */
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
