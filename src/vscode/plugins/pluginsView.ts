import * as vscode from "vscode";
import { isFailure } from "../../base/failure.ts";
import { toldOf } from "../reported.ts";
import type { MarkdownViewer } from "../virtualDocuments.ts";
import type { LivePlugins } from "./livePlugins.ts";
import { createPluginsTree, type PluginNode } from "./pluginsTree.ts";

interface ViewDeps {
	readonly live: LivePlugins;
	readonly documents: MarkdownViewer;
}

/** The view "Plugins", and its commands. Its first look starts the worker; before it, it costs nothing. */
export function registerPluginsView({ live, documents }: ViewDeps): vscode.Disposable {
	const tree = createPluginsTree(live);
	const setDisabled = (isDisabled: boolean) => async (node?: PluginNode) => {
		if (node?.kind !== "plugin") return;
		const { switchPlugin } = await import("./pluginConfig.ts");
		await switchPlugin(node.plugin, isDisabled);
	};
	const commands: Record<string, (node?: PluginNode) => unknown> = {
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
	};
	return vscode.Disposable.from(
		tree,
		vscode.window.createTreeView("copilot-ld.plugins", { treeDataProvider: tree, showCollapseAll: true }),
		...Object.entries(commands).map(([id, run]) =>
			vscode.commands.registerCommand(id, (node?: PluginNode) => telling(() => run(node))),
		),
	);
}

/** The edge of these commands: a person is told what went wrong. */
async function telling(run: () => unknown): Promise<void> {
	try {
		await run();
	} catch (thrown) {
		if (!isFailure(thrown) && !(thrown instanceof Error)) throw thrown;
		void vscode.window.showErrorMessage(toldOf(thrown));
	}
}
