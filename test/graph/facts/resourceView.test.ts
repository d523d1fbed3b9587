import assert from "node:assert/strict";
import { test } from "node:test";
import { viewResource } from "../../../src/graph/facts/resourceView.ts";
import { graphOf } from "../sampleGraph.ts";

const graph = graphOf({
	"file:///a": `:ada a :Person ; :name "Ada" ; :knows :grace, :alan ;
 :born 1815 .
:grace :name "Grace" .`,
	"file:///b": ':ada :name "Ada" . :bob :knows :ada ; :name "Bob" . :knows rdfs:label "is acquainted with" .',
});

function view(id: string, limit = 10) {
	const found = viewResource(graph, id, limit);
	assert.ok(found);
	return found;
}

test("a resource has its label, its classes and every place that describes it", () => {
	const { label, types, sources } = view("http://example.org/ada");
	assert.equal(label, "Ada");
	assert.deepEqual(types, [{ id: "http://example.org/Person", label: "Person" }]);
	assert.deepEqual(sources, [
		{ document: "file:///a", lines: { start: 1, end: 2 } },
		{ document: "file:///b", lines: { start: 1, end: 1 } },
	]);
});

test("properties and values have the labels that any document gives them", () => {
	const { properties } = view("http://example.org/ada");
	assert.deepEqual(
		properties.map(({ label, values }) => [label, ...values.map((value) => value.label ?? value.term.value)]),
		[
			["born", "1815"],
			["is acquainted with", "Grace", "http://example.org/alan"],
			["name", "Ada"],
		],
	);
});

test("a value that two documents state is one value with two sources", () => {
	const name = view("http://example.org/ada").properties.find(({ label }) => label === "name");
	assert.equal(name?.total, 1);
	assert.deepEqual(
		name?.values[0]?.sources.map(({ document }) => document),
		["file:///a", "file:///b"],
	);
});

test("incoming links are told by property", () => {
	assert.deepEqual(view("http://example.org/ada").incoming, [
		{
			id: "http://example.org/knows",
			label: "is acquainted with",
			subjects: [{ id: "http://example.org/bob", label: "Bob" }],
			total: 1,
		},
	]);
});

test("what a limit leaves out is counted", () => {
	const { properties, totals, truncated } = view("http://example.org/ada", 1);
	const knows = properties.find(({ id }) => id === "http://example.org/knows");
	assert.deepEqual([knows?.values.length, knows?.total, totals.values, truncated], [1, 2, 4, true]);
});

test("a blank node is read by the id that the graph gives it", () => {
	const withBlank = graphOf({ "file:///a": ":ada :address [ :zip 1 ] ." });
	const [id] = [...withBlank.match({ predicate: "http://example.org/address" })].map(
		({ object }) => `_:${object.value}`,
	);
	assert.equal(viewResource(withBlank, id ?? "", 10)?.properties[0]?.values[0]?.term.value, "1");
});

test("an id of which nothing is said has no view", () => {
	assert.equal(viewResource(graph, "http://example.org/nobody", 10), undefined);
});
