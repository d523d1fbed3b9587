import type { Quad, Term } from "../../src/core/knowledge/rdf.ts";
import { createGraph, type Graph } from "../../src/graph/facts/graph.ts";
import { createSparql, type Sparql } from "../../src/graph/sparql/sparql.ts";
import { readTurtle } from "../../src/knowledge/rdf/turtle.ts";

const PREFIXES =
	"@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix schema: <https://schema.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . ";

/** Turtle with the usual prefixes; the first line of the text is line 1. */
export function quadsOf(turtle: string): Quad[] {
	return readTurtle(PREFIXES + turtle, { syntax: "Turtle", base: "http://example.org/" }).quads;
}

export function graphOf(documents: Readonly<Record<string, string>>): Graph {
	const graph = createGraph();
	for (const [uri, turtle] of Object.entries(documents)) graph.replace(uri, quadsOf(turtle));
	return graph;
}

export function sparqlOf(graph: Graph): Sparql {
	const threadUrl = new URL("../../src/graph/sparql/sparqlThread.ts", import.meta.url);
	return createSparql({ graph, threadUrl });
}

export function iri(local: string) {
	return { termType: "NamedNode", value: `http://example.org/${local}` } as const;
}

/** Short text for assertions: the local name of an IRI, or the value of a literal. */
export function shortOf(term: Term | undefined): string {
	return term?.value.replace("http://example.org/", "") ?? "-";
}

/** A query for all entries of a list of things. */
export const EVERYTHING = { kinds: ["class", "property", "thing"], within: "", limit: 50 } as const;
