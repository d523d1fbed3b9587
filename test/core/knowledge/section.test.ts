import assert from "node:assert/strict";
import { test } from "node:test";
import * as section from "../../../src/core/knowledge/section.ts";
import type { SectionForm } from "../../../src/core/knowledge/sectionForm.ts";
import { type Block, cutPassages, toBlocks } from "../../../src/knowledge/passages/passages.ts";
import { splitLines } from "../../../src/knowledge/passages/source.ts";
import { assertMapped } from "../../support/assertMapped.ts";

const { linesWithin, readSpans, sectionsOf, storeSpans } = section;

function cut(blocks: readonly Block[]): section.Section[] {
	return cutPassages("Title", blocks).flatMap((passage) =>
		sectionsOf({ ...passage, ...readSpans(storeSpans(passage.sections)) }),
	);
}

const sectionsIn = (text: string, form: SectionForm) => cut(toBlocks(splitLines(text), form));

/** The source lines of some words in their section, as `5-6`. */
function linesOf(words: string, sections: readonly section.Section[]): string {
	const found = sections.find(({ text }) => text.includes(words));
	assert.ok(found, words);
	const from = found.text.indexOf(words);
	const { start, end } = linesWithin(found, from, from + words.length);
	return `${start}-${end}`;
}

test("a sentence of wrapped prose is mapped to its source lines", () => {
	const sections = sectionsIn("\n\nIt is green. It was\nbuilt in one\nsummer. It stands.", "prose");
	assert.deepEqual([sections[0]?.text], ["It is green. It was built in one summer. It stands."]);
	const sentences = ["It is green.", "It was built in one summer.", "It stands."];
	assertMapped(sentences, (sentence) => linesOf(sentence, sections), ["3-3", "3-5", "5-5"]);
});

test("list items and statements of a record are mapped to their source lines", () => {
	const statements = [
		{ text: "name: Horn", lines: { start: 9, end: 9 } },
		{ text: "maker: Halden", lines: { start: 4, end: 5 } },
	];
	const list = toBlocks(splitLines("\n- one\n  more\n- two"), "list");
	const sections = cut([...list, { kind: "record", lines: statements }]);
	assertMapped(sections, ({ form, text }) => [form, text], [
		["list", "- one\n  more\n- two"],
		["record", "name: Horn\nmaker: Halden"],
	]);
	const words = ["- one\n  more", "- two", "maker: Halden"];
	assertMapped(words, (each) => linesOf(each, sections), ["2-3", "4-4", "4-5"]);
});

test("rows of a split table are mapped to their source lines in spite of the repeated header", () => {
	const rows = Array.from({ length: 120 }, (_, index) => `| part ${index} | made by Halden |`);
	const sections = sectionsIn(["| Part | Maker |", ...rows].join("\n"), "table");
	assert.ok(sections.length > 2 && sections.every(({ text }) => text.startsWith("| Part | Maker |\n")));
	for (const [index, row] of rows.entries())
		assert.equal(linesOf(row, sections), `${index + 2}-${index + 2}`);
});

test("a passage of an older index is a single section with all lines of the passage", () => {
	const passage = { title: "Title", text: "one\n\ntwo\nthree", lines: { start: 2, end: 9 } };
	assert.equal(linesOf("two", sectionsOf({ ...passage, ...readSpans(undefined) })), "2-9");
});
