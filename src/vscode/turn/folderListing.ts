import * as vscode from "vscode";

/** What of a folder is named, and how deep. */
const ENTRIES = 300;
const DEPTH = 5;

/** Nobody who points at a folder means these. */
const LEFT_OUT = new Set([".git", ".hg", ".svn", ".copilot-ld", "node_modules"]);

/** The paths in a folder, those near its root first. Links are named, and not followed. */
export async function listFolder(root: vscode.Uri): Promise<string> {
	const lines: string[] = [];
	for await (const line of walk(root)) {
		if (lines.length === ENTRIES) return [...lines, MORE].join("\n");
		lines.push(line);
	}
	return lines.join("\n") || "(The folder is empty.)";
}

const MORE = "(There is more that is not listed.)";

async function* walk(root: vscode.Uri): AsyncGenerator<string> {
	const folders = [{ uri: root, path: "", depth: 1 }];
	for (const { uri, path, depth } of folders) {
		if (depth > DEPTH) return yield MORE;
		const entries = await entriesOf(uri);
		yield* entries.map(({ line }) => path + line);
		for (const { name, line, isFolder } of entries)
			if (isFolder)
				folders.push({ uri: vscode.Uri.joinPath(uri, name), path: path + line, depth: depth + 1 });
	}
}

async function entriesOf(folder: vscode.Uri) {
	const all = await vscode.workspace.fs.readDirectory(folder);
	const entries = all.map(([name, type]) => {
		const isFolder = type === vscode.FileType.Directory;
		return { name, isFolder, line: `${shown(name)}${isFolder ? "/" : ""}` };
	});
	return entries.filter(({ name }) => !LEFT_OUT.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A name is one line, whatever it holds. */
function shown(name: string): string {
	return name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "?");
}
