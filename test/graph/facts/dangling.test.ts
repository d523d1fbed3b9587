import assert from "node:assert/strict";
import { test } from "node:test";
import { findDanglingLinks } from "../../../src/graph/facts/labels.ts";
import { graphOf } from "../sampleGraph.ts";

function danglingIn(documents: Readonly<Record<string, string>>): string[] {
	return findDanglingLinks(graphOf(documents)).map(
		({ iri, document, lines }) => `${iri.replace("http://example.org/", "")} ${document} ${lines.start}`,
	);
}

for (const [name, turtle, dangling] of [
	[
		"a link to nothing among others that are described",
		":a a :C ; :knows :b .\n:a :knows :c . :b a :C .",
		"c file:///a 2",
	],
	["a link to another site", ":a a :C ; :knows <http://other.org/b> .", ""],
	["a class that is not described", ":a a :Undescribed .", ""],
	["a picture and a page", ":a a :C ; schema:image :a.png ; :homepage :home .", ""],
	["a file", "<file:///w/a> :cites <file:///w/b> ; :p 1 .", ""],
	["a namespace", ":a a :C ; :uses <http://example.org/> .", ""],
	[
		"a part of the same page",
		"<http://x.org/p#a> a :C ; :knows <http://x.org/p#b> .",
		"http://x.org/p#b file:///a 1",
	],
	["a part of another page", "<http://x.org/p#a> a :C ; :knows <http://x.org/q#b> .", ""],
	[
		"one that a link only names, where all others have a class",
		':a a :C ; :knows :b . :b :name "B" .',
		"b file:///a 1",
	],
	["one that has only a name, like others", ':a :knows :b ; :name "A" . :b :name "B" .', ""],
] as const)
	test(`${name} is ${dangling === "" ? "not dangling" : "dangling"}`, () => {
		assert.equal(danglingIn({ "file:///a": turtle }).join(), dangling);
	});

test("a resource that another document describes is not dangling until that document goes", () => {
	const documents = { "file:///a": ":a a :C ; :knows :b .", "file:///b": ":b a :C ." };
	assert.deepEqual(danglingIn(documents), []);
	assert.deepEqual(danglingIn({ "file:///a": documents["file:///a"] }), ["b file:///a 1"]);
});
