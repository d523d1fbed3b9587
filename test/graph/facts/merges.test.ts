import assert from "node:assert/strict";
import { test } from "node:test";
import { aliasesOf, proposeMerges } from "../../../src/graph/facts/sameThings.ts";
import { graphOf } from "../sampleGraph.ts";

const short = (id: string) => id.replace(/^.*[#/]/, "");

for (const [name, turtle, merges, aliases] of [
	["owl:sameAs", ":a :p 1 ; owl:sameAs :b . :b :p 2 .", "a b", "b"],
	["schema:sameAs in a chain", ":b schema:sameAs :a ; :p 1 . :c schema:sameAs :b ; :p 1 .", "a b c", "b c"],
	[
		"a page that two are the same as",
		":a schema:sameAs <http://w.org/X> . :b schema:sameAs <http://w.org/X> .",
		"a b X",
		"b X",
	],
	["a page that one is the same as", ":a schema:sameAs <http://w.org/X> .", "", "X"],
	[
		"an equal identifier of one class",
		':a a :C ; schema:identifier "7" . :b a :C, :D ; schema:identifier "7" .',
		"a b",
		"b",
	],
	[
		"an equal identifier of different classes",
		':a a :C ; schema:identifier "7" . :b a :D ; schema:identifier "7" .',
		"",
		"",
	],
	[
		"an identifier that very many have",
		Array.from({ length: 30 }, (_, at) => `:${"a".repeat(at + 1)} schema:identifier "x" .`).join(" "),
		"",
		"",
	],
	["an equal name", ':a :name "X" . :b :name "X" .', "", ""],
	["itself", ":a owl:sameAs :a .", "", ""],
] as const)
	test(`${name} proposes to merge “${merges}”, and gives “${aliases}” as aliases`, () => {
		const graph = graphOf({ "file:///a": turtle });
		const proposed = proposeMerges(graph).map(({ ids }) => ids.map(short).join(" "));
		assert.deepEqual(proposed, merges === "" ? [] : [merges]);
		assert.equal(aliasesOf(graph, "http://example.org/a").map(short).join(" "), aliases);
	});

test("a proposal shows the statements that it rests on", () => {
	const graph = graphOf({ "file:///a": ":a :p 1 .\n:a owl:sameAs :b .", "file:///b": ":b :p 1 ." });
	const [merge] = proposeMerges(graph);
	assert.deepEqual(
		merge?.samenesses.map(({ reason, statements }) => [
			reason,
			statements[0]?.document,
			statements[0]?.lines.start,
		]),
		[["same as", "file:///a", 2]],
	);
});
