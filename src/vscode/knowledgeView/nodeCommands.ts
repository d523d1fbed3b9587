import { basename, relative, sep } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { briefPlace } from "../../core/knowledge/citation.ts";
import type { Hit, Knowledge } from "../../core/knowledge/knowledge.ts";
import { isCancellation } from "../cancellation.ts";
import { editFile, locationOf, openLocation, pathOfFolder } from "../folders.ts";
import { toldOf, translated } from "../l10n.ts";
import { beginChat, sendToChat } from "../models/passagesModel.ts";
import { type Subject, subjectOf } from "./subject.ts";

export const ASK_QUESTION = "copilot-ld.ask";

const LONGEST_QUERY = 300;

/** Characters of a page to search for words: many tags may precede the first word. */
const LONGEST_LOOK = 10_000;

const LIMIT = 20;

interface HitItem extends vscode.QuickPickItem {
	readonly hit?: Hit;
}

interface SearchPickOptions {
	readonly query: string;
	readonly except?: Subject;
}

const ASK: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon("comment-discussion"),
	tooltip: vscode.l10n.t("Ask Copilot-LD About This"),
};

export function nodeCommands(knowledge: Knowledge): Record<string, (target?: unknown) => unknown> {
	return {
		[ASK_QUESTION]: (query) => typeof query === "string" && sendToChat(query),
		"copilot-ld.askAbout": askAbout,
		"copilot-ld.findRelated": async (target) => {
			const except = subjectOf(target);
			showSearch(knowledge, { query: await wordsOf(except), except });
		},
		"copilot-ld.revealFile": (target) =>
			vscode.commands.executeCommand("revealInExplorer", subjectOf(target).uri),
		"copilot-ld.copyPath": (target) => vscode.env.clipboard.writeText(subjectOf(target).uri.fsPath),
		"copilot-ld.showThingReferences": (target) => {
			const { uri, range, iri } = subjectOf(target);
			return vscode.commands.executeCommand("copilot-ld.showReferences", uri, range?.start, iri);
		},
		"copilot-ld.copyIri": copyIri,
		"copilot-ld.excludeFromIndex": (target) => excludeFromIndex(subjectOf(target)),
		// VS Code's own find in trees, which searches the expanded nodes.
		"copilot-ld.filterKnowledge": async () => {
			await vscode.commands.executeCommand("copilot-ld.knowledge.focus");
			await vscode.commands.executeCommand("list.find");
		},
		"copilot-ld.newChat": async () => {
			await vscode.commands.executeCommand("workbench.action.chat.newChat");
			await beginChat("@copilot-ld ");
		},
	};
}

async function copyIri(target: unknown): Promise<void> {
	const { iri } = subjectOf(target);
	const none = vscode.l10n.t("Select a thing in the Knowledge view first.");
	if (iri === undefined) throw new Failure("BAD_INPUT", none);
	await vscode.env.clipboard.writeText(iri);
}

async function excludeFromIndex({ uri }: Subject): Promise<void> {
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	const extra = vscode.l10n.t(
		"Only files of the workspace can be excluded here. Other folders are indexed because of the setting copilot-LD.folders.",
	);
	if (!folder) throw new Failure("BAD_INPUT", extra);
	const path = relative(folder.uri.fsPath, uri.fsPath).split(sep).join("/");
	const place = `/${path}${(await isDirectory(uri)) ? "/" : ""}`;
	const config = vscode.Uri.joinPath(folder.uri, ".copilot-ld", "config.yaml");
	const document = await editFile(config, (text) => withExclude(text, place));
	const at = document.positionAt(document.getText().indexOf(quotedPattern(place)));
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

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
	const byHand = vscode.l10n.t(
		"Add {0} to exclude in .copilot-ld/config.yaml yourself: the file could not be edited automatically.",
		quoted,
	);
	if (/^exclude:/m.test(config)) throw new Failure("BAD_INPUT", byHand);
	const gap = config === "" || config.endsWith("\n") ? "" : "\n";
	return `${config}${gap}exclude:\n  - ${quoted}\n`;
}

/** Quotes a path in YAML, as a `.gitignore` pattern that matches only this path. */
function quotedPattern(path: string): string {
	return JSON.stringify(path.replace(/[\\*?[]/g, "\\$&"));
}

async function askAbout(target: unknown): Promise<void> {
	const { uri, range, label } = subjectOf(target);
	const isFolder = label === undefined && range === undefined && (await isDirectory(uri));
	const about = label === undefined ? "" : vscode.l10n.t("What is known about “{0}”?", oneLine(label));
	const inFolder = vscode.l10n.t("In {0}: ", pathOfFolder(uri) ?? vscode.l10n.t("this folder"));
	await vscode.commands.executeCommand("workbench.action.chat.open", {
		query: `@copilot-ld ${isFolder ? inFolder : about}`,
		isPartialQuery: true,
		...(!isFolder && { attachFiles: [range ? { uri, range: toEditorRange(range) } : uri] }),
	});
}

async function wordsOf({ uri, range, label }: Subject): Promise<string> {
	if (label !== undefined) return oneLine(label);
	if (await isDirectory(uri)) return basename(uri.path);
	const document = await vscode.workspace.openTextDocument(uri);
	const source = document.getText(range).slice(0, LONGEST_LOOK);
	// Omit tags, which are the same in every page.
	const text = oneLine(
		source.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/gi, " ").replace(/<[^<>]*>/g, " "),
	);
	return text === "" ? basename(uri.path) : text;
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_QUERY);
}

async function isDirectory(uri: vscode.Uri): Promise<boolean> {
	return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.Directory;
}

function toEditorRange({ start, end }: vscode.Range) {
	return {
		startLineNumber: start.line + 1,
		startColumn: start.character + 1,
		endLineNumber: end.line + 1,
		endColumn: end.character + 1,
	};
}

export function showSearch(knowledge: Knowledge, asked: SearchPickOptions = { query: "" }): void {
	const pick = vscode.window.createQuickPick<HitItem>();
	pick.title = asked.except ? vscode.l10n.t("Related Passages") : vscode.l10n.t("Search Knowledge Base");
	pick.placeholder = vscode.l10n.t("Search by meaning and by words");
	pick.value = asked.query;
	let latest = new AbortController();
	const search = async (query: string) => {
		latest.abort();
		latest = new AbortController();
		const { signal } = latest;
		pick.busy = true;
		const items = query.trim() === "" ? [] : await itemsFor(knowledge, { ...asked, query }, signal);
		if (signal.aborted) return;
		pick.items = items;
		pick.busy = false;
	};
	pick.onDidChangeValue((query) => void search(query));
	pick.onDidAccept(() => {
		const [chosen] = pick.selectedItems;
		const location = chosen?.hit && locationOf(chosen.hit);
		if (location) void openLocation(location);
		pick.hide();
	});
	pick.onDidTriggerItemButton(({ item }) => {
		void vscode.commands.executeCommand("copilot-ld.askAbout", item.hit);
		pick.hide();
	});
	pick.onDidHide(() => {
		latest.abort();
		pick.dispose();
	});
	pick.show();
	void search(asked.query);
}

async function itemsFor(knowledge: Knowledge, { query, except }: SearchPickOptions, signal: AbortSignal) {
	try {
		const { hits, notices } = await knowledge.search({ query, limit: LIMIT, channel: "chat" }, signal);
		const found = hits.filter((hit) => !isSame(hit, except)).map(toItem);
		const none = { label: vscode.l10n.t("Nothing matches. Try other words."), alwaysShow: true };
		const iconPath = new vscode.ThemeIcon("info");
		const notes = notices.map((label) => ({ label: translated(label), iconPath, alwaysShow: true }));
		return [...(found.length === 0 ? [none] : found), ...notes];
	} catch (thrown) {
		if (isCancellation(thrown) || signal.aborted) return [];
		return [{ label: toldOf(thrown), iconPath: new vscode.ThemeIcon("error"), alwaysShow: true }];
	}
}

function isSame(hit: Hit, except: Subject | undefined): boolean {
	const location = except && locationOf(hit);
	if (!location || location.uri.toString() !== except.uri.toString()) return false;
	return except.range === undefined || location.range.intersection(except.range) !== undefined;
}

function toItem(hit: Hit): HitItem {
	const detail = withoutIcons(hit.text.replace(/\s+/g, " ").slice(0, 200));
	const place = `${hit.path}:${briefPlace(hit.lines)}`;
	const description = withoutIcons(hit.via === undefined ? place : `${place} · ${hit.via}`);
	return { label: withoutIcons(hit.title), description, detail, alwaysShow: true, buttons: [ASK], hit };
}

/** Prevents VS Code from drawing an icon if a document contains `$(error)`. */
function withoutIcons(text: string): string {
	return text.replaceAll("$(", "$ (");
}
