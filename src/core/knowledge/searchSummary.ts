import type { Extent, Hit, SearchResult } from "./knowledge.ts";

const LEGS = [
	["text", "words"],
	["vector", "meaning"],
	["descriptor", "description"],
	["entity", "graph"],
] as const;

export const NOTHING_MATCHES =
	"There are no good matches. The nearest passages are shown, but they may share only a few words with the question.";

/** Explains a hit: `words #1, meaning #3, graph #2: Ada Byron → worksFor → Analytical Society`. */
export function describeWhy({ why, via }: Hit): string {
	const legs = LEGS.flatMap(([leg, name]) => (why[leg] === undefined ? [] : `${name} #${why[leg]}`));
	return `${legs.join(", ")}${via ? `: ${via}` : ""}`;
}

/** Formats `57 passages contain all search words`, with “at least” for a lower bound; `undefined` for 0. */
export function describeTotal({ total, isAtLeast }: SearchResult) {
	if (total === 0) return undefined;
	const many = `${total.toLocaleString("en")} passages contain all search words`;
	const passages = total === 1 ? "1 passage contains all search words" : many;
	return isAtLeast ? `at least ${passages}` : passages;
}

export function extentText(extent?: Extent): string {
	if (extent === "visible") return "what may be seen";
	return extent ? "the graph of the documents read so far" : "the graph of all documents";
}
