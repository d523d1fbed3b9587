import { measured } from "../../base/traces/recorder.ts";
import { formatPlace } from "../../core/knowledge/citation.ts";
import type { FactGraph } from "../../core/knowledge/graph.ts";
import type { Hit, SearchResult } from "../../core/knowledge/knowledge.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { aliasesOf } from "../../graph/facts/sameThings.ts";
import { createKnowledgeGraph, rememberSummary } from "../../graph/knowledgeGraph.ts";
import { createSparql, type Sparql } from "../../graph/sparql/sparql.ts";
import { createDescriptorLeg } from "../../retrieve/descriptorLeg.ts";
import { createRetriever } from "../../retrieve/search.ts";
import { recordOf } from "../../store/port/documents.ts";
import type { DocumentReads, Reads } from "../../store/port/store.ts";
import type { AnswerPorts, Answers } from "./answerPorts.ts";
import { describeLinks } from "./links.ts";
import { createPlaceOf, createReader } from "./read.ts";
import type { StoreGraph } from "./storeGraph.ts";
import { createThings } from "./things.ts";

const MOST = 5;

/** Minimum similarity, up to 1; names below it are unrelated. */
const LEAST_SIMILARITY = 0.5;

interface SuggestPorts {
	readonly store: DocumentReads;
	readonly pathOf: (uri: string) => string;
	readonly search: (
		query: { readonly query: string; readonly limit: number },
		signal: AbortSignal,
	) => Promise<SearchResult>;
}

export function createAnswers(ports: AnswerPorts): Answers {
	const { store, storeGraph, pathOf } = ports;
	const { graph } = storeGraph;
	const closing = new AbortController();
	const placeOf = createPlaceOf(() => store.documents());
	const summarize = rememberSummary(graph);
	const { search } = createRetriever({
		...ports,
		store: measuredReads(store),
		placeOf,
		descriptors: createDescriptorLeg({ store, index: ports.descriptors, sight: ports.sight }),
		facts: {
			graph,
			ready: async (signal) => (await storeGraph.soon(signal)) !== undefined,
			catchUp: storeGraph.catchUp,
		},
		classes: () => summarize().classes,
	});
	const suggest = createSuggest({ store, pathOf, search });
	const sparql = measuredSparql(createSparql({ graph, threadUrl: ports.sparqlProgram }));
	const read = createReader({
		store,
		pathOf,
		placeOf,
		suggest,
		hiddenLines: ports.hiddenLines,
		aliasesOf: async (id, signal) => aliasesOf(await storeGraph.current(signal), id),
	});
	const cite = (uri: string, lines: LineRange) => ({ path: pathOf(uri), lines: placeOf(uri, lines) });
	const linksOf = async (target: string, signal: AbortSignal) => {
		const id = await resourceNamed(target, store);
		return id === undefined ? [] : describeLinks(await storeGraph.current(signal), id);
	};
	return {
		search,
		read: async (query, signal) => {
			const result = await read(query, signal);
			return result.parts.length > 0 ? { ...result, links: await linksOf(query.target, signal) } : result;
		},
		graph: inStep(createKnowledgeGraph({ graph, sparql, cite, summarize }), storeGraph),
		things: createThings(ports),
		invalidate: storeGraph.invalidate,
		loadAhead: () => storeGraph.readAhead(() => sparql.load(closing.signal)),
		close: async () => {
			closing.abort();
			await Promise.all([storeGraph.close(), sparql.close()]);
		},
	};
}

function measuredReads(store: Reads): Reads {
	return {
		...store,
		matchText: (...asked) => measured("search by words", () => store.matchText(...asked)),
		matchVector: (...asked) => measured("search by meaning", () => store.matchVector(...asked)),
		rowsAbout: (...asked) => measured("search by the graph", () => store.rowsAbout(...asked)),
		read: (...asked) => measured("read passages", () => store.read(...asked)),
	};
}

function measuredSparql(sparql: Sparql): Sparql {
	return { ...sparql, query: (...asked) => measured("sparql", () => sparql.query(...asked)) };
}

/** The id of the only resource with this IRI or this label; `undefined` for a file, or if several have the label. */
async function resourceNamed(target: string, store: Reads): Promise<string | undefined> {
	if ((await store.passagesAbout(target)).length > 0) return target;
	const labelled = await store.resourcesLabelled(target);
	const ids = new Set(labelled.map(({ resource }) => resource.id));
	const [id] = ids;
	return ids.size === 1 && !id?.startsWith("_:") ? id : undefined;
}

const LOADED_NOTICE =
	"The graph had to be read before this answer. The next answer does not have to wait for it.";

/** The graph is read when it is first asked, and brought in step before every question. */
function inStep(knowledge: FactGraph, graph: StoreGraph): FactGraph {
	const after = async <Result>(signal: AbortSignal, ask: () => Promise<Result>) => {
		await graph.current(signal);
		return ask();
	};
	return {
		query: async (query, signal) => {
			const wasRead = (await graph.soon(signal)) !== undefined;
			const result = await after(signal, () => knowledge.query(query, signal));
			return wasRead ? result : { ...result, notices: [LOADED_NOTICE, ...result.notices] };
		},
		check: (query, signal) => after(signal, () => knowledge.check(query, signal)),
		ontology: (query, signal) => after(signal, () => knowledge.ontology(query, signal)),
	};
}

/** Names near to one that nothing has: similar paths, then resources and places with the same words. */
function createSuggest({ store, pathOf, search }: SuggestPorts) {
	return async (name: string, signal: AbortSignal): Promise<string[]> => {
		const paths = [...store.documents().entries()]
			.filter((entry) => entry.isSound || recordOf(entry).state.kind === "indexed")
			.map(({ uri }) => pathOf(uri));
		const { hits } = await search({ query: name, limit: MOST }, signal);
		const worded = hits.filter(({ why }) => why.text !== undefined).map(nameOf);
		return [...new Set([...similar(name, paths), ...worded])].slice(0, MOST);
	};
}

function nameOf({ iri, path, lines }: Hit): string {
	return iri ?? `${path}:${formatPlace(lines)}`;
}

function similar(name: string, paths: readonly string[]): string[] {
	return paths
		.map((path) => ({ path, similarity: similarity(name.toLowerCase(), path.toLowerCase()) }))
		.filter((candidate) => candidate.similarity >= LEAST_SIMILARITY)
		.sort((a, b) => b.similarity - a.similarity)
		.map(({ path }) => path);
}

/** Sørensen–Dice coefficient over pairs of characters. */
function similarity(a: string, b: string): number {
	const [ofA, ofB] = [pairsOf(a), pairsOf(b)];
	return (2 * ofA.intersection(ofB).size) / Math.max(1, ofA.size + ofB.size);
}

function pairsOf(text: string): Set<string> {
	return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}
