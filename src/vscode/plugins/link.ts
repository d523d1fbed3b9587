import * as vscode from "vscode";
import { once } from "../../base/jobs/lazily.ts";
import type { HookSaid, Tool, TurnHooks } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { PLUGINS_FOLDER, type PluginRegistry } from "../../core/plugin/plugin.ts";
import { needsConsent } from "../../plugins/share/reach.ts";
import { showProblemsOf } from "../liveFiles.ts";
import { admittedTools, type PermissionsLink } from "../permissions/link.ts";
import { type MarkdownViewer, setContext } from "../registerEach.ts";
import { showProblems } from "../treeLines.ts";
import type { WorkerLink } from "../worker/link.ts";
import { createLivePlugins, type LivePlugins } from "./livePlugins.ts";
import { registerPluginsView } from "./pluginsView.ts";

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

/** Tells the user once about each change that stopped a plugin they had agreed to. */
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
			// Not waited for: the next plugin is not this one's business.
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

/** Decides on each call of some tools in a session by the rules alone: hooks run automatically, so the user is not asked. */
type Admit = (tools: readonly Tool[], session: string | undefined) => readonly Tool[];

/** The hooks of plugins: none in an untrusted folder. Their code is loaded only if a plugin has hooks. */
export function lazyHooks(
	{ registry }: LivePlugins,
	permissions: Permissions,
	load: (admit: Admit) => Promise<TurnHooks>,
): TurnHooks {
	const hooks = once(() =>
		load((tools, session) => admittedTools(tools, { permissions }, { door: "tools", session })),
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
