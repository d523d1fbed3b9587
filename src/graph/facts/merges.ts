import { compareTexts } from "../../base/text/compareTexts.ts";
import { subjectOf } from "../../core/knowledge/rdf.ts";
import type { Graph } from "./graph.ts";
import { isIdentifying, type Sameness, shareIdentifier, statedSameness } from "./sameThings.ts";

/** Resources of the documents that seem to be one thing. Only a proposal: the data stays as it is. */
export interface ProposedMerge {
	/** Ids, at least two of which the documents describe. Sorted. */
	readonly ids: readonly string[];
	readonly samenesses: readonly Sameness[];
}

/** By the first id. */
export function proposeMerges(graph: Graph): ProposedMerge[] {
	const groups = groupSamenesses([...statedSameness(graph), ...equalIdentifiers(graph)]);
	return groups
		.map((samenesses) => ({
			ids: [...new Set(samenesses.flatMap(({ between }) => between))].sort(compareTexts),
			samenesses,
		}))
		.filter(({ ids }) => ids.filter((id) => isDescribed(graph, id)).length > 1)
		.sort((a, b) => compareTexts(a.ids[0] ?? "", b.ids[0] ?? ""));
}

function isDescribed(graph: Graph, id: string): boolean {
	return !graph.match({ subject: subjectOf(id) }).next().done;
}

/** Each pair once. */
function equalIdentifiers(graph: Graph): Sameness[] {
	return identifyingPredicates(graph)
		.flatMap((predicate) => [...graph.match({ predicate })])
		.filter(({ object }) => object.termType === "Literal" && object.value !== "")
		.flatMap((quad) => shareIdentifier(graph, quad))
		.filter(({ between: [first, second] }) => compareTexts(first, second) < 0);
}

function identifyingPredicates(graph: Graph): string[] {
	return graph
		.predicates()
		.map((number) => graph.termAt(number).value)
		.filter(isIdentifying);
}

/** Samenesses that hang together by their ids. */
function groupSamenesses(samenesses: readonly Sameness[]): Sameness[][] {
	const groupOf = new Map<string, Sameness[]>();
	for (const sameness of samenesses) {
		const [left = [], right = []] = sameness.between.map((id) => groupOf.get(id));
		const group = [...new Set([...left, ...right, sameness])];
		for (const id of group.flatMap(({ between }) => between)) groupOf.set(id, group);
	}
	return [...new Set(groupOf.values())];
}
