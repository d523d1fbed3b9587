import assert from "node:assert/strict";
import { test } from "node:test";
import { aliasesOf, proposeMerges } from "../../../src/graph/facts/sameThings.ts";
import { graphOf } from "../sampleGraph.ts";

function mergesOf(turtle: string): string[][] {
	return proposeMerges(graphOf({ "file:///a": turtle })).map(({ ids }) =>
		ids.map((id) => id.replace(/^.*[#/]/, "")),
	);
}

function aliasesIn(turtle: string, local: string): string[] {
	const id = `http://example.org/${local}`;
	return aliasesOf(graphOf({ "file:///a": turtle }), id).map((alias) => alias.replace(/^.*[#/]/, ""));
}

const cases: Record<string, { turtle: string; merges: string[][]; aliases: string[] }> = {
	"owl:sameAs": { turtle: ":a :p 1 ; owl:sameAs :b . :b :p 2 .", merges: [["a", "b"]], aliases: ["b"] },
	"schema:sameAs in a chain": {
		turtle: ":b schema:sameAs :a ; :p 1 . :c schema:sameAs :b ; :p 1 .",
		merges: [["a", "b", "c"]],
		aliases: ["b", "c"],
	},
	"a page that two are the same as": {
		turtle: ":a schema:sameAs <http://w.org/X> . :b schema:sameAs <http://w.org/X> .",
		merges: [["a", "b", "X"]],
		aliases: ["b", "X"],
	},
	"a page that one is the same as": {
		turtle: ":a schema:sameAs <http://w.org/X> .",
		merges: [],
		aliases: ["X"],
	},
	"an equal identifier of one class": {
		turtle: ':a a :C ; schema:identifier "7" . :b a :C, :D ; schema:identifier "7" .',
		merges: [["a", "b"]],
		aliases: ["b"],
	},
	"an equal identifier of different classes": {
		turtle: ':a a :C ; schema:identifier "7" . :b a :D ; schema:identifier "7" .',
		merges: [],
		aliases: [],
	},
	"an identifier that very many have": {
		turtle: Array.from(
			{ length: 30 },
			(_, index) => `:${"a".repeat(index + 1)} schema:identifier "x" .`,
		).join(" "),
		merges: [],
		aliases: [],
	},
	"an equal name": { turtle: ':a :name "X" . :b :name "X" .', merges: [], aliases: [] },
	itself: { turtle: ":a owl:sameAs :a .", merges: [], aliases: [] },
};

for (const [name, { turtle, merges, aliases }] of Object.entries(cases)) {
	test(`${name} proposes ${merges.length} merges`, () => {
		assert.deepEqual(mergesOf(turtle), merges);
	});
	test(`${name} gives ${aliases.length} aliases`, () => {
		assert.deepEqual(aliasesIn(turtle, "a"), aliases);
	});
}

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
