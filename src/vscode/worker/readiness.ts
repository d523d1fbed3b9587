import * as vscode from "vscode";
import { Failure, isFailure } from "../../base/failure.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { IndexProgress, IndexReport, Knowledge } from "../../core/knowledge/knowledge.ts";
import { knowledgeFolders } from "../folders.ts";
import { progressText } from "./indexReport.ts";

/** Sees to it that there is an index, in step with the files, before somebody asks it. */
export interface Readiness {
	/**
	 * Resolves once the files were compared with the index since the window opened, or where another program does that.
	 * Rejects with a `Failure`.
	 */
	ensure(report: (text: string) => void, signal: AbortSignal): Promise<void>;
	index(
		options: { readonly rebuild: boolean },
		report: (progress: IndexProgress) => void,
		signal: AbortSignal,
	): Promise<IndexReport>;
	/** The files may have changed unseen: the next `ensure` compares again. */
	forget(): void;
}

export function createReadiness(knowledge: Knowledge): Readiness {
	let inStep = false;
	const index: Readiness["index"] = async (options, report, signal) => {
		requireFolder();
		const result = await knowledge.index(options, report, signal);
		inStep = true;
		return result;
	};
	return {
		index,
		ensure: async (report, signal) => {
			requireFolder();
			if (inStep) return;
			report("Comparing the index with the files");
			try {
				await index({ rebuild: false }, (progress) => report(progressText(progress)), signal);
			} catch (thrown) {
				// Who keeps it in step may end: the next question tries again. Where nobody here may, it is searched as it is.
				if (!isFailure(thrown) || (thrown.code !== "BUSY" && thrown.code !== "READ_ONLY")) throw thrown;
			}
		},
		forget: () => {
			inStep = false;
		},
	};
}

/** The same questions, which see to the index before they are answered. */
export function whenReady(
	{ knowledge, graph }: { readonly knowledge: Knowledge; readonly graph: KnowledgeGraph },
	readiness: Readiness,
): { readonly knowledge: Knowledge; readonly graph: KnowledgeGraph } {
	const ready = <Query, Result>(ask: (query: Query, signal: AbortSignal) => Promise<Result>) => {
		return async (query: Query, signal: AbortSignal) => {
			await readiness.ensure(() => undefined, signal);
			return ask(query, signal);
		};
	};
	return {
		knowledge: { ...knowledge, search: ready(knowledge.search), read: ready(knowledge.read) },
		graph: {
			query: ready(graph.query),
			check: async (query, signal) => {
				await readiness.ensure(() => undefined, signal);
				return graph.check(query, signal);
			},
			ontology: ready(graph.ontology),
		},
	};
}

/** Fails where there is nothing to answer from. */
export function requireFolder(): void {
	if (knowledgeFolders().length > 0) return;
	const message = vscode.workspace.workspaceFolders?.length
		? "The folders of this workspace are not on a disk that Copilot-LD can read. Open a local folder."
		: "Open a folder first: Copilot-LD answers from the files of the folder that is open.";
	throw new Failure("NO_FOLDER", message);
}
