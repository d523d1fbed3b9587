import * as vscode from "vscode";
import { lazily, once } from "../../base/jobs/lazily.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { HookSaid, Tool, TurnHooks } from "../../core/agent/tool.ts";
import type { FileProblem } from "../../core/fileProblem.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import {
	type ConfigValue,
	type ConsentState,
	commandName,
	PLUGINS_FOLDER,
	type PluginCommand,
	type PluginDefinition,
	type PluginRegistry,
} from "../../core/plugin/plugin.ts";
import type { PluginResource, ResourceState } from "../../core/plugin/resource.ts";
import { needsConsent } from "../../plugins/share/requireAgreed.ts";
import { showProblemsOf } from "../liveFiles.ts";
import { admittedTools, type PermissionsLink } from "../permissions/link.ts";
import { type MarkdownViewer, registerEach, setContext } from "../registerEach.ts";
import {
	ERROR,
	lineOf,
	openAt,
	problemLine,
	showProblems,
	type TreeLine,
	treeOf,
	WARNING,
} from "../treeLines.ts";
import type { WorkerLink } from "../worker/link.ts";
import { createLivePlugins, type LivePlugins } from "./livePlugins.ts";

interface PluginParts {
	readonly worker: WorkerLink;
	readonly documents: MarkdownViewer;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: PermissionsLink;
}

const FILES = ["*/plugin.yaml", "config.yaml"].map(
	(file): vscode.DocumentFilter => ({ scheme: "file", pattern: `**/${PLUGINS_FOLDER}/${file}` }),
);

export function registerPlugins({ worker, documents, log, permissions }: PluginParts): LivePlugins {
	const { onDidChangeIndex } = worker;
	const live = createLivePlugins(worker.plugins, permissions.pluginConsents);
	const shown = [
		registerPluginsView(live, documents),
		showProblemsOf(live, { name: "plugins", files: FILES, show: showRegistry, log, onDidChangeIndex }),
		watchChangedPlugins(live, log),
	];
	return { ...live, dispose: () => vscode.Disposable.from(...shown, live).dispose() };
}

/** Warns the user once about each change that blocks a plugin that the user had allowed. */
function watchChangedPlugins(live: LivePlugins, log: vscode.LogOutputChannel): vscode.Disposable {
	const told = new Set<string>();
	const tell = async ({ plugins }: PluginRegistry) => {
		for (const plugin of plugins) {
			const change = JSON.stringify([plugin.source.uri, plugin.instance, plugin.fingerprint]);
			// Plugins in a copilot's folder are reported with the copilot.
			if (told.has(change) || plugin.isDisabled || plugin.agreedWith || !needsConsent(plugin, plugins))
				continue;
			if ((await live.consentStateOf(plugin)) !== "changed") continue;
			told.add(change);
			const message = vscode.l10n.t(
				"The plugin {0} has changed since you allowed it. Until you review it, its commands that do more than read are not run.",
				plugin.name,
			);
			const review = vscode.l10n.t("Review");
			// Not awaited, so that the next plugin is reported at once.
			void vscode.window.showWarningMessage(message, review).then((answer) => {
				if (answer === review) void vscode.commands.executeCommand("copilot-ld.reviewPlugin", { plugin });
			});
		}
	};
	return live.onDidRead((found) => {
		if (vscode.workspace.isTrusted) tell(found).catch((thrown: unknown) => log.error(`Plugins: ${thrown}`));
	});
}

function showRegistry(shown: vscode.DiagnosticCollection, { plugins, problems }: PluginRegistry): void {
	setContext("hasPlugins", plugins.length + problems.length > 0);
	showProblems(shown, problems);
}

const NOTHING: HookSaid = { context: [], notices: [] };

/** Admits tool calls by the rules alone: hooks run automatically, so the user is not asked. */
type Admit = (tools: readonly Tool[], session: string | undefined) => readonly Tool[];

/** The hooks of plugins: none in an untrusted folder. Their code is loaded only if a plugin has hooks. */
export function lazyHooks(
	{ registry }: LivePlugins,
	permissions: Permissions,
	load: (admit: Admit) => Promise<TurnHooks>,
): TurnHooks {
	const hooks = once(() =>
		load((tools, session) => admittedTools(tools, { permissions }, { channel: "tools", session })),
	);
	const run = async (signal: AbortSignal, say: (loaded: TurnHooks) => Promise<HookSaid>) => {
		if (!vscode.workspace.isTrusted) return NOTHING;
		const { plugins } = await registry(signal);
		return plugins.some((plugin) => plugin.hooks.length > 0) ? say(await hooks.get()) : NOTHING;
	};
	return {
		prompt: (asked, signal) => run(signal, (loaded) => loaded.prompt(asked, signal)),
		before: (call, signal) => run(signal, (loaded) => loaded.before(call, signal)),
		after: (call, signal) => run(signal, (loaded) => loaded.after(call, signal)),
		end: (asked, signal) => run(signal, (loaded) => loaded.end(asked, signal)),
	};
}

export interface PluginNode extends TreeLine<PluginNode> {
	readonly plugin?: PluginDefinition;
	readonly command?: PluginCommand;
	readonly value?: ConfigValue;
}

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
	return treeOf(async () => rootsOf(await live.registry(), live), live.onDidChange);
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

/** `standing` is the user's consent to commands that do more than read. */
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
		// Commands of a plugin in a copilot's folder are called only by the copilot.
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
