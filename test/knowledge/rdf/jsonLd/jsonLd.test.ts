import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson as json } from "../../../../src/knowledge/formats.ts";
import { parseJsonLd as jsonLd } from "../../../../src/knowledge/rdf/jsonLd/jsonLd.ts";
import { listed } from "../../../support/listed.ts";
import { parse, problemsIn, statementsIn } from "../quadText.ts";

test("all addresses of the schema.org context give the same terms, with the scheme of the address", async () => {
	for (const address of ["http://schema.org", "https://schema.org/", "https://www.schema.org#"]) {
		const { quads, problems } = await parse(jsonLd, `{"@context":"${address}","name":"x"}`);
		const scheme = address.startsWith("http:") ? "http" : "https";
		assert.equal(quads[0]?.predicate.value, `${scheme}://schema.org/name`);
		assert.deepEqual(problems, []);
	}
});

const CASES: Readonly<Record<string, readonly [text: string, states: readonly string[], problem?: string]>> =
	{
		"every JSON-LD statement has the lines of its key, or of the object that is its value": [
			`{
  "@context": "https://schema.org",
  "@id": "#ada",
  "@type": "Person",
  "name": "Ada",
  "knows": [{ "name": "Bob" },
    {
      "name": "Eve"
    }],
  "alternateName": ["A",
    "B"],
  "image": "ada.png"
}`,
			listed(`4-4 ada type Person | 5-5 ada name "Ada" | 6-6 _ name "Bob" | 6-6 ada knows _
			7-9 ada knows _ | 8-8 _ name "Eve" | 10-11 ada alternateName "A" | 10-11 ada alternateName "B"
			12-12 ada image ada.png`),
		],
		"JSON-LD links and enumeration members become resources, and other values texts": [
			`{"@context":"https://schema.org","url":"/a","availability":"InStock","itemCondition":"https://schema.org/NewCondition","genre":"Rock"}`,
			listed(
				`1-1 _ availability InStock | 1-1 _ genre "Rock" | 1-1 _ itemCondition NewCondition | 1-1 _ url a`,
			),
		],
		"an invalid JSON-LD node is reported at its lines, and other nodes are read": [
			`{"@context": "https://schema.org", "@graph": [\n{"name": "A"},\n{"@id": 5, "name": "B"},\n{"name": "C"}\n]}`,
			['2-2 _ name "A"', '4-4 _ name "C"'],
			'error 3 Invalid JSON-LD syntax; "@id" value must a string.',
		],
		"JSON-LD numbers, language tags and JSON literals have their canonical form": [
			`{"@context":{"p":"x:p","j":{"@id":"x:j","@type":"@json"}},"p":[5,5.5,true,{"@value":"a","@language":"EN-gb"}],"j":{"b":1,"a":[null]}}`,
			[
				'1-1 _ x:j "{\\"a\\":[null],\\"b\\":1}"',
				...['1-1 _ x:p "5"', '1-1 _ x:p "5.5E0"', '1-1 _ x:p "true"', '1-1 _ x:p "a"@en-gb'],
			],
		],
		"invalid IRIs in JSON-LD are skipped with a warning": [
			`{"@id": "http://x/a b", "http://x/p": 1}`,
			[],
			'warning 1 "http://x/a b" is not a valid IRI; statements with it are left out.',
		],
		"invalid JSON is reported at the line of the error": [
			'{\n"a": 1\n"b": 2}',
			[],
			'error 3 This is not JSON: expected ",", found ".',
		],
		"a number is not JSON-LD": ["5", [], "error 1 JSON-LD is an object or an array of objects."],
	};

for (const [title, [text, statements, ...problems]] of Object.entries(CASES))
	test(title, async () => {
		assert.deepEqual(await statementsIn(jsonLd, text), statements);
		assert.deepEqual(await problemsIn(jsonLd, text), problems);
	});

test("an unknown context is a warning at its line, and terms of other contexts are read", async () => {
	const text = `{\n"@context": ["https://unknown.example/c",\n{"n": "http://x/n"}],\n"n": 5, "m": 6}`;
	assert.deepEqual(await statementsIn(jsonLd, text), ['4-4 _ n "5"']);
	const [problem = ""] = await problemsIn(jsonLd, text);
	assert.match(problem, /^warning 2 The context https:\/\/unknown\.example\/c is unknown/);
});

test("a labeled blank node is one node across all pieces of a large JSON-LD file", async () => {
	const shared = { "@id": "_:s" };
	const nodes = Array.from({ length: 1200 }, (_, n) => ({ "@id": `x:${n}`, "x:p": shared, "x:n": {} }));
	const { quads } = await parse(jsonLd, JSON.stringify({ "@graph": nodes }));
	const objectsOf = (property: string) =>
		new Set(quads.filter(({ predicate }) => predicate.value === property).map(({ object }) => object.value));
	assert.equal(objectsOf("x:p").size, 1);
	assert.equal(objectsOf("x:n").size, 1200);
});

test("comments, control characters and trailing commas in JSON-LD are errors, but lose no statements", async () => {
	const text = `// a comment\n{"http://x/p": "a\tb", /* more */ "http://x/q": [1,],}`;
	assert.deepEqual(await statementsIn(jsonLd, text), ['2-2 _ p "a\\tb"', '2-2 _ q "1"']);
	assert.equal((await problemsIn(jsonLd, text)).length, 3);
});

test("a .json file with a context is linked data, and otherwise text", async () => {
	assert.deepEqual(await statementsIn(json, `{"@context":{"p":"x:p"},"p":1}`), ['1-1 _ x:p "1"']);
	assert.deepEqual(await statementsIn(json, `{"p":1}`), []);
});
