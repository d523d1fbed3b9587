import assert from "node:assert/strict";
import { test } from "node:test";
import type { Listing } from "../../src/core/knowledge/knowledge.ts";
import { createGraph } from "../../src/graph/facts/graph.ts";
import { createNameIndex } from "../../src/graph/facts/nameIndex.ts";
import { listThings } from "../../src/retrieve/listing/listThings.ts";
import { documentOf } from "../support/documents.ts";

/** Turtle of members and guests of a club. */
export const MEMBERS = `:ada a :Member ; rdfs:label "Ada Byron" ; :worksFor :society ; :motherOf :ralph .
:grace a :Member ; rdfs:label "Grace Hopper" ; :worksFor :navy ; :grade "third class (old)" .
:alan a :Guest ; rdfs:label "Alan Turing" ; :worksFor :navy ; :livesIn "Wilmslow" .
:ralph a :Guest ; rdfs:label "Ralph Gordon Noel" ; :livesIn "Ockham" .
:Guest rdfs:subClassOf :Person . :Member rdfs:subClassOf :Person .
`;

export type Texts = Readonly<Record<string, string>>;

/** Returns a function that lists from the graph of these files. */
export async function listingIn(files: Texts) {
	const graph = createGraph();
	for (const [path, text] of Object.entries(files)) {
		const uri = `file:///${path}`;
		graph.replace(uri, (await documentOf(uri, text)).quads);
	}
	const names = createNameIndex(graph);
	await names.refresh();
	return (question: string) =>
		listThings(question, { graph, names, cite: (path, lines) => ({ path, lines }) });
}

/** Tests what is listed for each question; by default the labels of the items, or nothing without a listing. */
export function testListings(title: string, files: Texts, expected: Texts, textOf = labelsOf): void {
	test(title, async () => {
		const list = await listingIn(files);
		const found = Object.keys(expected).map((question) => [question, textOf(list(question))]);
		assert.deepEqual(Object.fromEntries(found), expected);
	});
}

function labelsOf({ kind, total, items = [] }: Partial<Listing> = {}): string {
	if (kind !== "comparison") assert.equal(total ?? 0, items.length);
	return items.map(({ label }) => label).join(", ");
}

/** Labels of the items, each with its first line. */
export function labelsAndLinesOf({ items = [] }: Partial<Listing> = {}): string {
	return items.map(({ label, citation: { lines } }) => `${label} ${lines.start}`).join(", ");
}
