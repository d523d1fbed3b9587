import { setImmediate } from "node:timers/promises";
import type { Graph } from "./graph.ts";

/** The graph's term numbers are valid until its next change. */
interface Follower<Kept> {
	/** `work` is the effort of reading the document, in about the same unit for every document. */
	read(document: string): { readonly kept: Kept; readonly work: number };
	forget(kept: Kept): void;
	/** Called after the documents of one turn are read, before the graph can change. */
	settle?(): void;
}

/** Maximum work before the event loop gets a turn: some milliseconds. */
const TURN_WORK = 5000;

/** Returns a function that brings an index up to date: it reads changed documents again, one by one. */
export function followDocuments<Kept>(graph: Graph, { read, forget, settle }: Follower<Kept>) {
	const documents = new Map<string, { readonly version: number; readonly kept: Kept }>();
	let seen = -1;
	let last: Promise<void> = Promise.resolve();
	return () => {
		last = last.then(bringInStep);
		return last;
	};

	async function bringInStep(): Promise<void> {
		while (seen !== graph.version) {
			const { version } = graph;
			forgetChanged();
			if (await readUnread(version)) seen = version;
		}
	}

	/** Called before anything is read: the number of a removed node may belong to another node by now. */
	function forgetChanged(): void {
		const now = graph.documents();
		for (const [document, { version, kept }] of documents)
			if (now.get(document) !== version) {
				forget(kept);
				documents.delete(document);
			}
	}

	/** Returns whether all documents are read; `false` if the graph changed in between. */
	async function readUnread(version: number): Promise<boolean> {
		const unread = [...graph.documents()].filter(([document]) => !documents.has(document));
		let done = 0;
		for (const [document, since] of unread) {
			if (done > TURN_WORK) {
				settle?.();
				await setImmediate();
				if (graph.version !== version) return false;
				done = 0;
			}
			const { kept, work } = read(document);
			documents.set(document, { version: since, kept });
			done += work;
		}
		settle?.();
		return true;
	}
}
