import { readableName } from "../base/rdf/iriNames.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { labelOf } from "../graph/facts/labels.ts";

/** Statements of one thing whose values are looked at. */
const MOST_STATEMENTS = 500;

/** A line of a passage that tells the values of a property. */
const STATEMENT = /^([^:\n]+: )(.+)$/gm;

/**
 * What is told of a thing, with the things that it is linked with by their names. A file that links to a thing of another
 * one knows only its IRI, so that its passages have `oncora xr` for Oncora-XR.
 */
export function nameLinked(text: string, iri: string, graph: Graph): string {
	const names = new Map<string, string>();
	let statements = 0;
	for (const { object } of graph.match({ subject: { termType: "NamedNode", value: iri } })) {
		if (++statements > MOST_STATEMENTS) break;
		const name = object.termType === "NamedNode" ? labelOf(graph, object) : undefined;
		if (name !== undefined) names.set(readableName(object.value), name);
	}
	if (names.size === 0) return text;
	return text.replace(STATEMENT, (_, property: string, values: string) => {
		const named = values.split("; ").map((value) => names.get(value) ?? value);
		return `${property}${named.join("; ")}`;
	});
}
