import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import { l10n } from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import type { StorageSettings } from "../../core/knowledge/storage.ts";
import { formatMcpArguments } from "../../protocol/mcpOptions.ts";
import { knowledgeFolders } from "../folders.ts";
import { createSavedModels, type SavedModel } from "../models/savedModels.ts";
import { permissionsFolder } from "../permissions/link.ts";
import { modelKeyName, secretsInUse } from "../secrets.ts";
import * as settings from "../settings.ts";
import { indexFolder, sessionsFolder } from "../worker/link.ts";
import { requireFolder } from "../worker/readiness.ts";

type McpLaunch = Awaited<ReturnType<typeof mcpLaunch>>;

interface McpConfigurationFormat extends vscode.QuickPickItem {
	readonly id: string;
	readonly description: string;
	configure(launch: McpLaunch): object;
}

const NAME = "copilot-ld";

export const MCP_CONFIGURATION_FORMATS: readonly McpConfigurationFormat[] = [
	{
		id: "vscode",
		label: "VS Code",
		description: ".vscode/mcp.json",
		// VS Code asks the user once, and stores the answers.
		configure: (launch) => ({
			...(launch.variables.length > 0 && {
				inputs: launch.variables.map(({ name: id, description }) => ({
					id,
					type: "promptString",
					description,
					password: true,
				})),
			}),
			servers: { [NAME]: { type: "stdio", ...commandOf(launch, "input:") } },
		}),
	},
	{
		id: "copilot-cli",
		label: "Copilot CLI",
		description: "~/.copilot/mcp-config.json",
		configure: (launch) => ({
			mcpServers: { [NAME]: { type: "local", ...commandOf(launch), tools: ["*"] } },
		}),
	},
	{
		id: "claude",
		label: "Claude",
		description: l10n.t("claude_desktop_config.json, or .mcp.json for Claude Code"),
		configure: (launch) => ({ mcpServers: { [NAME]: commandOf(launch) } }),
	},
];

/** Returns the command that starts the MCP program for this window. `model` replaces the client's model. */
async function mcpLaunch(context: vscode.ExtensionContext, model?: SavedModel) {
	const { secrets } = context;
	const otlp = settings.setting("telemetry.otlp");
	const origin = model && new URL(model.base).origin;
	const key = origin && (await secrets.get(modelKeyName(origin)));
	const inUse = await secretsInUse(secrets);
	const variables: readonly { readonly name: string; readonly description: string }[] = [
		...inUse.map(({ kind, address }) => ({
			name: SECRET_VARIABLES[kind],
			description: HOLDS[kind](address),
		})),
		...(key ? [{ name: SECRET_VARIABLES.model, description: HOLDS.embedding(origin) }] : []),
	];
	return {
		program: context.asAbsolutePath("dist/mcp.cjs"),
		// Includes all options that select files, because programs that share an index must have equal options.
		args: formatMcpArguments({
			workspaces: knowledgeFolders().map(({ uri }) => fileURLToPath(uri)),
			data: indexFolder(context),
			permissions: permissionsFolder(context),
			...(settings.setting("sessions.keepMcp") && { sessions: sessionsFolder(context) }),
			excludes: settings.excludedGlobs(),
			agentInstructions: settings.setting("index.agentInstructions"),
			graphEndpoint: settings.setting("graph.endpoint"),
			// VS Code passes its model the structure instead of the text with citations; the Copilot CLI passes both.
			isTextOnly: true,
			storage: storageOf(settings.storageSettings()),
			search: settings.searchChoice(),
			embedding: settings.embeddingSettings(),
			...(model && { model: { endpoint: model.base, name: model.name } }),
			...(otlp.endpoint !== "" && { otlp }),
		}),
		variables,
	};
}

const HOLDS = {
	storage: (address: string) => l10n.t("Credentials for {0}, as name=value separated by spaces", address),
	embedding: (address: string) => l10n.t("API key for {0}", address),
} as const;

/** Omits the URI if it is a folder, because the folder is passed as `data`. */
function storageOf({ uri = "", options, readOnly, memoryMb }: StorageSettings): StorageSettings {
	const isFolder = uri === "" || isAbsolute(uri);
	return {
		...(!isFolder && { uri, ...(options && { options }) }),
		...(readOnly && { readOnly }),
		...(memoryMb !== undefined && { memoryMb }),
	};
}

/** Passes secrets as references, which the client resolves: without a prefix, from its own environment. */
function commandOf({ program, args, variables }: McpLaunch, prefix = "") {
	const env = Object.fromEntries(variables.map(({ name }) => [name, `\${${prefix}${name}}`]));
	return { command: "node", args: [program, ...args], ...(variables.length > 0 && { env }) };
}

const TITLE = l10n.t("Copy MCP Configuration");

export async function copyMcpConfiguration(context: vscode.ExtensionContext): Promise<void> {
	requireFolder();
	const placeHolder = l10n.t("Select a client");
	const format = await vscode.window.showQuickPick(MCP_CONFIGURATION_FORMATS, { title: TITLE, placeHolder });
	const choice = format && (await pickModel(context));
	if (!choice) return;
	const launch = await mcpLaunch(context, choice.model);
	await vscode.env.clipboard.writeText(JSON.stringify(format.configure(launch), undefined, 2));
	const words = [
		l10n.t("Copied for {0}: {1}.", format.label, format.description),
		l10n.t("It needs Node.js 22 or newer. Copy it again after an update of Copilot-LD."),
		...secretsNote(format, launch),
	];
	void vscode.window.showInformationMessage(words.join(" "));
}

function secretsNote({ id, label }: McpConfigurationFormat, { variables }: McpLaunch): string[] {
	if (variables.length === 0) return [];
	if (id === "vscode") return [l10n.t("{0} asks for the secrets when it starts the server.", label)];
	const names = variables.map(({ name }) => name).join(", ");
	return [l10n.t("Secrets were not copied. Set them in the environment of {0}: {1}.", label, names)];
}

async function pickModel({ globalState }: vscode.ExtensionContext) {
	const own = { label: l10n.t("The client's own model, if it provides one"), model: undefined };
	const saved = createSavedModels(globalState).all();
	if (saved.length === 0) return own;
	const ofServers = saved.map((model) => ({
		label: visibleText(model.name),
		description: model.base,
		model,
	}));
	const placeHolder = l10n.t("Select the language model for ask, prompts and copilots");
	return vscode.window.showQuickPick([own, ...ofServers], { title: TITLE, placeHolder });
}

const SETTINGS = ["copilot-LD", "copilot-ld", "files.exclude", "search.exclude"];

/** Offers our MCP program to VS Code, except in an untrusted or empty workspace. VS Code starts it on demand. */
export function registerMcpServers(context: vscode.ExtensionContext): vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	const change = () => changed.fire();
	const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
		onDidChangeMcpServerDefinitions: changed.event,
		provideMcpServerDefinitions: async () => {
			if (!vscode.workspace.isTrusted || knowledgeFolders().length === 0) return [];
			const { program, args } = await mcpLaunch(context);
			// Electron runs as Node with this variable.
			const env = process.versions["electron"] ? { ELECTRON_RUN_AS_NODE: "1" } : {};
			const { version } = context.extension.packageJSON;
			const { execPath } = process;
			return [new vscode.McpStdioServerDefinition("Copilot-LD", execPath, [program, ...args], env, version)];
		},
		// VS Code stores the offered definitions, so secrets are added only at the start.
		resolveMcpServerDefinition: async ({ label, command, args, env, version }) => {
			const inUse = await secretsInUse(context.secrets);
			const secrets = Object.fromEntries(inUse.map(({ kind, value }) => [SECRET_VARIABLES[kind], value]));
			return new vscode.McpStdioServerDefinition(label, command, args, { ...env, ...secrets }, version);
		},
	};
	return vscode.Disposable.from(
		changed,
		vscode.workspace.onDidGrantWorkspaceTrust(change),
		vscode.workspace.onDidChangeWorkspaceFolders(change),
		vscode.workspace.onDidChangeConfiguration(({ affectsConfiguration }) => {
			if (SETTINGS.some((name) => affectsConfiguration(name))) change();
		}),
		vscode.lm.registerMcpServerDefinitionProvider("copilot-ld.mcp", provider),
	);
}
