import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad, Term } from "../../../src/core/knowledge/rdf.ts";
import { readQuads, writeQuads } from "../../../src/store/tables/documentTable.ts";

function quadWith(object: Term, rest: Partial<Quad> = {}): Quad {
	return {
		subject: { termType: "BlankNode", value: "b0" },
		predicate: { termType: "NamedNode", value: "urn:p" },
		object,
		lines: { start: 3, end: 8 },
		...rest,
	};
}

const quads: Record<string, Quad> = {
	"an IRI": quadWith({ termType: "NamedNode", value: "urn:o" }),
	"a blank node": quadWith({ termType: "BlankNode", value: "c14n1" }),
	"a literal that looks like a blank node": quadWith({
		termType: "Literal",
		value: "_:b0",
		datatype: "urn:string",
	}),
	"a literal with a language": quadWith({
		termType: "Literal",
		value: "",
		datatype: "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
		language: "de-at",
	}),
	"a named graph": quadWith(
		{ termType: "NamedNode", value: "urn:o" },
		{ graph: { termType: "BlankNode", value: "g" } },
	),
};

for (const [name, quad] of Object.entries(quads)) {
	test(`${name} comes back as it was written`, () => {
		assert.deepEqual(readQuads(writeQuads([quad])), [quad]);
	});
}

test("a term that occurs often is written once", () => {
	const text = writeQuads(Object.values(quads));
	assert.deepEqual(readQuads(text), Object.values(quads));
	assert.equal(text.split("urn:p").length, 2);
});
