import type { Hit, SearchResult } from "../../core/knowledge/knowledge.ts";
import { formatPlace } from "../../core/knowledge/place.ts";
import { recordOf } from "../../store/port/documents.ts";
import type { DocumentReads } from "../../store/port/store.ts";

const MOST = 5;
/** Of 1; below, two names have nothing to do with each other. */
const LEAST_SIMILARITY = 0.5;

export interface SuggestPorts {
	readonly store: DocumentReads;
	readonly pathOf: (uri: string) => string;
	readonly search: (
		query: { readonly query: string; readonly limit: number },
		signal: AbortSignal,
	) => Promise<SearchResult>;
}

/** Names near to one that nothing has: similar paths, then resources and places with the same words. */
export function createSuggest({ store, pathOf, search }: SuggestPorts) {
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
