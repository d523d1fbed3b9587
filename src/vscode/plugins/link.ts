import * as vscode from "vscode";
import { PLUGINS_FOLDER, type PluginConsents, type PluginRegistry } from "../../core/plugin/plugin.ts";
import { needsConsent } from "../../plugins/share/reach.ts";
import { showProblems } from "../problems.ts";
import { firstTime, type MarkdownViewer, setContext } from "../registerEach.ts";
import type { WorkerLink } from "../worker/link.ts";
import { createLivePlugins, type LivePlugins } from "./livePlugins.ts";
import { registerPluginsView } from "./pluginsView.ts";

interface PluginParts {
	readonly documents: MarkdownViewer;
	readonly log: vscode.LogOutputChannel;
	readonly permissions: { readonly pluginConsents: PluginConsents };
}

const FILES = ["*/plugin.yaml", "config.yaml"].map(
	(file): vscode.DocumentFilter => ({ scheme: "file", pattern: `**/${PLUGINS_FOLDER}/${file}` }),
);

export function registerPlugins(
	{ plugins, onDidChangeIndex }: WorkerLink,
	{ documents, log, permissions }: PluginParts,
): LivePlugins {
	const live = createLivePlugins(plugins, permissions.pluginConsents);
	const shown = [
		registerPluginsView(live, documents),
		registerPluginDiagnostics(live, { log, onDidChangeIndex }),
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
				if (answer === review)
					void vscode.commands.executeCommand("copilot-ld.reviewPlugin", {
						kind: "plugin",
						plugin,
						problems: [],
					});
			});
		}
	};
	return live.onDidRead((found) => {
		if (vscode.workspace.isTrusted) tell(found).catch((thrown: unknown) => log.error(`Plugins: ${thrown}`));
	});
}

/** Shows what is wrong with files of plugins, from when one of them is opened or the plugins are looked at. */
function registerPluginDiagnostics(
	live: LivePlugins,
	{
		log,
		onDidChangeIndex,
	}: { readonly log: vscode.LogOutputChannel; readonly onDidChangeIndex: vscode.Event<void> },
): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection("copilot-ld.plugins");
	const look = () => {
		live.registry(new AbortController().signal).catch((thrown: unknown) => log.debug(`Plugins: ${thrown}`));
	};
	// The last result may not include the file, and the file watcher may have missed that it was created.
	const lookFor = (document: vscode.TextDocument) => {
		if (vscode.languages.match(FILES, document) > 0) live.refresh();
	};
	return vscode.Disposable.from(
		collection,
		firstTime(onDidChangeIndex, look),
		live.onDidRead(({ plugins, problems }) => {
			setContext("hasPlugins", plugins.length + problems.length > 0);
			showProblems(collection, problems);
		}),
		live.onDidChange(look),
		vscode.workspace.onDidOpenTextDocument(lookFor),
		vscode.workspace.onDidSaveTextDocument(lookFor),
		// What is not dirty was read from the disk again.
		vscode.workspace.onDidChangeTextDocument(({ document }) => document.isDirty || lookFor(document)),
	);
}
