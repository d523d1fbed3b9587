import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad, Term } from "../../../src/core/knowledge/rdf.ts";
import { canonicalize } from "../../../src/knowledge/rdf/rdfDocument.ts";
import { readTurtle } from "../../../src/knowledge/rdf/turtle.ts";
import { times } from "../../support/times.ts";

/** Canonical form of statements with three words each: `_:x` is a blank node, any other word an IRI. */
function canonicalText(statements: readonly string[]): string[] {
	const iris = statements.map((line) => line.replace(/(?<!\S)(?!_:)\S+/g, "<x:$&>"));
	const { quads } = readTurtle(`${iris.join(" .\n")} .`, { syntax: "N-Triples", base: "x:" });
	return canonicalize(quads).map(toText).sort();
}

function toText({ subject, predicate, object }: Quad): string {
	const write = ({ termType, value }: Term) => (termType === "BlankNode" ? `_:${value}` : value.slice(2));
	return `${write(subject)} ${write(predicate)} ${write(object)}`;
}

const shapes: Record<string, readonly string[]> = {
	"a tree": ["a knows _:1", "_:1 name x", "_:1 address _:2", "_:2 zip 1", "a knows _:3", "_:3 name y"],
	"a list": ["a list _:1", "_:1 first x", "_:1 rest _:2", "_:2 first x", "_:2 rest _:3", "_:3 first x"],
	"a ring with one marked node": ["_:1 p _:2", "_:2 p _:3", "_:3 p _:4", "_:4 p _:1", "_:3 is marked"],
	"a node that refers to itself": ["_:1 p _:1", "_:2 p _:3"],
};

test("blank nodes keep distinct labels when their statements are reordered and renamed", () => {
	const count = (texts: readonly string[]) => new Set(texts.join(" ").match(/_:\w+/g)).size;
	for (const [shape, statements] of Object.entries(shapes)) {
		const expected = canonicalText(statements);
		assert.equal(count(expected), count(statements), shape);
		for (let turn = 1; turn < statements.length; turn++) {
			const turned = [...statements.slice(turn), ...statements.slice(0, turn)];
			const named = turned.map((statement) => statement.replace(/_:(\d+)/g, (_, n) => `_:${(n * 7) % 13}`));
			assert.deepEqual(canonicalText(named), expected, shape);
			assert.deepEqual(canonicalText(named.toReversed()), expected, shape);
		}
	}
});

test("a statement about one blank node does not change the label of another", () => {
	const before = canonicalText(["_:x name a", "_:y name b"]).find((line) => line.endsWith("name a"));
	assert.ok(canonicalText(["_:x name a", "_:y name b", "_:y age 7"]).includes(before ?? ""));
});

test("blank nodes in long chains, wide stars and many copies get distinct labels", () => {
	for (const statements of [
		times(3000, (n) => `_:${n} rest _:${n + 1}`),
		times(3000, (n) => `_:${n} rest _:${(n + 1) % 3000}`),
		times(3000, (n) => `_:hub item _:${n}`),
		times(3000, (n) => [`_:a${n} address _:b${n}`, `_:b${n} zip 1`]).flat(),
	])
		assert.equal(new Set(canonicalText(statements)).size, statements.length);
});
