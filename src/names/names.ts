import { wordList } from "../base/words/wordList.ts";
import { htmlNames } from "./htmlNames.ts";
import { jsonLdNames } from "./jsonLdNames.ts";
import { markdownNames } from "./markdownNames.ts";
import type { NamedText, Names } from "./name.ts";
import { rdfXmlNames } from "./rdfXmlNames.ts";
import { turtleNames } from "./turtleNames.ts";

const READERS: readonly (readonly [endings: readonly string[], read: (source: NamedText) => Names])[] = [
	[wordList("ttl turtle n3 trig nt nq rq sparql"), turtleNames],
	[wordList("jsonld json"), jsonLdNames],
	[wordList("html xht htm xhtml"), htmlNames],
	[wordList("rdf owl rdfs"), rdfXmlNames],
	[wordList("md markdown mdx qmd rmd"), markdownNames],
];

export const NAMED_FILES = READERS.flatMap(([endings]) => endings);

const NONE: Names = { names: [], prefixes: new Map() };

export function namesIn(source: NamedText): Names {
	const ending = source.uri.slice(source.uri.lastIndexOf(".") + 1).toLowerCase();
	if (ending === "json" && !source.text.includes('"@context"')) return NONE;
	const [, read] = READERS.find(([endings]) => endings.includes(ending)) ?? [];
	return read?.(source) ?? NONE;
}
