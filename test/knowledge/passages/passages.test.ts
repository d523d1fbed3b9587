import assert from "node:assert/strict";
import { test } from "node:test";
import { lastSegment, readableName } from "../../../src/base/rdf/vocabulary.ts";
import { decodeText } from "../../../src/knowledge/passages/decodeText.ts";
import { cutPassages, toBlocks } from "../../../src/knowledge/passages/passages.ts";
import { createLineIndex, splitLines, toTitle, toWords } from "../../../src/knowledge/passages/source.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";

function cut(text: string, kind: "prose" | "lines" = "lines") {
	const passages = cutPassages("Title", toBlocks(splitLines(text), kind));
	return passages.map(({ sections: _, ...passage }) => passage);
}

/** Passages as `start-end length`. */
function shapes(text: string, kind: "prose" | "lines" = "lines"): string[] {
	return cut(text, kind).map(({ lines, text: words }) => `${lines.start}-${lines.end} ${words.length}`);
}

test("short paragraphs are joined into one passage up to the target length", () => {
	const lines = { start: 2, end: 6 };
	assert.deepEqual(cut("\none\n\n\ntwo\nthree\n"), [{ title: "Title", text: "one\n\ntwo\nthree", lines }]);
	const paragraph = "A sentence of words. ".repeat(25).trim();
	assert.deepEqual(shapes([paragraph, paragraph, paragraph].join("\n\n")), ["1-3 1050", "5-5 524"]);
});

test("a long paragraph is cut at sentences, and each part has its own lines", () => {
	const lines = times(60, (index) => `Line ${index + 1} begins here and\ngoes on. It ends`);
	const passages = cut(lines.join("\n"), "prose");
	assert.ok(passages.length > 2);
	for (const { text } of passages.slice(0, -1)) assert.match(text, /on\.$/);
	for (const [index, { lines: range }] of passages.slice(1).entries()) {
		const before = passages[index]?.lines.end ?? 0;
		assert.ok(range.start === before || range.start === before + 1);
	}
});

test("a long list is one passage; texts with two empty lines between them are not joined", () => {
	const list = times(40, (index) => `- ${index}`);
	assert.deepEqual(shapes([...list, "", "", ...list].join("\n")), ["1-40 189", "43-82 189"]);
	assert.deepEqual(shapes([...list, "", ...list].join("\n")), ["1-81 380"]);
	assert.deepEqual(shapes(times(90, () => "a word").join("\n")), ["1-90 629"]);
});

test("a passage of short lines, or of lines with gaps, cites at most sixty lines", () => {
	const verse = times(130, () => "a word").join("\n");
	assert.deepEqual(shapes(verse, "prose"), ["1-60 419", "61-120 419", "121-130 69"]);
	const sparse = times(50, (n) => ({ text: `cue ${n}`, lines: { start: 4 * n + 1, end: 4 * n + 3 } }));
	const passages = cutPassages("Title", [{ kind: "lines", lines: sparse }]);
	const placeOf = (first: number) => ({ start: first, end: Math.min(first + 58, 199) });
	assertMapped(passages, ({ lines }) => lines, [1, 61, 121, 181].map(placeOf));
});

test("a passage never splits a surrogate pair, and text without letters or digits is no passage", () => {
	for (const { text } of cut(`a${"😀".repeat(3000)}`)) assert.ok(text.isWellFormed());
	assert.deepEqual(cut("---\n\n***\n\n   \n"), []);
});

test("lines end with LF, CRLF or CR, and offsets are mapped to lines", () => {
	const mixed = "a\nb\r\nc\rd";
	assertMapped(splitLines(mixed), ({ text, lines }) => lines.start + text, ["1a", "2b", "3c", "4d"]);
	const lineAt = createLineIndex(mixed);
	const offsets = [..."dcba"].map((word) => mixed.indexOf(word));
	assert.deepEqual([...offsets, -5, 99].map(lineAt), [4, 3, 2, 1, 1, 4]);
});

test("readable names are the last segments of IRIs, split into words", () => {
	const cases: readonly (readonly [(name: string) => string, string, string])[] = [
		[lastSegment, "https://schema.org/worksFor", "worksFor"],
		[lastSegment, "http://www.w3.org/2000/01/rdf-schema#label", "label"],
		[lastSegment, "https://example.org/", "example.org"],
		[lastSegment, "urn:isbn:0451450523", "0451450523"],
		[lastSegment, "https://example.org/Caf%C3%A9", "Café"],
		[lastSegment, "https://example.org/100%", "100%"],
		[toWords, "worksFor", "works for"],
		[toWords, "HTTPStatus_code", "HTTP status code"],
		[toTitle, "ScholarlyArticle", "Scholarly Article"],
		[toTitle, "FAQPage", "FAQ Page"],
		[readableName, "https://example.org/drug/oncora-xr", "oncora xr"],
		[readableName, "https://schema.org/InStock", "In Stock"],
	];
	for (const [read, name, expected] of cases) assert.equal(read(name), expected);
});

const bytesOf = (text: string, encoding: BufferEncoding = "latin1") => Buffer.from(text, encoding);

const PAGE = '<meta charset="iso-8859-5">';
const XML = '<?xml version="1.0" encoding="koi8-r"?>';

const LATIN = '<meta charset="latin1">é';

const cases: Record<string, readonly [Uint8Array, string | undefined]> = {
	"UTF-8 text is read": [bytesOf("Café", "utf8"), "Café"],
	"the byte order mark of a text is dropped": [bytesOf("\ufeffCafé", "utf8"), "Café"],
	"UTF-16 is recognized by its byte order mark": [bytesOf("\ufeffCafé", "utf16le"), "Café"],
	"big-endian UTF-16 is read": [bytesOf("\ufeffCafé", "utf16le").swap16(), "Café"],
	"bytes of an undeclared encoding are read as Windows-1252": [bytesOf("Caf\xe9\x80"), "Café€"],
	"the encoding declared in HTML is used": [bytesOf(`${PAGE}\xbc`), `${PAGE}М`],
	"the encoding declared in XML is used": [bytesOf(`${XML}\xed`), `${XML}М`],
	"valid UTF-8 takes precedence over a declared encoding": [bytesOf(LATIN, "utf8"), LATIN],
	"an unknown encoding is ignored": [bytesOf('<meta charset="klingon">\xe9'), '<meta charset="klingon">é'],
	"an invalid byte in UTF-8 is replaced": [Buffer.of(...bytesOf("éàüöäß", "utf8"), 0xc3), "éàüöäß\ufffd"],
	"content with zero bytes is binary": [bytesOf("PK\u0003\u0004\0\0abc"), undefined],
	"content with control characters is binary": [bytesOf("\u0001\u0002\u0003ab\u0004"), undefined],
	"a zero byte late in a text is replaced": [bytesOf(`${"a".repeat(9000)}\0`), `${"a".repeat(9000)}\ufffd`],
	"an empty file is an empty text": [bytesOf(""), ""],
};

for (const [title, [bytes, text]] of Object.entries(cases))
	test(title, () => assert.equal(decodeText(bytes), text));
