import { relative, sep } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { pathOfFolder } from "../folders.ts";
import { showSearch } from "./searchPick.ts";
import { type Subject, subjectOf } from "./subject.ts";

const CONFIG = [".copilot-ld", "config.yaml"];

const LONGEST_QUERY = 300;

/** A page says a good deal in tags before its first word. */
const LONGEST_LOOK = 10_000;

/** What can be done with a line of the view "Knowledge", a file, a selection or a hit. */
export function nodeCommands(knowledge: Knowledge): Record<string, (target?: unknown) => unknown> {
	return {
		"copilot-ld.askAbout": askAbout,
		"copilot-ld.findRelated": (target) => findRelated(knowledge, target),
		"copilot-ld.revealFile": (target) =>
			vscode.commands.executeCommand("revealInExplorer", subjectOf(target).uri),
		"copilot-ld.copyPath": (target) => vscode.env.clipboard.writeText(subjectOf(target).uri.fsPath),
		"copilot-ld.copyIri": (target) => copyIri(target),
		"copilot-ld.excludeFromIndex": (target) => excludeFromIndex(subjectOf(target)),
		"copilot-ld.filterKnowledge": filterKnowledge,
		"copilot-ld.newChat": newChat,
	};
}

async function copyIri(target: unknown): Promise<void> {
	const { iri } = subjectOf(target);
	if (iri === undefined)
		throw new Failure("BAD_INPUT", vscode.l10n.t("Select a thing in the Knowledge view first."));
	await vscode.env.clipboard.writeText(iri);
}

/** VS Code's own find in trees, on what is unfolded. */
async function filterKnowledge(): Promise<void> {
	await vscode.commands.executeCommand("copilot-ld.knowledge.focus");
	await vscode.commands.executeCommand("list.find");
}

async function newChat(): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.chat.newChat");
	await vscode.commands.executeCommand("workbench.action.chat.open", {
		query: "@copilot-ld ",
		isPartialQuery: true,
	});
}

/** Adds a file or a folder to `exclude` in the configuration of its folder, and shows the line. */
async function excludeFromIndex({ uri }: Subject): Promise<void> {
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

/** Begins a question in the chat with what the person points at attached; they write the rest. */
async function askAbout(target: unknown): Promise<void> {
	const { uri, range, label } = subjectOf(target);
	const isFolder = label === undefined && range === undefined && (await isDirectory(uri));
	const about = label === undefined ? "" : vscode.l10n.t("What is known about “{0}”?", oneLine(label));
	await vscode.commands.executeCommand("workbench.action.chat.open", {
		query: `@copilot-ld ${isFolder ? vscode.l10n.t("In {0}: ", pathOfFolder(uri) ?? vscode.l10n.t("this folder")) : about}`,
		isPartialQuery: true,
		...(!isFolder && { attachFiles: [range ? { uri, range: toEditorRange(range) } : uri] }),
	});
}

/** Searches for what says something like it. */
async function findRelated(knowledge: Knowledge, target: unknown): Promise<void> {
	const subject = subjectOf(target);
	showSearch(knowledge, { query: await wordsOf(subject), except: subject });
}

async function wordsOf({ uri, range, label }: Subject): Promise<string> {
	if (label !== undefined) return oneLine(label);
	if (await isDirectory(uri)) return nameOf(uri);
	const document = await vscode.workspace.openTextDocument(uri);
	const text = oneLine(withoutTags(document.getText(range).slice(0, LONGEST_LOOK)));
	return text === "" ? nameOf(uri) : text;
}

/** Of a page, its words: every page has the same tags. */
function withoutTags(text: string): string {
	return text.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/gi, " ").replace(/<[^<>]*>/g, " ");
}

function nameOf({ path }: vscode.Uri): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_QUERY);
}

async function isDirectory(uri: vscode.Uri): Promise<boolean> {
	return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.Directory;
}

/** As editors count: from 1. */
function toEditorRange({ start, end }: vscode.Range) {
	return {
		startLineNumber: start.line + 1,
		startColumn: start.character + 1,
		endLineNumber: end.line + 1,
		endColumn: end.character + 1,
	};
}
