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

/** Updates the index before a query, and shows the progress to the user. */
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
			watch.note({ progress: undefined });
		}
	});
	return {
		...readiness,
		index: inFolder(readiness.index),
		/** Updates the index. Rejects with a `Failure`, for example without a folder. */
		ensure: inFolder(readiness.ensure),
		/** Like `ensure`, for a question, which need not wait for all files of a big folder. */
		begin: inFolder((report: Report, signal: AbortSignal, question?: string) => {
			const first = { uris: openFiles(), words: tellingWords(question ?? "") };
			return readiness.begin(report, signal, first);
		}),
		/** The reason why no question can be answered, if no file could be read; else `undefined`. */
		emptiness: async (signal: AbortSignal) => {
			if (watch.current.contents?.documents !== 0 || setting("graph.endpoint") !== "") return undefined;
			// Files may have been added since the last look.
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

/** Wraps the queries so that they update the index first. */
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

export interface EditorServices {
	readonly context: vscode.ExtensionContext;
	readonly worker: WorkerLink;
	/** Updates the index before it searches, as in the chat. */
	readonly knowledge: Knowledge;
	readonly documents: VirtualDocuments;
	readonly readiness: FolderReadiness;
	readonly log: vscode.LogOutputChannel;
	readonly watch: IndexWatch;
}

export interface IndexState {
	readonly progress?: IndexProgress | undefined;
	readonly isPaused: boolean;
	/** Contents of the index at the last look; absent before the first look. */
	readonly contents?: IndexContents | undefined;
}

/** Shares the state of the index with views. Never sends the first request, which would start the worker. */
export type IndexWatch = ReturnType<typeof createIndexWatch>;

export function createIndexWatch({
	knowledge,
	onDidChangeIndex,
}: Pick<WorkerLink, "knowledge" | "onDidChangeIndex">) {
	const changed = new vscode.EventEmitter<IndexState>();
	let current: IndexState = { isPaused: false };
	const note = (news: Partial<IndexState>) => {
		current = { ...current, ...news };
		changed.fire(current);
	};
	const look = coalesce(async () => {
		const contents = await knowledge.status(new AbortController().signal);
		// An empty index is known to be complete only after a run; before a run, the index may not be built yet.
		const isKnown =
			contents.documents > 0 || Object.keys(contents.skipped).length > 0 || current.contents?.documents === 0;
		note({ isPaused: contents.state === "paused", contents: isKnown ? contents : undefined });
	});
	// A run reports its own result. If the state cannot be read now, the next change updates it.
	const listening = onDidChangeIndex(() => {
		if (!current.progress) void look().catch(() => undefined);
	});
	return {
		get current() {
			return current;
		},
		onDidChange: changed.event,
		note,
		dispose: () => vscode.Disposable.from(changed, listening).dispose(),
	};
}
