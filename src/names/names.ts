import { htmlNames } from "./htmlNames.ts";
import { jsonLdNames } from "./jsonLdNames.ts";
import { markdownNames } from "./markdownNames.ts";
import type { NamedText, Names } from "./name.ts";
import { rdfXmlNames } from "./rdfXmlNames.ts";
import { turtleNames } from "./turtleNames.ts";

const READERS: Readonly<Record<string, (source: NamedText) => Names>> = {
	ttl: turtleNames,
	turtle: turtleNames,
	n3: turtleNames,
	trig: turtleNames,
	nt: turtleNames,
	nq: turtleNames,
	rq: turtleNames,
	sparql: turtleNames,
	jsonld: jsonLdNames,
	json: jsonLdNames,
	html: htmlNames,
	xht: htmlNames,
	htm: htmlNames,
	xhtml: htmlNames,
	rdf: rdfXmlNames,
	owl: rdfXmlNames,
	rdfs: rdfXmlNames,
	md: markdownNames,
	markdown: markdownNames,
	mdx: markdownNames,
	qmd: markdownNames,
	rmd: markdownNames,
};

export const NAMED_FILES = Object.keys(READERS);

const NONE: Names = { names: [], prefixes: new Map() };

export function namesIn(source: NamedText): Names {
	const ending = source.uri.slice(source.uri.lastIndexOf(".") + 1).toLowerCase();
	if (ending === "json" && !source.text.includes('"@context"')) return NONE;
	return READERS[ending]?.(source) ?? NONE;
}
