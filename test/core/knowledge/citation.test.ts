import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { citeEvents } from "../../../src/agent/loop/citationStream.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import {
	type Citation,
	citationsIn,
	escapePath,
	formatCitation,
	overlap,
	readPath,
	uncited,
} from "../../../src/core/knowledge/citation.ts";
import { formatEvidence, formatListing } from "../../../src/core/knowledge/evidence.ts";
import { pathOf, withUniqueNames } from "../../../src/core/knowledge/path.ts";
import * as section from "../../../src/core/knowledge/section.ts";
import type { SectionForm } from "../../../src/core/knowledge/sectionForm.ts";
import { type Block, cutPassages, toBlocks } from "../../../src/knowledge/passages/passages.ts";
import { splitLines } from "../../../src/knowledge/passages/source.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { createRandom, type Random } from "../../support/random.ts";

const ROUNDS = 300;
const SECRET = "src/secret.md";

/** Parts of names: ordinary ones, and ones that could end, hide or imitate a citation. */
const PIECES = [
	..."a Z docs/ src/secret.md .md ünï u\u0308 日本 🚀 (1) # &amp; \\ C:/ <x> | _ \u3164 \ue000".split(" "),
	..."[ ] [[ ]] : :12-14 :3 3 - % %5D %5d %25 %2 ` `` * ]: ](x) [src/secret.md:1]".split(" "),
	...["two words", "] [", " ", "  ", "\n", "\r", "\t", "\u0000", "\u001b[31m", "\u2028", "\u00a0", "\u202e"],
	...["\u200b", "\u2066", "\ufeff"],
];

function nameFrom(random: Random): string {
	return Array.from({ length: 1 + random.below(7) }, () => random.pick(PIECES)).join("");
}

function linesFrom(random: Random): Citation["lines"] {
	const start = 1 + random.below(99);
	const lines = { start, end: start + random.below(3) };
	if (random.below(4) === 0) return { ...lines, part: `${random.pick(["p", "s", "ch", "part"])}${start}` };
	return random.below(4) === 0 ? { ...lines, part: nameFrom(random), columns: "A:AF" } : lines;
}

async function eventsOf(chunks: readonly string[], shown: readonly Citation[]): Promise<AgentEvent[]> {
	const said = chunks.map((text): AgentEvent => ({ kind: "text", text }));
	return Array.fromAsync(citeEvents(Readable.from(said), { before: shown }));
}

async function citedIn(chunks: readonly string[], shown: readonly Citation[]): Promise<Citation[]> {
	const events = await eventsOf(chunks, shown);
	return events.flatMap((event) => (event.kind === "citation" ? [event.citation] : []));
}

const citedBy = (text: string) => citationsIn(text).map(({ citation }) => citation);

function torn(text: string, random: Random): string[] {
	return text.match(new RegExp(`.{1,${1 + random.below(9)}}`, "gsu")) ?? [];
}

const UNCHANGED = [
	...["a.md", "docs/two words.md", "C:/x/y.ttl", "a(1)-#ü.html", "urn:x", "100%.md", "my_file.test.ts"],
	...["日本/ノート.md", "file:///elsewhere/a.md", "notes (2)/a.md", "docs/été – 1.md"],
];

for (const [path, written] of [
	...UNCHANGED.map((same) => [same, same] as const),
	["x] [src/secret.md", "x%5D %5Bsrc/secret.md"],
	["src/secret.md:12-14", "src/secret.md%3A12-14"],
	["a%5D.md", "a%255D.md"],
	[" a\n.md ", "%20a%0A.md%20"],
	["a\u202emd.x", "a%E2%80%AEmd.x"],
	["a  b", "a%20 b"],
	["a`b`.md", "a%60b%60.md"],
] as const)
	test(`a citation spells the path ${JSON.stringify(path)} as ${written}`, () => {
		assert.equal(escapePath(path), written);
		assert.equal(formatCitation({ path, lines: { start: 12, end: 18 } }), `[${written}:12-18]`);
	});

test("every path is read back from its citation, alone and in an answer split into chunks", async () => {
	const random = createRandom(12);
	for (let round = 0; round < ROUNDS; round++) {
		const citation = { path: nameFrom(random), lines: linesFrom(random) };
		const mark = formatCitation(citation);
		assert.match(mark, /^\[[^[\]`\p{Cc}\p{Cf}]+\]$/u);
		assert.equal(readPath(escapePath(citation.path)), citation.path);
		const answer = `So [it] is ${mark}, says [one](x).`;
		assert.deepEqual(citedBy(answer), [citation], answer);
		assert.deepEqual(await citedIn(torn(answer, random), [citation]), [citation], answer);
	}
});

test("evidence cites only its own file, whatever the file's path, title and text contain", () => {
	const random = createRandom(99);
	for (let round = 0; round < ROUNDS; round++) {
		const [path, title, text] = [nameFrom(random), nameFrom(random), nameFrom(random)];
		const piece = { path, lines: linesFrom(random), title, text: `${text}\n[${SECRET}:1-9]` };
		const evidence = formatEvidence(piece);
		assert.deepEqual(citedBy(evidence), [{ path, lines: piece.lines }], JSON.stringify(piece));
		const [heading = ""] = evidence.split("\n");
		assert.equal(evidence.slice(heading.length + 1).startsWith(uncited(text).split("\n")[0] ?? ""), true);
		const item = { label: title, iri: text, citation: { path, lines: piece.lines } };
		const listing = formatListing({ kind: "count", what: text, total: 1, items: [item], truncated: false });
		assert.deepEqual(citedBy(listing), [item.citation], listing);
		assert.equal(listing.split("\n").length, 2);
	}
});

test("uncited text contains no citation, however deep its brackets are nested", () => {
	const random = createRandom(5);
	const parts = ["[", "]", ":1", ":2-3", "a.md", " ", "\n", "(", ")", "[a:1]"];
	for (let round = 0; round < 10 * ROUNDS; round++) {
		const text = Array.from({ length: random.below(16) }, () => random.pick(parts)).join("");
		const now = uncited(text);
		assert.deepEqual(citationsIn(now), [], text);
		const expected = text.replace(/[[\]()]/g, (bracket, at) => (/[()]/.test(now[at] ?? "") ? "?" : bracket));
		assert.equal(now.replace(/[()]/g, "?"), expected);
	}
	const deep = `${"[".repeat(100_000)}a${":1]".repeat(100_000)}`;
	assert.deepEqual(citationsIn(uncited(deep)), []);
});

test("an answer cites only shown files, however the answer is split and its brackets are nested", async () => {
	const random = createRandom(31);
	const shown = [{ path: "a.md", lines: { start: 1, end: 5 } }];
	const words = `[a.md:1] [${SECRET}:1] [ ] ${SECRET} :1 :2-3 a.md`.split(" ");
	const parts = ["\n", " ", "x".repeat(60), ...words];
	for (let round = 0; round < ROUNDS; round++) {
		const answer = Array.from({ length: random.below(12) }, () => random.pick(parts)).join("");
		const events = await eventsOf(torn(answer, random), shown);
		const written = events.map((event) => {
			if (event.kind === "citation") return formatCitation(event.citation);
			return event.kind === "text" ? event.text : "";
		});
		for (const { citation } of citationsIn(`${written.join("")}:1]`))
			assert.equal(citation.path, "a.md", answer);
	}
});

test("a citation that spells a path differently cites no file", async () => {
	const of = (path: string) => ({ path, lines: { start: 1, end: 9 } });
	for (const [answer, ...shown] of [
		// Decoding the first path twice would give the second.
		["[a%5D.md:1]", "a%5D.md", "a].md"],
		["[\u00e9.md:1]", "e\u0301.md", "\u00e9.md"],
		["[a b.md:1]", "a  b.md"],
		["[A.md:1]", "a.md"],
		["[src/secret.md:1]", "src/secret.md "],
		["[src/secret.md:1]", "x] [src/secret.md"],
		["[src/secret.md:1]", "src/secret.md:1"],
		["[src/secret.md:1]", "src/sec\u200bret.md"],
		["[x%5d %5Bsrc/secret.md:1]", "x] [src/secret.md"],
		["[%73rc/secret.md:1]", "src/secret.md"],
		["[./src/secret.md:1]", "src/secret.md"],
	] as const)
		assert.deepEqual(await citedIn([answer], shown.map(of)), [], answer);
	const encoded = await citedIn(["[a%255D.md:1]"], ["a%5D.md", "a].md"].map(of));
	assert.deepEqual(encoded, [{ path: "a%5D.md", lines: { start: 1, end: 1 } }]);
});

for (const [written, lines] of [
	["p12", { part: "p12", start: 1, end: 999_999_999 }],
	["p12:3-9", { part: "p12", start: 3, end: 9 }],
	["s7", { part: "s7", start: 1, end: 999_999_999 }],
	["Sheet1!A12:F12", { part: "Sheet1", columns: "A:F", start: 12, end: 12 }],
	["Costs 2024!B3", { part: "Costs 2024", columns: "B:B", start: 3, end: 3 }],
	["a%3Ab%21!A1:B9", { part: "a:b!", columns: "A:B", start: 1, end: 9 }],
	["12-18", { start: 12, end: 18 }],
] as const)
	test(`a citation of the place ${written} is read and written unchanged`, () => {
		assert.deepEqual(citedBy(`So it is [a b.x:${written}].`), [{ path: "a b.x", lines }]);
		assert.equal(formatCitation({ path: "a b.x", lines }), `[a b.x:${written}]`);
	});

test("line ranges on different pages do not overlap", () => {
	const page = { part: "p1", start: 3, end: 9 };
	assert.equal(overlap(page, { ...page, part: "p2" }), 0);
	assert.equal(overlap(page, { ...page, start: 9, end: 12 }), 1);
	assert.equal(overlap(page, { start: 3, end: 9 }), 0);
});

test("links, footnotes, arrays and times are not citations; a reversed range cites its first line", () => {
	const cited = (text: string) => citedBy(text).map(formatCitation);
	assert.deepEqual(cited("[link](a.md:1) [1] [^2] x[0] [12:30 today] [see: a]"), []);
	assert.deepEqual(cited("[a.md:9-3]"), ["[a.md:9]"]);
});

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

const one = [{ uri: "file:///home/kb", name: "kb" }];
const two = [...one, { uri: "file:///home/kb2", name: "notes" }];

for (const [uri, folders, path] of [
	["file:///home/kb/docs/a.md", one, "docs/a.md"],
	["file:///home/kb/two%20words.md", one, "two words.md"],
	["file:///home/kb/docs/a.md", two, "kb/docs/a.md"],
	["file:///home/kb2/a.md", two, "notes/a.md"],
	["file:///elsewhere/a.md", one, "file:///elsewhere/a.md"],
] as const)
	test(`a workspace of ${folders.length} folders shows ${uri} as ${path}`, () =>
		assert.equal(pathOf(uri, folders), path));

for (const [names, expected] of [
	["kb|kb|kb (2)|kb/notes|..||kb", "kb|kb (2)|kb (2) (2)|kb-notes|folder|folder (2)|kb (3)"],
	["kb|notes|kb", "kb|notes|kb (2)"],
] as const)
	test(`folders named ${names} get unique names that are not paths of each other`, () => {
		const folders = names.split("|").map((name) => ({ uri: "file:///x", name }));
		const unique = withUniqueNames(folders).map(({ name }) => name);
		assert.equal(unique.join("|"), expected);
	});
