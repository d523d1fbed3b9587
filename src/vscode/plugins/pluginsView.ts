import * as vscode from "vscode";
import { lazily } from "../../base/jobs/lazily.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import {
	type ConfigValue,
	type ConsentState,
	commandName,
	type PluginCommand,
	type PluginDefinition,
	type PluginRegistry,
} from "../../core/plugin/plugin.ts";
import type { PluginResource, ResourceState } from "../../core/plugin/resource.ts";
import { needsConsent } from "../../plugins/share/reach.ts";
import { type MarkdownViewer, registerEach } from "../registerEach.ts";
import { ERROR, lineOf, openAt, problemLine, type TreeLine, treeOf, WARNING } from "../treeLines.ts";
import type { LivePlugins } from "./livePlugins.ts";

export interface PluginNode extends TreeLine<PluginNode> {
	readonly plugin?: PluginDefinition;
	readonly command?: PluginCommand;
	readonly value?: ConfigValue;
}

/** The view "Plugins", and its commands. Its first look starts the worker; before it, it costs nothing. */
export function registerPluginsView(live: LivePlugins, documents: MarkdownViewer): vscode.Disposable {
	const ofPlugin = (run: (plugin: PluginDefinition) => unknown) => (node?: PluginNode) =>
		node?.plugin && run(node.plugin);
	const actions = lazily(() => import("./pluginActions.ts"));
	const sharing = lazily(() => import("./sharePlugin.ts"));
	const commands = registerEach<[node?: PluginNode]>({
		"copilot-ld.openPlugin": ofPlugin(({ source }) =>
			vscode.window.showTextDocument(vscode.Uri.parse(source.uri)),
		),
		"copilot-ld.runPluginCommand": (node) => actions.runCommand(live, documents, node),
		"copilot-ld.addPlugin": () => sharing.addPlugin(live),
		"copilot-ld.packagePlugin": (node) => sharing.packagePlugin(live, node?.plugin),
		"copilot-ld.reviewPlugin": ofPlugin((plugin) => sharing.reviewPlugin(live, plugin)),
		"copilot-ld.setPluginValue": (node) =>
			node?.plugin && node.value && actions.setForSession(live, node.plugin, node.value),
		"copilot-ld.resetPlugin": ofPlugin((plugin) => actions.resetConfig(live, plugin)),
		"copilot-ld.disablePlugin": ofPlugin((plugin) => actions.switchPlugin(plugin, true)),
		"copilot-ld.enablePlugin": ofPlugin((plugin) => actions.switchPlugin(plugin, false)),
		"copilot-ld.refreshPlugins": () => live.refresh(),
	});
	const treeDataProvider = createPluginsTree(live);
	return vscode.Disposable.from(
		vscode.window.createTreeView("copilot-ld.plugins", { treeDataProvider, showCollapseAll: true }),
		commands,
	);
}

export function createPluginsTree(live: LivePlugins): vscode.TreeDataProvider<PluginNode> {
	const registry = () => live.registry(new AbortController().signal);
	return treeOf(async () => rootsOf(await registry(), live), live.onDidChange);
}

const { Collapsed } = vscode.TreeItemCollapsibleState;

async function rootsOf({ plugins, problems }: PluginRegistry, live: LivePlugins): Promise<PluginNode[]> {
	const byUri = Map.groupBy(problems, ({ uri }) => uri);
	const uris = new Set(plugins.map(({ source }) => source.uri));
	const nodes = plugins.map(async (plugin) => {
		const standing = needsConsent(plugin, plugins) ? await live.consentStateOf(plugin) : "agreed";
		return pluginNode(plugin, standing, byUri.get(plugin.source.uri) ?? [], live);
	});
	const broken = [...byUri].filter(([uri]) => !uris.has(uri));
	return [...(await Promise.all(nodes)), ...broken.map(([uri, found]) => fileNode(uri, found))];
}

/** `standing` says why what does more than read does not run, if it does not. */
function pluginNode(
	plugin: PluginDefinition,
	standing: ConsentState,
	problems: readonly FileProblem[],
	live: LivePlugins,
): PluginNode {
	const { name, version, source, description } = plugin;
	const [suffix, state, icon] = stateOf(plugin, standing, problems.length > 0);
	const tooltip = [`${name} ${version}`, visibleText(description), ORIGINS[source.level]].join("\n");
	return {
		plugin,
		item: lineOf(name, { description: state, tooltip, icon, context: `plugin${suffix}` }, Collapsed),
		children: async () => [
			...problems.map(problemLine),
			...plugin.commands.map((command) => commandNode(plugin, command, live)),
			...plugin.resources.map((resource) => resourceNode(resource, live.resources.stateOf(resource, plugin))),
			...plugin.config.map((value) => ({ plugin, value, item: valueItem(value) })),
		],
	};
}

function stateOf(plugin: PluginDefinition, standing: ConsentState, isFlawed: boolean) {
	if (plugin.isDisabled)
		return ["Disabled", vscode.l10n.t("disabled"), new vscode.ThemeIcon("circle-slash")] as const;
	if (standing !== "agreed") return ["Review", UNAGREED[standing], new vscode.ThemeIcon("shield")] as const;
	const icon = isFlawed ? WARNING : new vscode.ThemeIcon("extensions");
	return ["", visibleText(plugin.title), icon] as const;
}

const UNAGREED = {
	changed: vscode.l10n.t("changed: review it to let it do more than read"),
	unseen: vscode.l10n.t("review it to let it do more than read"),
} as const;

const ORIGINS: Readonly<Record<ConfigValue["origin"], string>> = {
	plugin: vscode.l10n.t("from the plugin"),
	workspace: vscode.l10n.t("from the workspace"),
	user: vscode.l10n.t("your own"),
	session: vscode.l10n.t("for this session"),
};

function commandNode(plugin: PluginDefinition, command: PluginCommand, live: LivePlugins): PluginNode {
	const { name, description, line } = command;
	const failed = live.lastErrorOf(commandName(plugin.name, name));
	const words = visibleText(failed ?? description);
	const item = lineOf(name, {
		description: words,
		tooltip: words,
		icon: failed === undefined ? new vscode.ThemeIcon("play") : WARNING,
		// Only its copilot calls what is in the folder of one.
		context: plugin.within === undefined ? "pluginCommand" : "pluginInnerCommand",
		command: openAt(plugin.source.uri, line),
	});
	return { plugin, command, item };
}

function resourceNode(resource: PluginResource, state: ResourceState): PluginNode {
	const { type, id, name } = resource;
	const words = state.kind === "failed" ? visibleText(state.why) : STATES[state.kind];
	const item = lineOf(visibleText(`${name === "" ? id : name} (${type})`), {
		description: words,
		tooltip: [visibleText(placeOfResource(resource)), words].join("\n"),
		icon: state.kind === "failed" ? WARNING : new vscode.ThemeIcon(state.kind === "ready" ? "pass" : "plug"),
		context: "pluginResource",
	});
	return { item };
}

function placeOfResource(resource: PluginResource): string {
	if (resource.type === "files") return resource.folder;
	if (resource.type === "model") return resource.model;
	if (resource.type !== "index") return resource.url;
	return [...(resource.sources ?? []), ...(resource.types ?? [])].join(", ");
}

const STATES = {
	unused: vscode.l10n.t("started when it is needed"),
	starting: vscode.l10n.t("is starting"),
	ready: vscode.l10n.t("ready"),
} as const;

function valueItem({ path, value, origin }: ConfigValue): vscode.TreeItem {
	return lineOf(visibleText(`${path.join(".")} = ${JSON.stringify(value)}`), {
		description: ORIGINS[origin],
		tooltip: `${visibleText(JSON.stringify(value))}\n${ORIGINS[origin]}`,
		icon: new vscode.ThemeIcon("symbol-variable"),
		context: "pluginValue",
	});
}

function fileNode(uri: string, problems: readonly FileProblem[]): PluginNode {
	const label = vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
	return {
		item: lineOf(label, { icon: ERROR, command: openAt(uri) }, Collapsed),
		children: async () => problems.map(problemLine),
	};
}
