import assert from "node:assert/strict";
import { test } from "node:test";
import { findDanglingLinks } from "../../../src/graph/facts/labels.ts";
import { graphOf } from "../sampleGraph.ts";

function danglingIn(documents: Readonly<Record<string, string>>): string[] {
	return findDanglingLinks(graphOf(documents)).map(
		({ iri, document, lines }) => `${iri.replace("http://example.org/", "")} ${document} ${lines.start}`,
	);
}

const cases: Record<string, { turtle: string; dangling: string[] }> = {
	"a link to nothing among others that are described": {
		turtle: ":a a :C ; :knows :b .\n:a :knows :c . :b a :C .",
		dangling: ["c file:///a 2"],
	},
	"a link to another site": { turtle: ":a a :C ; :knows <http://other.org/b> .", dangling: [] },
	"a class that is not described": { turtle: ":a a :Undescribed .", dangling: [] },
	"a picture and a page": { turtle: ":a a :C ; schema:image :a.png ; :homepage :home .", dangling: [] },
	"a file": { turtle: "<file:///w/a> :cites <file:///w/b> ; :p 1 .", dangling: [] },
	"a namespace": { turtle: ":a a :C ; :uses <http://example.org/> .", dangling: [] },
	"a part of the same page": {
		turtle: "<http://x.org/p#a> a :C ; :knows <http://x.org/p#b> .",
		dangling: ["http://x.org/p#b file:///a 1"],
	},
	"a part of another page": { turtle: "<http://x.org/p#a> a :C ; :knows <http://x.org/q#b> .", dangling: [] },
	"one that a link only names, where all others have a class": {
		turtle: ':a a :C ; :knows :b . :b :name "B" .',
		dangling: ["b file:///a 1"],
	},
	"one that has only a name, like others": {
		turtle: ':a :knows :b ; :name "A" . :b :name "B" .',
		dangling: [],
	},
};

for (const [name, { turtle, dangling }] of Object.entries(cases)) {
	test(`${name} is ${dangling.length === 0 ? "not dangling" : "dangling"}`, () => {
		assert.deepEqual(danglingIn({ "file:///a": turtle }), dangling);
	});
}

test("a resource that another document describes is not dangling until that document goes", () => {
	const documents = { "file:///a": ":a a :C ; :knows :b .", "file:///b": ":b a :C ." };
	assert.deepEqual(danglingIn(documents), []);
	assert.deepEqual(danglingIn({ "file:///a": documents["file:///a"] }), ["b file:///a 1"]);
});
