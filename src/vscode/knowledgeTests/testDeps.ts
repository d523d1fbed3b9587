import type * as vscode from "vscode";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";

export interface TestDeps {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly runners: {
		/** Answers without a language model. */
		passages(): Promise<Runner>;
		/** Opens a runner for answers; rejects with a `Failure` if there is none. */
		openRunner(context: object): Promise<Runner>;
	};
	readonly worker: { readonly onDidChangeIndex: vscode.Event<void> };
	readonly log: vscode.LogOutputChannel;
}

export type Asker = "passages" | "model";
