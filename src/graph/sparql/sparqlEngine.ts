import type { Graph } from "../facts/graph.ts";
import { openSparqlLink, type SparqlLink } from "./sparqlLink.ts";
import { createSparqlSync, type SparqlSync } from "./sparqlSync.ts";

/** At most one SPARQL thread, that has the graph whenever it is asked for. */
export interface SparqlEngine {
	/** The thread, in step with the graph. One that cannot be brought in step is replaced, once. */
	open(signal: AbortSignal): Promise<SparqlLink>;
	/** Ends the thread, whatever it is doing; `open` starts another. */
	close(): Promise<void>;
}

export function createSparqlEngine(graph: Graph, threadUrl: URL | string): SparqlEngine {
	let running: { readonly link: SparqlLink; readonly sync: SparqlSync } | undefined;

	const close = async (): Promise<void> => {
		const link = running?.link;
		running = undefined;
		await link?.close();
	};
	const isInStep = async (sync: SparqlSync, signal: AbortSignal): Promise<boolean> => {
		if (sync.isReloadCheaper()) return false;
		try {
			await sync.run(signal);
			return true;
		} catch {
			// The thread has died, or cannot take the change: a new one takes it all.
			signal.throwIfAborted();
			return false;
		}
	};
	return {
		open: async (signal) => {
			if (running && (await isInStep(running.sync, signal))) return running.link;
			await close();
			const link = openSparqlLink(threadUrl);
			const sync = createSparqlSync(graph, link);
			running = { link, sync };
			await sync.run(signal);
			return link;
		},
		close,
	};
}
