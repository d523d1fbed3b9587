import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "../../../src/base/language/detect.ts";
import type { Language } from "../../../src/base/language/languages.ts";
import { decodeEntities } from "../../../src/base/words/entities.ts";
import { relevanceOf, weigh, wordsOf } from "../../../src/base/words/relevance.ts";
import { createWordTable, fold } from "../../../src/base/words/wordTable.ts";
import { createDice } from "../../support/random.ts";
import { times } from "../../support/times.ts";

test("entities are decoded once, by name and by number, and unknown entities stay", () => {
	for (const [text, decoded] of [
		["a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"],
		["&quot;caf&eacute;&quot;&nbsp;&ndash; &Uuml;bung", '"café" – Übung'],
		["&#65;&#x42;&#0;&#x110000;", "AB\ufffd\ufffd"],
		["&amp;quot; R&D; AT&T; &unknown; &", "&quot; R&D; AT&T; &unknown; &"],
	] as const)
		assert.equal(decodeEntities(text), decoded);
});

test("an acronym like IT is not a stop word, except among capitals", () => {
	assert.deepEqual([...wordsOf("Who leads IT?")], ["lead", "IT"]);
	assert.deepEqual([...wordsOf("WHO LEADS IT?")], ["lead"]);
});

test("a text that shares rare words with a query is more relevant than a text that shares common words", () => {
	const texts = ["the harbour's astrolabe is found", "the light of the harbour", "a harbour", "nothing here"];
	const [rare = 0, common = 0, , none = 0] = relevanceOf(weigh("The HARBOUR ASTROLABE"), texts.map(weigh));
	assert.ok(rare > common && common > none);
	assert.equal(none, 0);
	assert.deepEqual(relevanceOf(weigh("x"), []), []);
});

const PARTS = "Word a 1 é e\u0301 ﬁ … ™ ² ½ 中文 각 𝐀 😀 \ud800 \udc00 \u0301 “ — . .. _ ._ - + \n".split(
	" ",
);

function foundIn(text: string, joiners: boolean): string[] {
	const pattern = joiners ? /[\p{L}\p{N}]+(?:[._]+[\p{L}\p{N}]+)*/gu : /[\p{L}\p{N}]+/gu;
	return fold(text).match(pattern) ?? [];
}

for (const joiners of ["", "._"])
	test(`a word table with the joiners "${joiners}" finds the words that a regular expression finds`, () => {
		const table = createWordTable({ understand: (word) => word, joiners });
		const dice = createDice(1);
		for (let round = 0; round < 1000; round++) {
			const text = times(dice(9), () => PARTS[dice(PARTS.length)] + " ".repeat(dice(2))).join("");
			const found = table.read(text) ?? table.readFolded(fold(text));
			assert.deepEqual(found, foundIn(text, joiners !== ""), JSON.stringify(text));
		}
	});

test("a word table processes every distinct word once until the table is full", () => {
	let looks = 0;
	const table = createWordTable({ understand: () => looks++, joiners: "" });
	const numbers = (count: number) => times(count, (number) => `n${number}`).join(" ");
	assert.equal(table.read(`${numbers(1000)} ${numbers(1000)}`)?.length, 2000);
	assert.equal(looks, 1000);
	assert.equal(new Set(table.read(numbers(100_000))).size, 100_000);
	assert.equal(new Set(table.read(numbers(500))).size, 500);
});

/** Languages whose sentences are in `analyzer.test.ts`. */
type Analyzed =
	| "de"
	| "fr"
	| "ru"
	| "sv"
	| "tr"
	| "vi"
	| "zh"
	| "ja"
	| "ko"
	| "th"
	| "da"
	| "fi"
	| "hu"
	| "el"
	| "ar"
	| "hi";

const SENTENCES: Readonly<Record<Exclude<Language, Analyzed>, string>> = {
	en: "Who lights the lamp when the keeper is ill?",
	es: "¿Quién enciende la lámpara cuando el farero está enfermo?",
	it: "Chi accende la lampada quando il guardiano è malato?",
	pt: "Quem acende a lâmpada quando o faroleiro está doente?",
	nl: "Wie steekt de lamp aan als de wachter ziek is?",
	pl: "Kto zapala lampę, gdy latarnik jest chory?",
	uk: "Хто запалює лампу, коли доглядач хворіє?",
	cs: "Kdo rozsvítí lampu, když je strážce nemocný?",
	ro: "Cine aprinde lampa când paznicul este bolnav?",
};

for (const [expected, ...texts] of [
	...Object.entries(SENTENCES),
	[undefined, "", "Panthers 308", "def gauss(x, mu, sigma)", "die cast", "Škoda", "α + β = γ", "עברית"],
	// Norwegian shares the rules of Danish.
	["da", "Hvem tenner lampen når fyrvokteren er syk?"],
	// A run of letters without spaces counts as several words.
	["th", "ทีมกีฬามืออาชีพประกอบด้วยทีมจาก Los Angeles Rams และ Los Angeles Kings"],
	["en", "The works of Antonín Dvořák and of Émile Zola are in the library."],
	["en", "The word 灯塔 is the one for a lighthouse in Chinese."],
] as const)
	for (const text of texts)
		test(`the language of "${text}" is ${expected ?? "uncertain"}`, () =>
			assert.equal(languageOf(text), expected));
