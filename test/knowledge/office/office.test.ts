import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { formatPlace } from "../../../src/core/knowledge/citation.ts";
import type { ParsedDocument } from "../../../src/core/knowledge/document.ts";
import { parseDocument } from "../../../src/knowledge/formats.ts";
import { placeIn } from "../../../src/worker/answers/read.ts";
import { documentOf } from "../../support/documents.ts";
import { createRandom } from "../../support/random.ts";

const SAMPLES = new URL("samples/", import.meta.url);

const sample = (name: string) => new Uint8Array(readFileSync(new URL(name, SAMPLES)));
const parse = (name: string, bytes: Uint8Array) => documentOf(`file:///w/${name}`, bytes);

/** Finds the passage that contains some words: its citation and its text. */
function found({ passages, extracted }: ParsedDocument, words: string) {
	const passage = passages.find(({ text }) => text.replace(/\s+/g, " ").includes(words));
	assert.ok(passage && extracted, `${words} is in no passage`);
	const { start, end } = passage.lines;
	const lines = extracted.text.split("\n").slice(start - 1, end);
	return { place: formatPlace(placeIn(extracted.parts, passage.lines)), there: lines.join(" ") };
}

const HORN = ["ninety seconds", /blasts every ninety\s+seconds/] as const;
const COST = ["Osterby Works | Year: 1913 | Crowns: 340", /Item: Diaphragm/] as const;

const PLACES = {
	...{
		"handbook.pdf": /^p2/,
		"handbook.docx": /^5-8$/,
		"handbook.odt": /^5-8$/,
		"handbook.rtf": /^\d+-\d+$/,
	},
	...{ "handbook.epub": /^ch2/, "talk.pptx": /^s2$/, "talk.odp": /^s2$/ },
	...{ "costs.xlsx": /^(?:Sheet1|costs)!A1:D6$/i, "costs.ods": /^(?:Sheet1|costs)!A1:D6$/i },
};

for (const [name, wanted] of Object.entries(PLACES))
	test(`a passage of ${name} cites the place that has its text`, async () => {
		const [words, cited] = name.startsWith("costs") ? COST : HORN;
		const { place, there } = found(await parse(name, sample(name)), words);
		assert.match(place, wanted);
		assert.match(there, cited);
	});

test("a passage of a PDF, DOCX or ODT file has its heading as title, and cells of a row stay together", async () => {
	for (const name of ["handbook.pdf", "handbook.docx", "handbook.odt"]) {
		const { passages } = await parse(name, sample(name));
		const row = passages.find(({ text }) => /Compressor\W+Halden Brothers\W+1,275 crowns/.test(text));
		assert.match(row?.title ?? "", /Handbook of the Gannet Rock Light › The horn$/, name);
	}
});

test("metadata of a PDF become statements", async () => {
	const { quads, title } = await parse("handbook.pdf", sample("handbook.pdf"));
	const told = quads.map(({ predicate, object }) => `${predicate.value.replace(/.*\//, "")} ${object.value}`);
	assert.equal(title, "Handbook of the Gannet Rock Light");
	assert.ok(told.includes("author Ida Fenwick") && told.includes("numberOfPages 3"));
});

const MAIL = `From: Ida Fenwick <ida@example.org>
To: Per Osterby <per@example.org>
Subject: The diaphragm
Date: Tue, 3 Sep 1912 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; charset=utf-8

It broke at the test of the horn.
--x
Content-Disposition: attachment; filename=list.txt

One diaphragm, 340 crowns.
--x--
`.replaceAll("\n", "\r\n");

test("passages of a mail cite its parts, and its sender becomes a statement", async () => {
	const mail = await parse("horn.eml", strToU8(MAIL));
	assert.match(found(mail, "It broke at the test").place, /^part1/);
	assert.match(found(mail, "One diaphragm, 340 crowns").place, /^part2/);
	const from = mail.quads.find(({ predicate }) => predicate.value.endsWith("/sender"));
	assert.deepEqual([from?.object.value, from?.lines.start], ["Ida Fenwick <ida@example.org>", 2]);
});

/** An archive that states too small a size for its document. */
function understated(): Uint8Array {
	const bomb = zipSync({ "word/document.xml": strToU8("ab".repeat(50_000)) });
	const view = new DataView(bomb.buffer);
	view.setUint32(view.getUint32(bomb.length - 6, true) + 24, 10, true);
	return bomb;
}

/** A compound file in which every sector points to the second one. */
function circle(): Uint8Array {
	const bytes = new Uint8Array(512 * 4);
	const view = new DataView(bytes.buffer);
	bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
	view.setUint16(30, 9, true);
	for (let at = 48; at < 512; at += 4) view.setUint32(at, 0xffffffff, true);
	view.setUint32(48, 1, true);
	view.setUint32(76, 0, true);
	for (let at = 512; at < 1024; at += 4) view.setUint32(at, 1, true);
	return bytes;
}

/** A PDF of these objects, numbered from 1. */
function pdfOf(...objects: string[]): Uint8Array {
	const numbered = objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`);
	return strToU8(`%PDF-1.4\n${numbered.join("")}trailer<</Root 1 0 R>>\n`);
}

const CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
const EMPTY = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>";

const MANIFEST = strToU8("<manifest:manifest><manifest:encryption-data/></manifest:manifest>");

for (const [name, bytes, reason] of [
	["large.docx", zipSync({ "word/document.xml": new Uint8Array(3_000_000) }), /unpacks to too much/],
	["larger.docx", understated(), /unpacks to more than stated/],
	["loop.msg", circle(), /refer to each other in a circle/],
	["empty.docx", zipSync({ "word/document.xml": strToU8("<w:document/>") }), /^it has no text$/],
	["secret.docx", Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, ...Array(596).fill(1)]), /encrypted/],
	["secret.odt", zipSync({ "META-INF/manifest.xml": MANIFEST, "content.xml": MANIFEST }), /with a password/],
	["scan.pdf", pdfOf(CATALOG, "<</Type/Pages/Kids[3 0 R]/Count 1>>", EMPTY), /^no text layer/],
] as const)
	test(`${name} is skipped with a reason that matches ${reason.source}`, async () => {
		const outcome = await parseDocument(`file:///w/${name}`, bytes);
		assert.match("skipped" in outcome ? outcome.skipped : "it was read", reason);
	});

test("a chapter or slide that a file repeats is read once", async () => {
	const ids = Array.from({ length: 20_000 }, (_, at) => at);
	const hrefOf = (at: number) => `b${at}/../a.xhtml#part-${at}`;
	const items = ids.map((at) => `<item id="a${at}" href="${hrefOf(at)}"/>`).join("");
	const refs = ids.map((at) => `<itemref idref="a${at}"/>`).join("");
	const book = zipSync({
		"META-INF/container.xml": strToU8('<rootfile full-path="a.opf"/>'),
		"a.opf": strToU8(`${items}<spine>${refs}</spine>`),
		"a.xhtml": strToU8("<p>hello</p>"),
	});
	assert.equal((await parse("loop.epub", book)).extracted?.parts.length, 1);
	const slides = zipSync({
		"ppt/presentation.xml": strToU8('<p:sldId r:id="a"/>'.repeat(50_000)),
		"ppt/_rels/presentation.xml.rels": strToU8('<Relationship Id="a" Target="slides/slide1.xml"/>'),
		"ppt/slides/slide1.xml": strToU8("<p:sld><a:p><a:t>hello</a:t></a:p></p:sld>"),
	});
	assert.equal((await parse("loop.pptx", slides)).extracted?.parts.length, 1);
});

/** Damaged RTF and mail may still be valid text. */
const PLAIN = /\.(?:rtf|eml)$/;

for (const name of [...readdirSync(SAMPLES), "horn.eml"])
	test(`${name} with random damage is skipped or has passages with its text`, async () => {
		const whole = name === "horn.eml" ? strToU8(MAIL) : sample(name);
		const random = createRandom(name.length);
		for (let round = 0; round < 12; round++) {
			const bytes = whole.slice(0, round % 3 === 0 ? random.below(whole.length) : whole.length);
			for (let hits = random.below(200); hits > 0 && bytes.length > 0; hits--)
				bytes[random.below(bytes.length)] = random.below(256);
			await checkDamaged(name, bytes);
		}
	});

async function checkDamaged(name: string, bytes: Uint8Array): Promise<void> {
	const outcome = await parseDocument(`file:///w/${name}`, bytes);
	if ("skipped" in outcome) return;
	const { title, passages, extracted } = outcome.document;
	assert.notEqual(title, "");
	if (PLAIN.test(name)) return;
	assert.ok(extracted?.text.trim());
	assert.ok(passages.some(({ text }) => text !== name && !text.includes("%PDF")));
}

test("deeply nested elements of a mail or DOCX file are read to their end", async () => {
	const mail = `Content-Type: text/html\r\n\r\n${"<div><table><tr><td>".repeat(100_000)}deep`;
	assert.match((await parse("deep.eml", strToU8(mail))).extracted?.text ?? "", /deep/);
	const xml = `<w:p><w:t>first</w:t></w:p>${"<w:tbl><w:tr><w:tc><w:p>".repeat(100_000)}`;
	const docx = await parse("deep.docx", zipSync({ "word/document.xml": strToU8(xml) }));
	assert.match(docx.extracted?.text ?? "", /first/);
});

test("reading a PDF with cyclic pages and outlines ends", async () => {
	const pdf = pdfOf(
		CATALOG.replace(">>", "/Outlines 5 0 R>>"),
		"<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2>>",
		EMPTY.replace(">>", "/Contents 4 0 R/Resources<</Font<</F 6 0 R>>>>>>"),
		"<</Length 35>>stream\nBT /F 12 Tf (hello there) Tj ET    \nendstream ",
		"<</First 7 0 R/Last 7 0 R>>",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
		"<</Title(a)/Next 7 0 R/First 7 0 R/Parent 5 0 R/Dest[3 0 R/Fit]>>",
	);
	const outcome = await parseDocument("file:///w/loop.pdf", pdf);
	assert.ok("skipped" in outcome || outcome.document.title !== "");
});
