import * as vscode from "vscode";
import type { PluginRegistry } from "../../core/plugin/plugin.ts";
import { needsConsent } from "../../plugins/share/reach.ts";
import type { LivePlugins } from "./livePlugins.ts";

/** Tells the person once of each change by which a plugin that they agreed to stopped running. */
export function watchChangedPlugins(live: LivePlugins, log: vscode.LogOutputChannel): vscode.Disposable {
	const told = new Set<string>();
	const tell = async ({ plugins }: PluginRegistry) => {
		for (const plugin of plugins) {
			const change = JSON.stringify([plugin.source.uri, plugin.instance, plugin.fingerprint]);
			// What is in the folder of a copilot is told with the copilot.
			if (told.has(change) || plugin.isDisabled || plugin.agreedWith || !needsConsent(plugin, plugins))
				continue;
			if ((await live.standingOf(plugin)) !== "changed") continue;
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
