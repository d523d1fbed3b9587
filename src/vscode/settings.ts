import * as vscode from "vscode";

/** How often a turn may call tools before it must answer. */
export function maxRounds(): number {
	return vscode.workspace.getConfiguration("copilot-ld").get("agent.maxRounds", 10);
}

/** The globs of `files.exclude` and `search.exclude` that are on without a condition. */
export function excludedGlobs(): string[] {
	const sections = ["files", "search"].map((name) =>
		vscode.workspace.getConfiguration(name).get<Record<string, unknown>>("exclude", {}),
	);
	return sections.flatMap((globs) => Object.keys(globs).filter((glob) => globs[glob] === true));
}

/** Whether problems of the linked data are shown. */
export function diagnosticsEnabled(): boolean {
	return vscode.workspace.getConfiguration("copilot-ld").get("diagnostics.enabled", false);
}

/** Absolute paths of folders outside the workspace. */
export function extraFolders(): string[] {
	return vscode.workspace.getConfiguration("copilot-ld").get<string[]>("folders", []);
}

/** Address of the SPARQL endpoint that answers graph queries in place of the files' own graph; empty for none. */
export function graphEndpoint(): string {
	return vscode.workspace.getConfiguration("copilot-ld").get("graph.endpoint", "").trim();
}

/** Absolute path of the Copilot CLI; empty where it is looked for. */
export function cliPath(): string {
	return vscode.workspace.getConfiguration("copilot-ld").get("cli.path", "").trim();
}

/** Address of a Copilot CLI that runs as a server; empty where we start our own. */
export function cliServer(): string {
	return vscode.workspace.getConfiguration("copilot-ld").get("cli.server", "").trim();
}
