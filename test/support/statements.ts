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

/** Statements of a file as `start-end subject property value; property value`; the file itself is `<>`. */
export async function statementsOf(name: string, content: string): Promise<string[]> {
	const uri = `file:///${name}`;
	const { quads } = await documentOf(uri, content);
	const subjects = Map.groupBy(
		quads,
		({ subject, lines }) => `${lines.start}-${lines.end} <${shorten(subject.value, uri)}>`,
	);
	return Array.from(
		subjects,
		([head, own]) => `${head} ${own.map((quad) => factText(quad, uri)).join("; ")}`,
	);
}

function factText({ predicate, object }: Quad, uri: string): string {
	const name = shorten(predicate.value, uri);
	if (object.termType !== "Literal") return `${name} <${shorten(object.value, uri)}>`;
	const type = shorten(object.datatype, uri);
	return `${name} "${object.value}"${type === "xsd:string" ? "" : `^^${type}`}`;
}

function shorten(iri: string, uri: string): string {
	return SHORT.reduce((text, [long, short]) => text.replace(long, short), iri.replace(uri, ""));
}

type StatementCase = readonly [title: string, file: string, text: string, ...states: string[]];

export function testStatements(cases: readonly StatementCase[]): void {
	for (const [title, file, text, ...states] of cases)
		test(title, async () => {
			assert.deepEqual((await statementsOf(file, text)).sort(), states.toSorted());
		});
}
