import type { TreeItem } from "vscode";

/** Where nothing else is given, VS Code reads the tooltip of a line aloud, and not what stands in the line. */
export function saidAsShown(item: TreeItem): TreeItem {
	const shown = [item.label, item.description].filter((part) => typeof part === "string" && part !== "");
	item.accessibilityInformation ??= { label: shown.join(", ") };
	return item;
}
