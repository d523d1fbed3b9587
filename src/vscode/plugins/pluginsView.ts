import * as vscode from "vscode";
import { visibleText } from "../../base/text/visibleText.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import {
	type ConfigValue,
	commandName,
	type PluginCommand,
	type PluginDefinition,
	type PluginRegistry,
	type PluginStanding,
} from "../../core/plugin/plugin.ts";
import type { PluginResource, ResourceState } from "../../core/plugin/resource.ts";
import { needsConsent } from "../../plugins/share/reach.ts";
import { translated } from "../l10n.ts";
import { ERROR, openAt, problemItem, WARNING } from "../problems.ts";
import { type MarkdownViewer, registerEach } from "../registerEach.ts";
import { saidAsShown } from "../saidAsShown.ts";
import type { LivePlugins } from "./livePlugins.ts";

interface ViewDeps {
	readonly live: LivePlugins;
	readonly documents: MarkdownViewer;
}

export type PluginNode =
	| {
			readonly kind: "plugin";
			readonly plugin: PluginDefinition;
			readonly problems: readonly FileProblem[];
			/** Why what does more than read does not run: absent if it does, or there is nothing of the kind. */
			readonly unagreed?: Exclude<PluginStanding, "agreed">;
	  }
	| { readonly kind: "command"; readonly plugin: PluginDefinition; readonly command: PluginCommand }
	| { readonly kind: "value"; readonly plugin: PluginDefinition; readonly value: ConfigValue }
	| { readonly kind: "resource"; readonly plugin: PluginDefinition; readonly resource: PluginResource }
	/** A file that describes no plugin that could be offered, or is no plugin's. */
	| { readonly kind: "file"; readonly uri: string; readonly problems: readonly FileProblem[] }
	| { readonly kind: "problem"; readonly problem: FileProblem };

/** The view "Plugins", and its commands. Its first look starts the worker; before it, it costs nothing. */
export function registerPluginsView({ live, documents }: ViewDeps): vscode.Disposable {
	const tree = createPluginsTree(live);
	const setDisabled = (isDisabled: boolean) => async (node?: PluginNode) => {
		if (node?.kind !== "plugin") return;
		const { switchPlugin } = await import("./pluginConfig.ts");
		await switchPlugin(node.plugin, isDisabled);
	};
	const commands = registerEach<[node?: PluginNode]>({
		"copilot-ld.openPlugin": (node) =>
			node?.kind === "plugin" && vscode.window.showTextDocument(vscode.Uri.parse(node.plugin.source.uri)),
		"copilot-ld.runPluginCommand": async (node) => {
			const { runCommand } = await import("./pluginActions.ts");
			await runCommand(live, documents, node?.kind === "command" ? node : undefined);
		},
		"copilot-ld.addPlugin": async () => (await import("./addPlugin.ts")).addPlugin(live),
		"copilot-ld.packagePlugin": async (node) => {
			const { packagePlugin } = await import("./sharePlugin.ts");
			await packagePlugin(live, node?.kind === "plugin" ? node.plugin : undefined);
		},
		"copilot-ld.reviewPlugin": async (node) => {
			if (node?.kind !== "plugin") return;
			const { reviewPlugin } = await import("./sharePlugin.ts");
			await reviewPlugin(live, node.plugin);
		},
		"copilot-ld.setPluginValue": async (node) => {
			if (node?.kind !== "value") return;
			const { setForSession } = await import("./pluginConfig.ts");
			await setForSession(live, node.plugin, node.value);
		},
		"copilot-ld.resetPlugin": async (node) => {
			if (node?.kind !== "plugin") return;
			const { resetConfig } = await import("./pluginConfig.ts");
			await resetConfig(live, node.plugin);
		},
		"copilot-ld.disablePlugin": setDisabled(true),
		"copilot-ld.enablePlugin": setDisabled(false),
		"copilot-ld.refreshPlugins": () => live.refresh(),
	});
	return vscode.Disposable.from(
		tree,
		vscode.window.createTreeView("copilot-ld.plugins", { treeDataProvider: tree, showCollapseAll: true }),
		commands,
	);
}

export function createPluginsTree(
	live: LivePlugins,
): vscode.TreeDataProvider<PluginNode> & vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	const hearing = live.onDidChange(() => changed.fire());
	return {
		onDidChangeTreeData: changed.event,
		getTreeItem: (node) => saidAsShown(itemOf(node, live)),
		getChildren: async (node) =>
			node ? childrenOf(node) : rootsOf(await live.registry(new AbortController().signal), live),
		dispose: () => vscode.Disposable.from(changed, hearing).dispose(),
	};
}

async function rootsOf(
	{ plugins, problems }: PluginRegistry,
	{ standingOf }: LivePlugins,
): Promise<PluginNode[]> {
	const byUri = Map.groupBy(problems, ({ uri }) => uri);
	const uris = new Set(plugins.map(({ source }) => source.uri));
	const nodes = plugins.map(async (plugin): Promise<PluginNode> => {
		const standing = needsConsent(plugin, plugins) ? await standingOf(plugin) : "agreed";
		return {
			kind: "plugin",
			plugin,
			problems: byUri.get(plugin.source.uri) ?? [],
			...(standing !== "agreed" && { unagreed: standing }),
		};
	});
	return [
		...(await Promise.all(nodes)),
		...[...byUri]
			.filter(([uri]) => !uris.has(uri))
			.map(([uri, found]): PluginNode => ({ kind: "file", uri, problems: found })),
	];
}

function childrenOf(node: PluginNode): PluginNode[] {
	if (node.kind !== "plugin" && node.kind !== "file") return [];
	const problems = node.problems.map((problem): PluginNode => ({ kind: "problem", problem }));
	if (node.kind === "file") return problems;
	const { plugin } = node;
	return [
		...problems,
		...plugin.commands.map((command): PluginNode => ({ kind: "command", plugin, command })),
		...plugin.resources.map((resource): PluginNode => ({ kind: "resource", plugin, resource })),
		...plugin.config.map((value): PluginNode => ({ kind: "value", plugin, value })),
	];
}

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

function itemOf(node: PluginNode, live: LivePlugins): vscode.TreeItem {
	switch (node.kind) {
		case "plugin":
			return pluginItem(node);
		case "command":
			return commandItem(node.plugin, node.command, live);
		case "resource":
			return resourceItem(node.resource, live.resources.stateOf(node.resource, node.plugin));
		case "value":
			return valueItem(node.value);
		case "file":
			return fileItem(node.uri);
		case "problem":
			return problemItem(visibleText(translated(node.problem.message)), node.problem);
	}
}

function pluginItem(node: Extract<PluginNode, { kind: "plugin" }>): vscode.TreeItem {
	const { name, version, source } = node.plugin;
	const item = new vscode.TreeItem(name, Collapsed);
	const [suffix, state, icon] = stateOf(node);
	item.description = state;
	item.tooltip = [`${name} ${version}`, visibleText(node.plugin.description), ORIGINS[source.level]()].join(
		"\n",
	);
	item.iconPath = icon;
	item.contextValue = `plugin${suffix}`;
	item.accessibilityInformation = { label: `${name}, ${state}` };
	return item;
}

function stateOf({
	plugin,
	problems,
	unagreed,
}: Extract<PluginNode, { kind: "plugin" }>): [suffix: string, state: string, icon: vscode.ThemeIcon] {
	if (plugin.isDisabled) return ["Disabled", vscode.l10n.t("disabled"), new vscode.ThemeIcon("circle-slash")];
	if (unagreed) return ["Review", UNAGREED[unagreed](), new vscode.ThemeIcon("shield")];
	const icon = problems.length > 0 ? WARNING : new vscode.ThemeIcon("extensions");
	return ["", visibleText(plugin.title), icon];
}

const UNAGREED = {
	changed: () => vscode.l10n.t("changed: review it to let it do more than read"),
	unseen: () => vscode.l10n.t("review it to let it do more than read"),
} as const;

const ORIGINS: Readonly<Record<ConfigValue["origin"], () => string>> = {
	plugin: () => vscode.l10n.t("from the plugin"),
	workspace: () => vscode.l10n.t("from the workspace"),
	user: () => vscode.l10n.t("your own"),
	session: () => vscode.l10n.t("for this session"),
};

function commandItem(
	plugin: PluginDefinition,
	{ name, description, line }: PluginCommand,
	live: LivePlugins,
): vscode.TreeItem {
	const item = new vscode.TreeItem(name, None);
	const failed = live.lastErrorOf(commandName(plugin.name, name));
	item.description = visibleText(failed ?? description);
	item.tooltip = visibleText(failed ?? description);
	item.iconPath = failed === undefined ? new vscode.ThemeIcon("play") : WARNING;
	// Only its copilot calls what is in the folder of one.
	item.contextValue = plugin.within === undefined ? "pluginCommand" : "pluginInnerCommand";
	item.command = openAt(plugin.source.uri, line);
	return item;
}

function resourceItem(resource: PluginResource, state: ResourceState): vscode.TreeItem {
	const { type, id, name } = resource;
	const item = new vscode.TreeItem(visibleText(`${name === "" ? id : name} (${type})`), None);
	const words = state.kind === "failed" ? visibleText(state.why) : STATES[state.kind]();
	item.description = words;
	item.tooltip = [visibleText(placeOfResource(resource)), words].join("\n");
	item.iconPath =
		state.kind === "failed" ? WARNING : new vscode.ThemeIcon(state.kind === "ready" ? "pass" : "plug");
	item.contextValue = "pluginResource";
	return item;
}

function placeOfResource(resource: PluginResource): string {
	switch (resource.type) {
		case "files":
			return resource.folder;
		case "model":
			return resource.model;
		case "index":
			return [...(resource.sources ?? []), ...(resource.types ?? [])].join(", ");
		default:
			return resource.url;
	}
}

const STATES = {
	unused: () => vscode.l10n.t("started when it is needed"),
	starting: () => vscode.l10n.t("is starting"),
	ready: () => vscode.l10n.t("ready"),
} as const;

function valueItem({ path, value, origin }: ConfigValue): vscode.TreeItem {
	const item = new vscode.TreeItem(visibleText(`${path.join(".")} = ${JSON.stringify(value)}`), None);
	item.description = ORIGINS[origin]();
	item.tooltip = `${visibleText(JSON.stringify(value))}\n${ORIGINS[origin]()}`;
	item.contextValue = "pluginValue";
	item.iconPath = new vscode.ThemeIcon("symbol-variable");
	return item;
}

function fileItem(uri: string): vscode.TreeItem {
	const item = new vscode.TreeItem(vscode.workspace.asRelativePath(vscode.Uri.parse(uri)), Collapsed);
	item.iconPath = ERROR;
	item.command = openAt(uri);
	return item;
}
