import { wordList } from "../base/words/wordList.ts";
import { htmlNames } from "./htmlNames.ts";
import { jsonLdNames } from "./jsonLdNames.ts";
import { markdownNames } from "./markdownNames.ts";
import type { NamedText, Names } from "./name.ts";
import { rdfXmlNames } from "./rdfXmlNames.ts";
import { turtleNames } from "./turtleNames.ts";

const READERS: ReadonlyMap<string, (source: NamedText) => Names> = new Map(
	(
		[
			["ttl turtle n3 trig nt nq rq sparql", turtleNames],
			["jsonld json", jsonLdNames],
			["html xht htm xhtml", htmlNames],
			["rdf owl rdfs", rdfXmlNames],
			["md markdown mdx qmd rmd", markdownNames],
		] as const
	).flatMap(([endings, reader]) => wordList(endings).map((ending) => [ending, reader] as const)),
);

export const NAMED_FILES = [...READERS.keys()];

const NONE: Names = { names: [], prefixes: new Map() };

export function namesIn(source: NamedText): Names {
	const ending = source.uri.slice(source.uri.lastIndexOf(".") + 1).toLowerCase();
	if (ending === "json" && !source.text.includes('"@context"')) return NONE;
	return READERS.get(ending)?.(source) ?? NONE;
}
