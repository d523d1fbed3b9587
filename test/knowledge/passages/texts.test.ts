import assert from "node:assert/strict";
import { test } from "node:test";
import { lastSegment, readableName } from "../../../src/base/rdf/vocabulary.ts";
import { decodeText } from "../../../src/knowledge/passages/decodeText.ts";
import { createLineIndex, splitLines, toTitle, toWords } from "../../../src/knowledge/passages/lines.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const mixed = "a\nb\r\nc\rd";

test("every kind of line end ends one line", () => {
	assertMapped(splitLines(mixed), ({ text, lines }) => lines.start + text, ["1a", "2b", "3c", "4d"]);
});

test("an offset is on the line of its character, in whatever order it is asked for", () => {
	const lineAt = createLineIndex(mixed);
	const offsets = [..."d c b a".split(" ")].map((word) => mixed.indexOf(word));
	assert.deepEqual(offsets.map(lineAt), [4, 3, 2, 1]);
});

test("line numbers stay right in long texts", () => {
	const text = "x".repeat(700).concat("\n").repeat(50);
	const lineAt = createLineIndex(text);
	for (const line of [1, 50, 2, 49, 25]) assert.equal(lineAt((line - 1) * 701 + 350), line);
});

test("an offset outside of the text is on its first or its last line", () => {
	const lineAt = createLineIndex("a\nb");
	assert.deepEqual([lineAt(-5), lineAt(99)], [1, 2]);
});

const names: readonly (readonly [(name: string) => string, string, string])[] = [
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

for (const [read, name, expected] of names) {
	test(`${read.name} of ${name} is ${expected}`, () => {
		assert.equal(read(name), expected);
	});
}

function bytesOf(text: string, encoding: BufferEncoding): Buffer {
	return Buffer.from(text, encoding);
}

const cases: Record<string, readonly [Uint8Array, string | undefined]> = {
	"UTF-8 is read": [bytesOf("Café", "utf8"), "Café"],
	"a byte order mark is dropped": [bytesOf("\ufeffCafé", "utf8"), "Café"],
	"UTF-16 is known by its byte order mark": [bytesOf("\ufeffCafé", "utf16le"), "Café"],
	"UTF-16 of the other order is read": [bytesOf("\ufeffCafé", "utf16le").swap16(), "Café"],
	"what is not UTF-8 is read as the web does": [Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x80]), "Café€"],
	"the encoding that a page declares is used": [
		Buffer.concat([bytesOf('<meta charset="iso-8859-5">', "latin1"), Buffer.from([0xbc])]),
		'<meta charset="iso-8859-5">М',
	],
	"the encoding that XML declares is used": [
		Buffer.concat([bytesOf('<?xml version="1.0" encoding="koi8-r"?>', "latin1"), Buffer.from([0xed])]),
		'<?xml version="1.0" encoding="koi8-r"?>М',
	],
	"valid UTF-8 goes before": [bytesOf('<meta charset="latin1">é', "utf8"), '<meta charset="latin1">é'],
	"an unknown encoding is none": [
		Buffer.concat([bytesOf('<meta charset="klingon">', "latin1"), Buffer.from([0xe9])]),
		'<meta charset="klingon">é',
	],
	"a broken byte of UTF-8": [Buffer.concat([bytesOf("éàüöäß", "utf8"), Buffer.from([0xc3])]), "éàüöäß\ufffd"],
	"zero bytes make binary content": [Buffer.from("PK\u0003\u0004\0\0abc"), undefined],
	"control characters make binary content": [Buffer.from("\u0001\u0002\u0003ab\u0004"), undefined],
	"a zero byte far down is replaced": [Buffer.from(`${"a".repeat(9000)}\0`), `${"a".repeat(9000)}\ufffd`],
	"an empty file is an empty text": [Buffer.from(""), ""],
};

for (const [name, [bytes, text]] of Object.entries(cases)) {
	test(name, () => {
		assert.equal(decodeText(bytes), text);
	});
}
