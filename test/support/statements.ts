import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad } from "../../src/core/knowledge/rdf.ts";
import { documentOf } from "./documents.ts";

const SHORT: readonly (readonly [string, string])[] = [
	["http://www.w3.org/2001/XMLSchema#", "xsd:"],
	["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:"],
	["http://rdfs.org/ns/void#", "void:"],
	["https://schema.org/", ""],
	["urn:copilot-ld:", ""],
];

/** What a file states, as `start-end subject property value`; the file itself is `<>`. */
export async function statementsOf(name: string, content: string): Promise<string[]> {
	const uri = `file:///${name}`;
	const { quads } = await documentOf(uri, content);
	return quads.map((quad) => statementText(quad, uri));
}

function statementText({ subject, predicate, object, lines }: Quad, uri: string): string {
	const type = object.termType === "Literal" ? shorten(object.datatype, uri) : "";
	const typed = type === "" || type === "xsd:string" ? "" : `^^${type}`;
	const value =
		object.termType === "Literal" ? `"${object.value}"${typed}` : `<${shorten(object.value, uri)}>`;
	return `${lines.start}-${lines.end} <${shorten(subject.value, uri)}> ${shorten(predicate.value, uri)} ${value}`;
}

function shorten(iri: string, uri: string): string {
	return SHORT.reduce((text, [long, short]) => text.replace(long, short), iri.replace(uri, ""));
}

interface StatementCase {
	readonly title: string;
	readonly file: string;
	readonly text: string;
	readonly states: readonly string[];
}

export function testStatements(cases: readonly StatementCase[]): void {
	for (const { title, file, text, states } of cases)
		test(title, async () => {
			assert.deepEqual((await statementsOf(file, text)).sort(), states.toSorted());
		});
}
