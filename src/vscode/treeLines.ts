import * as vscode from "vscode";

export interface TreeLine<Line> {
	readonly item: vscode.TreeItem;
	readonly children?: () => Promise<Line[]>;
}

interface LineParts {
	readonly icon?: vscode.ThemeIcon;
	readonly description?: string | undefined;
	/** What the menus are chosen by. */
	readonly context?: string;
	/** Instead of what is shown, for screen readers. */
	readonly said?: string;
	readonly command?: vscode.Command;
	readonly tooltip?: string;
	readonly id?: string;
}

export function lineOf(
	label: string,
	{ icon, description, context, said, ...rest }: LineParts,
	state = vscode.TreeItemCollapsibleState.None,
): vscode.TreeItem {
	// By default, VS Code reads the tooltip of a line aloud, and not the text in the line.
	const shown = [label, description].filter((part) => part !== undefined && part !== "").join(", ");
	return Object.assign(new vscode.TreeItem(label, state), rest, {
		iconPath: icon,
		description,
		contextValue: context,
		accessibilityInformation: { label: said ?? shown },
	});
}

export function treeOf<Line extends TreeLine<Line>>(
	roots: () => Promise<Line[]>,
	onDidChangeTreeData: vscode.Event<void>,
): vscode.TreeDataProvider<Line> {
	return {
		onDidChangeTreeData,
		getTreeItem: ({ item }) => item,
		getChildren: (line) => (line ? line.children?.() : roots()),
	};
}
