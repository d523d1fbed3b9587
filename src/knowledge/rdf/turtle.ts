import type { Format } from "../passages/format.ts";
import type { TurtleSyntax } from "./nextStatement.ts";
import { toRdfDocument } from "./rdfDocument.ts";
import { readTurtle } from "./readTurtle.ts";

export const turtle: Format = createFormat("turtle", ["ttl", "turtle", "n3"], "Turtle");
export const trig: Format = createFormat("trig", ["trig"], "TriG");
export const nTriples: Format = createFormat("ntriples", ["nt"], "N-Triples");
export const nQuads: Format = createFormat("nquads", ["nq"], "N-Quads");

function createFormat(id: string, extensions: readonly string[], syntax: TurtleSyntax): Format {
	return {
		id,
		extensions,
		parse: (source) => toRdfDocument(source, readTurtle(source.text, { syntax, base: source.uri })),
	};
}
