import type { ParsedDocument } from "../../../src/core/knowledge/document.ts";
import type { Quad, Term } from "../../../src/core/knowledge/rdf.ts";
import type { Parse } from "../../../src/knowledge/passages/source.ts";

/** Parses a document at `http://example.org/doc`. */
export async function parse(format: Parse, text: string): Promise<ParsedDocument> {
	return format({ uri: "http://example.org/doc", text });
}

/** Statements as `lines subject property object`, with the last segments of IRIs and `_` for blank nodes. */
export async function statementsIn(format: Parse, text: string): Promise<string[]> {
	return (await parse(format, text)).quads.map(toLine);
}

/** Problems as `severity line message`. */
export async function problemsIn(format: Parse, text: string): Promise<string[]> {
	const { problems } = await parse(format, text);
	return problems.map(({ severity, lines, message }) => `${severity} ${lines.start} ${message}`);
}

function toLine({ subject, predicate, object, graph, lines }: Quad): string {
	const words = [`${lines.start}-${lines.end}`, toWord(subject), toWord(predicate), toWord(object)];
	return [...words, ...(graph ? [toWord(graph)] : [])].join(" ");
}

function toWord(term: Term): string {
	if (term.termType === "BlankNode") return "_";
	if (term.termType === "NamedNode") return term.value.replace(/^.*[/#](?=.)/, "");
	return JSON.stringify(term.value) + (term.language ? `@${term.language}` : "");
}
