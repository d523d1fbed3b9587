import type { Format } from "./format.ts";
import type { TurtleSyntax } from "./rdf/nextStatement.ts";
import { toRdfDocument } from "./rdf/rdfDocument.ts";
import { readTurtle } from "./rdf/readTurtle.ts";

export const turtle: Format = createFormat("turtle", ["ttl", "turtle", "n3"], "Turtle");
export const trig: Format = createFormat("trig", ["trig"], "TriG");
export const nTriples: Format = createFormat("ntriples", ["nt"], "N-Triples");
export const nQuads: Format = createFormat("nquads", ["nq"], "N-Quads");

function createFormat(id: string, extensions: readonly string[], syntax: TurtleSyntax): Format {
	return {
		id,
		extensions,
		parse: ({ uri, text }) => toRdfDocument(uri, readTurtle(text, { syntax, base: uri })),
	};
}
