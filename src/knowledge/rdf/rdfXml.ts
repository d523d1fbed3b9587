import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Format, Source } from "../passages/format.ts";
import { toRdfDocument } from "./rdfDocument.ts";
import { readRdfXml } from "./readRdfXml.ts";
import { turtle } from "./turtle.ts";

export const rdfXml: Format = { id: "rdfxml", extensions: ["rdf", "owl", "rdfs"], parse: parseRdfXml };

/** Ontologies are saved under these names in Turtle, too. */
const TURTLE = /^\s*(#.*\s+)*@?(prefix|base)\s/i;

function parseRdfXml(source: Source): ParsedDocument | Promise<ParsedDocument> {
	const { uri, text } = source;
	return TURTLE.test(text) ? turtle.parse(source) : toRdfDocument(source, readRdfXml(text, uri));
}
