import * as vscode from "vscode";
import { coalesce } from "../../base/jobs/coalesce.ts";
import type { IndexContents, IndexProgress, Knowledge } from "../../core/knowledge/knowledge.ts";

export interface IndexState {
	/** How far a run that was begun here is. */
	readonly progress?: IndexProgress;
	readonly isPaused: boolean;
	/** What the index had when it was last looked at; absent before the first look. */
	readonly contents?: IndexContents;
}

/** Tells those who show it. Nothing is asked before somebody else has asked something. */
export interface IndexWatch extends vscode.Disposable {
	readonly current: IndexState;
	readonly onDidChange: vscode.Event<IndexState>;
	note(news: Partial<IndexState>): void;
	rest(): void;
	forget(): void;
}

interface WatchDeps {
	readonly knowledge: Knowledge;
	readonly onDidChangeIndex: vscode.Event<void>;
}

export function createIndexWatch({ knowledge, onDidChangeIndex }: WatchDeps): IndexWatch {
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
	// A run that is shown tells itself what came of it; what cannot be learned now comes with the next change.
	const listening = onDidChangeIndex(() => {
		if (!current.progress) void look().catch(() => undefined);
	});
	return {
		get current() {
			return current;
		},
		onDidChange: changed.event,
		note: (news) => set({ ...current, ...news }),
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
