import { pathToFileURL } from "node:url";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import type { IndexContents, IndexProgress, Knowledge } from "../../core/knowledge/knowledge.ts";
import { createReadiness, tellingWords } from "../../protocol/readiness.ts";
import { knowledgeFolders } from "../folders.ts";
import type { VirtualDocuments } from "../registerEach.ts";
import { setting } from "../settings.ts";
import { nothingText } from "./indexReport.ts";
import type { WorkerLink } from "./link.ts";

/** Brings the index in step before a query, and shows the user the progress. */
export type FolderReadiness = ReturnType<typeof createFolderReadiness>;

export function createFolderReadiness(knowledge: Knowledge, watch: IndexWatch) {
	const readiness = createReadiness(async (options, report, signal) => {
		const note = (progress: IndexProgress) => {
			watch.note({ progress });
			report(progress);
		};
		// The background process may have to start before it reports progress.
		watch.note({ progress: NOT_LISTED });
		try {
			const done = await knowledge.index(options, note, signal);
			watch.note({ contents: done.contents });
			return done;
		} finally {
			watch.rest();
		}
	});
	return {
		...readiness,
		index: inFolder(readiness.index),
		/** Rejects with a `Failure`, also if there is no folder. */
		ensure: inFolder((report: Report, signal: AbortSignal) => readiness.ensure(report, signal)),
		/** The same for a question, which need not wait for all of a big folder. */
		begin: inFolder((report: Report, signal: AbortSignal, question?: string) => {
			const first = { uris: openFiles(), words: tellingWords(question ?? "") };
			return readiness.begin(report, signal, first);
		}),
		/** Why no question can be answered from here: there is nothing that could be read. */
		emptiness: async (signal: AbortSignal) => {
			if (watch.current.contents?.documents !== 0 || setting("graph.endpoint") !== "") return undefined;
			// Files may have come since.
			const status = await knowledge.status(signal);
			return status.documents === 0 ? nothingText(status) : undefined;
		},
	};
}

function inFolder<Given extends unknown[], Result>(run: (...given: Given) => Promise<Result>) {
	return async (...given: Given): Promise<Result> => {
		requireFolder();
		return run(...given);
	};
}

type Report = (progress?: IndexProgress) => void;

const NOT_LISTED: IndexProgress = { done: 0, total: 0, found: 0, current: "" };

/** The same queries, which bring the index in step first. */
export function whenReady({ knowledge, graph }: WorkerLink, readiness: FolderReadiness) {
	const ready = <Query, Result>(
		ask: (query: Query, signal: AbortSignal) => Promise<Result>,
		questionOf?: (query: Query) => string,
	) => {
		return async (query: Query, signal: AbortSignal) => {
			await readiness.begin(() => undefined, signal, questionOf?.(query));
			return ask(query, signal);
		};
	};
	return {
		knowledge: {
			...knowledge,
			search: ready(knowledge.search, ({ query }) => query),
			read: ready(knowledge.read, ({ target }) => target),
		},
		graph: { query: ready(graph.query), check: ready(graph.check), ontology: ready(graph.ontology) },
	};
}

function openFiles(): string[] {
	const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
	return tabs.flatMap(({ input }) =>
		input instanceof vscode.TabInputText && input.uri.scheme === "file"
			? [pathToFileURL(input.uri.fsPath).href]
			: [],
	);
}

export function requireFolder(): void {
	if (knowledgeFolders().length > 0) return;
	const message = vscode.workspace.workspaceFolders?.length
		? vscode.l10n.t(
				"The folders of this workspace are not on a disk that Copilot-LD can read. Open a local folder.",
			)
		: vscode.l10n.t("Open a folder first: Copilot-LD answers from the files of the open folder.");
	throw new Failure("NO_FOLDER", message);
}

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

export interface IndexState {
	readonly progress?: IndexProgress;
	readonly isPaused: boolean;
	/** What the index had when it was last looked at; absent before the first look. */
	readonly contents?: IndexContents;
}

/** Shares the state with its views. Sends no requests before the first one from elsewhere. */
export type IndexWatch = ReturnType<typeof createIndexWatch>;

export function createIndexWatch({
	knowledge,
	onDidChangeIndex,
}: Pick<WorkerLink, "knowledge" | "onDidChangeIndex">) {
	const changed = new vscode.EventEmitter<IndexState>();
	let current: IndexState = { isPaused: false };
	const set = (next: IndexState) => {
		current = next;
		changed.fire(next);
	};
	const look = coalesce(async () => {
		const contents = await knowledge.status(new AbortController().signal);
		const { contents: before, ...rest } = current;
		// A folder without files that can be read is known by a run; else an index without a document is one to be made.
		const isKnown =
			contents.documents > 0 || Object.keys(contents.skipped).length > 0 || before?.documents === 0;
		set({ ...rest, isPaused: contents.state === "paused", ...(isKnown && { contents }) });
	});
	// A run that is shown reports its own result; if the state cannot be read now, the next change updates it.
	const listening = onDidChangeIndex(() => {
		if (!current.progress) void look().catch(() => undefined);
	});
	return {
		get current() {
			return current;
		},
		onDidChange: changed.event,
		note: (news: Partial<IndexState>) => set({ ...current, ...news }),
		rest: () => {
			const { progress: _over, ...rest } = current;
			set(rest);
		},
		forget: () => {
			const { contents: _gone, ...rest } = current;
			set(rest);
		},
		dispose: () => vscode.Disposable.from(changed, listening).dispose(),
	};
}
