import type * as vscode from "vscode";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { VirtualDocuments } from "../registerEach.ts";
import type { WorkerLink } from "./link.ts";
import type { FolderReadiness, IndexWatch } from "./readiness.ts";

/** What the Knowledge view, the problems, the names in editors and the graph share. */
export interface EditorServices {
	readonly context: vscode.ExtensionContext;
	readonly worker: WorkerLink;
	/** As the chat asks it: it begins to index. */
	readonly knowledge: Knowledge;
	readonly documents: VirtualDocuments;
	readonly readiness: FolderReadiness;
	readonly log: vscode.LogOutputChannel;
	readonly watch: IndexWatch;
}
