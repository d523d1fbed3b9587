import { setImmediate } from "node:timers/promises";
import type { Graph } from "./graph.ts";

/** Follows the documents of a graph. The term numbers passed to a follower are valid until the graph's next change. */
interface Follower<Kept> {
	/** `work` is the effort of reading the document, in a unit that is about equal for all documents. */
	read(document: string): { readonly kept: Kept; readonly work: number };
	forget(kept: Kept): void;
	/** Called after the documents of one turn are read, before the graph can change. */
	settle?(): void;
}

/** Maximum work, a few milliseconds, before other work of the process gets a turn. */
const TURN_WORK = 5000;

/** Returns a function that updates an index by reading new and changed documents one by one. */
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

	/** Must run before documents are read: a number of a removed node may already belong to another node. */
	function forgetChanged(): void {
		const now = graph.documents();
		for (const [document, { version, kept }] of documents)
			if (now.get(document) !== version) {
				forget(kept);
				documents.delete(document);
			}
	}

	/** Resolves to false if the graph changed before all documents were read. */
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
