import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad } from "../../../src/core/knowledge/rdf.ts";
import { createGraph } from "../../../src/graph/facts/graph.ts";
import { describeLinks } from "../../../src/worker/answers/links.ts";

const NAME = "https://schema.org/name";

function quad(subject: string, predicate: string, object: string): Quad {
	const isIri = object.startsWith("urn:");
	return {
		subject: { termType: "NamedNode", value: subject },
		predicate: { termType: "NamedNode", value: predicate },
		object: isIri
			? { termType: "NamedNode", value: object }
			: { termType: "Literal", value: object, datatype: "http://www.w3.org/2001/XMLSchema#string" },
		lines: { start: 1, end: 1 },
	};
}

test("links are named by labels from any document, in both directions, with honest totals", () => {
	const graph = createGraph();
	graph.replace("file:///a.ttl", [
		quad("urn:ada", NAME, "Ada"),
		quad("urn:ada", "https://schema.org/worksFor", "urn:society"),
		quad("urn:lamp", "https://schema.org/attendant", "urn:ada"),
	]);
	graph.replace("file:///b.ttl", [quad("urn:society", NAME, "The Society"), quad("urn:lamp", NAME, "Lamp")]);
	graph.replace(
		"file:///c.ttl",
		Array.from({ length: 12 }, (_, index) =>
			quad(`urn:letter${index}`, "https://schema.org/author", "urn:ada"),
		),
	);
	const links = describeLinks(graph, "urn:ada");
	assert.ok(links.some((line) => line.endsWith("→ The Society <urn:society>")));
	assert.ok(links.some((line) => line.endsWith("← Lamp <urn:lamp>")));
	assert.ok(links.some((line) => line.endsWith("(and 2 more of 12)")));
});

test("what nobody speaks of has no links", () => {
	assert.deepEqual(describeLinks(createGraph(), "urn:nobody"), []);
});
