import * as vscode from "vscode";
import { registerDiagnostics } from "../knowledgeView/diagnostics.ts";
import { registerKnowledgeView } from "../knowledgeView/view.ts";
import { registerLanguage } from "../language/link.ts";
import type { WorkerLink } from "../worker/link.ts";
import { registerGraphView } from "./link.ts";

type Parts = Omit<Parameters<typeof registerLanguage>[0], "things" | "graph" | "sessions" | "onDidChange"> &
	Pick<Parameters<typeof registerKnowledgeView>[0], "watch" | "knowledge">;

/** What the editor shows of the knowledge: its files, what is wrong with them, its names, and its picture. */
export function registerInEditor(worker: WorkerLink, parts: Parts): vscode.Disposable {
	const { catalog, things, onDidChangeIndex: onDidChange } = worker;
	const { log, context, watch, knowledge } = parts;
	return vscode.Disposable.from(
		registerKnowledgeView({ catalog, knowledge, onDidChange, watch }),
		registerDiagnostics({ catalog, things, log, onDidChange }),
		registerLanguage({ ...worker, ...parts, onDidChange }),
		registerGraphView({ ...worker, ...parts, extensionUri: context.extensionUri }),
	);
}
