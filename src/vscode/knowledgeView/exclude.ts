import { relative, sep } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { Subject } from "./subject.ts";

const CONFIG = [".copilot-ld", "config.yaml"];

/** Adds a file or a folder to `exclude` in the configuration of its folder, and shows the line. */
export async function excludeFromIndex({ uri }: Subject): Promise<void> {
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	if (!folder)
		throw new Failure(
			"BAD_INPUT",
			vscode.l10n.t(
				"Only files of the workspace can be excluded here. Other folders are indexed because of the setting copilot-ld.folders.",
			),
		);
	const { type } = await vscode.workspace.fs.stat(uri);
	const path = relative(folder.uri.fsPath, uri.fsPath).split(sep).join("/");
	const place = `/${path}${type === vscode.FileType.Directory ? "/" : ""}`;
	const config = vscode.Uri.joinPath(folder.uri, ...CONFIG);
	const before = await read(config);
	const after = withExclude(before, place);
	await vscode.workspace.fs.writeFile(config, new TextEncoder().encode(after));
	const line = after.split("\n").findIndex((text) => text.includes(quotedPattern(place)));
	const selection = new vscode.Range(Math.max(0, line), 0, Math.max(0, line), 0);
	await vscode.window.showTextDocument(config, { selection });
}

/** The configuration with one more pattern; everything else of it stays as it is. */
export function withExclude(config: string, path: string): string {
	const quoted = quotedPattern(path);
	if (config.includes(quoted)) return config;
	const block = /^exclude:[ \t]*(?:#.*)?\r?\n(?<indent>[ \t]*)- /m.exec(config);
	if (block?.groups) {
		const at = block.index + block[0].length - 2 - (block.groups["indent"] ?? "").length;
		return `${config.slice(0, at)}${block.groups["indent"]}- ${quoted}\n${config.slice(at)}`;
	}
	const flow = /^exclude:[ \t]*\[(?<rest>[^\]]*)\]/m.exec(config);
	if (flow) {
		const rest = (flow.groups?.["rest"] ?? "").trim();
		const list = `exclude: [${quoted}${rest === "" ? "" : `, ${rest}`}]`;
		return config.slice(0, flow.index) + list + config.slice(flow.index + flow[0].length);
	}
	if (/^exclude:/m.test(config))
		throw new Failure(
			"BAD_INPUT",
			vscode.l10n.t(
				"Add {0} to exclude in .copilot-ld/config.yaml yourself: the file could not be edited automatically.",
				quoted,
			),
		);
	const gap = config === "" || config.endsWith("\n") ? "" : "\n";
	return `${config}${gap}exclude:\n  - ${quoted}\n`;
}

/** As a `.gitignore` names just this path, in YAML. */
function quotedPattern(path: string): string {
	return JSON.stringify(path.replace(/[\\*?[]/g, "\\$&"));
}

async function read(uri: vscode.Uri): Promise<string> {
	try {
		return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	} catch (thrown) {
		if (thrown instanceof vscode.FileSystemError && thrown.code === "FileNotFound") return "";
		throw thrown;
	}
}
