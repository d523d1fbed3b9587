import assert from "node:assert/strict";
import { test } from "node:test";
import { isStatement, parseStatement } from "../../../src/graph/endpoint/endpointClient.ts";

const objectOf = (text: string) => parseStatement(`<urn:s> <urn:p> ${text} .`)?.object;

for (const [text, expected] of [
	["<urn:\\u00E9>", ["NamedNode", "urn:é"]],
	["_:b.1-c", ["BlankNode", "b.1-c"]],
	['"a\\tb\\\\n\\U0001F600"', ["Literal", "a\tb\\n😀"]],
	['"\\U00110000"', ["Literal", "\ufffd"]],
	['"1"^^<urn:d>', ["Literal", "1", "urn:d"]],
	['"x"@de-CH', ["Literal", "x", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "de-ch"]],
] as const) {
	test(`${text} is read as it is meant`, () => {
		assert.deepEqual(Object.values(objectOf(text) ?? {}).slice(0, expected.length), expected);
	});
}

for (const line of [
	"<urn:s> <urn:p> <urn:o>",
	"<urn:s> _:p <urn:o> .",
	'"s" <urn:p> <urn:o> .',
	"<urn:s> <urn:p> 5 .",
	"<urn:s> <urn:p> <<( <urn:s> <urn:p> <urn:o> )>> .",
	'<urn:s> <urn:p> "open .',
]) {
	test(`${line} is no statement`, () => {
		assert.equal(parseStatement(line), undefined);
	});
}

test("space and comments around a statement do not matter", () => {
	assert.ok(parseStatement("\t_:s<urn:p>_:o.# end\r"));
	assert.deepEqual(["", " \r", "# comment", " _:s <urn:p> _:o ."].map(isStatement), [
		false,
		false,
		false,
		true,
	]);
});

test("a literal with half a million escapes is read", () => {
	const text = "a\\n".repeat(500_000);
	assert.equal(objectOf(`"${text}"`)?.value.length, 1_000_000);
});
