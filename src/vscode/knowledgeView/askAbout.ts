import * as vscode from "vscode";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { pathOfFolder } from "../folders.ts";
import { showSearch } from "./searchPick.ts";
import { type Subject, subjectOf } from "./subject.ts";

const LONGEST_QUERY = 300;
/** A page says a good deal in tags before its first word. */
const LONGEST_LOOK = 10_000;

/** Begins a question in the chat with what the person points at attached; they write the rest. */
export async function askAbout(target: unknown): Promise<void> {
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
export async function findRelated(knowledge: Knowledge, target: unknown): Promise<void> {
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
