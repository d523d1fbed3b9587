import { join } from "node:path";
import * as vscode from "vscode";
import { cliHome } from "../../loads/cliHome.ts";

export function ownAgentsFolder(): vscode.Uri {
	return vscode.Uri.file(join(cliHome(process.env), "agents"));
}

export function agentDocuments(): vscode.DocumentSelector {
	return [
		{ scheme: "file", pattern: "**/.{github,claude}/agents/**/*.md" },
		{ scheme: "file", pattern: new vscode.RelativePattern(ownAgentsFolder(), "**/*.md") },
	];
}
