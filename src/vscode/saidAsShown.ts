import type { TreeItem } from "vscode";

/** By default, VS Code reads the tooltip of a line aloud, and not the text in the line. */
export function saidAsShown(item: TreeItem): TreeItem {
	const shown = [item.label, item.description].filter((part) => typeof part === "string" && part !== "");
	item.accessibilityInformation ??= { label: shown.join(", ") };
	return item;
}
