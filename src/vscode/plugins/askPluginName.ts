import * as vscode from "vscode";
import { PLUGINS_FOLDER } from "../../core/plugin/plugin.ts";
import { PLUGIN_NAME } from "../../plugins/manifest/schema.ts";

/** A name that no plugin of a folder has yet; `undefined` if the user cancels. */
export async function askPluginName(
	folder: vscode.Uri,
	{ title, value = "" }: { readonly title: string; readonly value?: string },
): Promise<string | undefined> {
	const place = vscode.Uri.joinPath(folder, PLUGINS_FOLDER);
	const entries = await vscode.workspace.fs.readDirectory(place).then(
		(found) => found,
		() => [],
	);
	const taken = new Set(entries.map(([entry]) => entry.toLowerCase()));
	return vscode.window.showInputBox({
		title,
		value,
		prompt: vscode.l10n.t("Name the tool"),
		placeHolder: "people-by-job",
		validateInput: (name) => {
			if (!PLUGIN_NAME.test(name))
				return vscode.l10n.t("Use 1 to 32 lower-case letters, digits and hyphens, a letter first.");
			return taken.has(name) ? vscode.l10n.t("There is a tool with this name.") : undefined;
		},
	});
}
