import assert from "node:assert/strict";
import { test } from "node:test";
import { lastSegment, readableName } from "../../../src/base/rdf/vocabulary.ts";
import { toTitle, toWords } from "../../../src/knowledge/passages/lines.ts";

const cases: readonly (readonly [(name: string) => string, string, string])[] = [
	[lastSegment, "https://schema.org/worksFor", "worksFor"],
	[lastSegment, "http://www.w3.org/2000/01/rdf-schema#label", "label"],
	[lastSegment, "https://example.org/", "example.org"],
	[lastSegment, "urn:isbn:0451450523", "0451450523"],
	[lastSegment, "https://example.org/Caf%C3%A9", "Café"],
	[lastSegment, "https://example.org/100%", "100%"],
	[toWords, "worksFor", "works for"],
	[toWords, "HTTPStatus_code", "HTTP status code"],
	[toWords, "isbn", "isbn"],
	[toTitle, "ScholarlyArticle", "Scholarly Article"],
	[toTitle, "FAQPage", "FAQ Page"],
	[readableName, "https://example.org/drug/oncora-xr", "oncora xr"],
	[readableName, "https://schema.org/InStock", "In Stock"],
];

for (const [read, name, expected] of cases) {
	test(`${read.name} of ${name} is ${expected}`, () => {
		assert.equal(read(name), expected);
	});
}
