import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { IndexProgress, Knowledge } from "../../core/knowledge/knowledge.ts";
import { createReadiness, type Readiness } from "../../protocol/readiness.ts";
import { knowledgeFolders } from "../folders.ts";
import { graphEndpoint } from "../settings.ts";
import { nothingText } from "./indexReport.ts";
import type { IndexWatch } from "./indexState.ts";

/** Brings the index in step before it is asked, and tells a person how far that is. */
export interface FolderReadiness extends Omit<Readiness, "ensure"> {
	/** Rejects with a `Failure`, also where there is no folder. */
	ensure(report: (progress?: IndexProgress) => void, signal: AbortSignal): Promise<void>;
	/** Why no question can be answered from here: there is nothing that could be read. */
	emptiness(signal: AbortSignal): Promise<string | undefined>;
}

export function createFolderReadiness(
	knowledge: Pick<Knowledge, "index" | "status">,
	watch: Pick<IndexWatch, "note" | "rest" | "current">,
): FolderReadiness {
	const readiness = createReadiness({
		index: async (options, report, signal) => {
			const note = (progress: IndexProgress) => {
				watch.note({ progress });
				report(progress);
			};
			try {
				const done = await knowledge.index(options, note, signal);
				watch.note({ contents: done.contents });
				return done;
			} finally {
				watch.rest();
			}
		},
	});
	return {
		...readiness,
		index: async (...run) => {
			requireFolder();
			return readiness.index(...run);
		},
		ensure: async (report, signal) => {
			requireFolder();
			await readiness.ensure(report, signal);
		},
		emptiness: async (signal) => {
			if (watch.current.contents?.documents !== 0 || graphEndpoint() !== "") return undefined;
			// Files may have come since.
			const status = await knowledge.status(signal);
			return status.documents === 0 ? nothingText(status) : undefined;
		},
	};
}

/** The same questions, which see to the index before they are answered. */
export function whenReady(
	{ knowledge, graph }: { readonly knowledge: Knowledge; readonly graph: KnowledgeGraph },
	readiness: FolderReadiness,
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
		? vscode.l10n.t(
				"The folders of this workspace are not on a disk that Copilot-LD can read. Open a local folder.",
			)
		: vscode.l10n.t("Open a folder first: Copilot-LD answers from the files of the open folder.");
	throw new Failure("NO_FOLDER", message);
}
