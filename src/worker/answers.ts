import type { Embedder } from "../core/embedder.ts";
import type { KnowledgeGraph } from "../core/graph.ts";
import type { Knowledge } from "../core/knowledge.ts";
import { createRetriever } from "../retrieve/search.ts";
import { createKnowledgeGraph } from "../store/graph/knowledgeGraph.ts";
import { createSparql } from "../store/graph/sparql.ts";
import type { Store } from "../store/store.ts";
import { createReader, type ReaderPorts } from "./read.ts";
import type { StoreGraph } from "./storeGraph.ts";
import { createSuggest } from "./suggest.ts";

/** All that is answered from the content of documents. */
export interface Answers extends Pick<Knowledge, "search" | "read"> {
	readonly graph: KnowledgeGraph;
	/** Has these documents read again into the graph. */
	invalidate(uris: readonly string[]): void;
	close(): Promise<void>;
}

export interface AnswerPorts {
	readonly store: Store;
	readonly storeGraph: StoreGraph;
	readonly embedder: Embedder | undefined;
	readonly pathOf: (uri: string) => string;
	/** Absolute path of the program of the graph's thread. */
	readonly sparqlProgram: string;
	readonly hiddenLines: ReaderPorts["hiddenLines"];
}

export function createAnswers({ store, storeGraph, embedder, pathOf, ...ports }: AnswerPorts): Answers {
	const { graph } = storeGraph;
	const { search } = createRetriever({ store, embedder, pathOf });
	const suggest = createSuggest({ store, pathOf, search });
	const sparql = createSparql({ graph, threadUrl: ports.sparqlProgram });
	return {
		search,
		read: createReader({ store, pathOf, suggest, hiddenLines: ports.hiddenLines }),
		graph: inStep(createKnowledgeGraph({ graph, sparql, toPath: pathOf }), storeGraph),
		invalidate: storeGraph.invalidate,
		close: sparql.close,
	};
}

/** The graph is read when it is first asked, and brought in step before every question. */
function inStep(knowledge: KnowledgeGraph, graph: StoreGraph): KnowledgeGraph {
	const after = async <Result>(signal: AbortSignal, ask: () => Promise<Result>) => {
		await graph.current(signal);
		return ask();
	};
	return {
		query: (query, signal) => after(signal, () => knowledge.query(query, signal)),
		check: (sparql, signal) => after(signal, () => knowledge.check(sparql, signal)),
		ontology: (query, signal) => after(signal, () => knowledge.ontology(query, signal)),
	};
}
