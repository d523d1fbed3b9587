import * as vscode from "vscode";
import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import { SEARCHED_INDEXES, type SearchChoice } from "../core/knowledge/knowledge.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";

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

/** Whether files that tell agents what to do are knowledge too. */
export function indexesAgentInstructions(): boolean {
	return vscode.workspace.getConfiguration("copilot-ld").get("index.agentInstructions", false);
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

/** Which model turns texts into vectors; what is empty is left out. Prefixes may end in a space that matters. */
export function embeddingSettings(): EmbeddingSettings {
	const settings = vscode.workspace.getConfiguration("copilot-ld");
	const text = (name: string) => settings.get(name, "");
	const dimensions = settings.get<number | null>("embedding.dimensions", null);
	return {
		provider: settings.get<EmbeddingSettings["provider"]>("embedding.provider", "built-in"),
		endpoint: text("embedding.endpoint").trim(),
		model: text("embedding.model").trim(),
		...(dimensions !== null && { dimensions }),
		batchSize: settings.get("embedding.batchSize", 64),
		queryPrefix: text("embedding.queryPrefix"),
		passagePrefix: text("embedding.passagePrefix"),
	};
}

/** Where the index is kept. */
export function storageSettings(): StorageSettings {
	const settings = vscode.workspace.getConfiguration("copilot-ld");
	return {
		uri: settings.get("storage.uri", "").trim(),
		options: settings.get("storage.options", {}),
		readOnly: settings.get("storage.readOnly", false),
	};
}

/** How it is searched where nobody says otherwise; a value that is none counts as left out. */
export function searchChoice(): SearchChoice {
	const settings = vscode.workspace.getConfiguration("copilot-ld");
	const index = SEARCHED_INDEXES.find((name) => name === settings.get("search.index"));
	const [threshold, maxTokens] = [settings.get("search.threshold"), settings.get("search.maxTokens")];
	return {
		...(index && index !== "both" && { index }),
		...(typeof threshold === "number" && threshold > 0 && { threshold: Math.min(1, threshold) }),
		...(typeof maxTokens === "number" && maxTokens >= 1 && { maxTokens: Math.floor(maxTokens) }),
	};
}

/** Whether long chats are summarized between their turns. */
export function summarizesLongChats(): boolean {
	return vscode.workspace.getConfiguration("copilot-ld").get("agent.summarizeLongChats", true);
}

/** Paths of files in each folder of the workspace that say what a person wants of every answer. */
export function instructionFiles(): string[] {
	return vscode.workspace.getConfiguration("copilot-ld").get<string[]>("agent.instructionFiles", []);
}

/** The rules of permission as they stand in the settings: the person's, and those that a workspace brings along. */
export function permissionRules(): { readonly user: unknown; readonly workspace: readonly unknown[] } {
	const inspect = (scope?: vscode.Uri) =>
		vscode.workspace.getConfiguration("copilot-ld", scope).inspect<unknown>("permissions.rules");
	const ofFolders = (vscode.workspace.workspaceFolders ?? []).map(
		({ uri }) => inspect(uri)?.workspaceFolderValue,
	);
	const window = inspect();
	const workspace = [window?.workspaceValue, ...ofFolders].filter((value) => value !== undefined);
	return { user: window?.globalValue, workspace };
}

/** Absolute path of the Copilot CLI; empty where it is looked for. */
export function cliPath(): string {
	return vscode.workspace.getConfiguration("copilot-ld").get("cli.path", "").trim();
}

/** Address of a Copilot CLI that runs as a server; empty where we start our own. */
export function cliServer(): string {
	return vscode.workspace.getConfiguration("copilot-ld").get("cli.server", "").trim();
}

/** Whether the person agreed that sessions carry their GitHub account. */
export function usesGitHubAccount(): boolean {
	return vscode.workspace.getConfiguration("copilot-ld").get("sessions.useGitHubAccount", false);
}

/** Minutes after which a CLI that nobody uses is stopped; 0 where it never is. */
export function cliIdleMinutes(): number {
	return vscode.workspace.getConfiguration("copilot-ld").get("cli.idleMinutes", 10);
}

/** Whether the CLI is started before it is asked, where it was used before. */
export function cliStartsAhead(): boolean {
	return vscode.workspace.getConfiguration("copilot-ld").get("cli.startAhead", true);
}
