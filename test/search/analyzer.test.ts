import assert from "node:assert/strict";
import { test } from "node:test";
import type { WordModel } from "../../src/core/knowledge/embedder.ts";
import { corrected } from "../../src/retrieve/search.ts";
import { createAnalyzer, markOf } from "../../src/search/analyzer.ts";
import { sampleDocument } from "../store/sampleDocument.ts";
import { ENGINES, openTemporary } from "../store/temporaryStore.ts";

const { termsOf, queryTermsOf } = createAnalyzer();

const EN = markOf("en");

/** Terms of a query if passages have the known terms. */
const asked = (query: string, ...known: string[]) =>
	queryTermsOf(query, (term) => known.includes(term)).terms;

/** Long words are cut to their beginnings, but codes are not. */
const LONG = ["de:arbeitsl", "de:arbeitsl", "de:numm", "de:1234567890123"];

const texts: Record<string, readonly string[]> = {
	"The valves were closing.": ["valv", "close"],
	"Crème brûlée in Zürich": ["creme", "brule", "zurich"],
	"call getElementById": ["call", "element", "getelementbyid"],
	"an HTTPServer": ["http", "server", "httpserver"],
	max_open_files: ["max", "open", "file", "max_open_files"],
	"fs.readFile m5.big 3.14": ["fs", "read", "file", "fs.readfile", "m5", "big", "m5.big", "3", "14", "3.14"],
	"Ende. Anfang": ["end", "anfang"],
	"Die Armee hebt den Arm": ["de:arme", "de:hebt", "de:arm"],
	"Der Arbeitslose und die Arbeitslosigkeit mit Nummer 1234567890123.": LONG,
	"of &quot;pumps&quot; &amp; caf&eacute;s&nbsp;&#8211; &unknown;": ["pump", "cafe", "unknown"],
	"of the and": [],
	"😀 -- !": [],
	[`x${"y".repeat(200)}`]: [],
};

for (const [text, terms] of Object.entries(texts))
	test(`the text ${JSON.stringify(text.slice(0, 40))} has ${terms.length} terms`, () => {
		assert.deepEqual(termsOf(text).terms, terms);
	});

test("an acronym is a term even if it is a function word in lowercase", () => {
	assert.deepEqual(termsOf("It is led by Bo IT, and WHO knows.").terms, ["led", "bo", "IT", "WHO", "know"]);
	assert.deepEqual(asked("who heads IT, or what does the WHO say?"), ["head", "IT", "WHO", "sai"]);
	assert.deepEqual(asked("WHO LEADS IT AND WHAT IS THE BUDGET?"), ["lead", "budget"]);
	assert.deepEqual(asked("pumps AND filters OR NOT valves"), ["pump", "filter", "valv"]);
	assert.deepEqual(asked("Wer ist WHO und was ist IT für uns?"), ["WHO", "IT"]);
});

test("a short capitalized word inside a sentence is a name", () => {
	const { terms } = termsOf("The songs of The Who, and of It, are old. It is. See The Sun, or Where It Was.");
	assert.deepEqual(terms, ["song", "THE", "WHO", "IT", "old", "see", "sun"]);
	assert.deepEqual(asked("What did The Who record?", "THE", "WHO"), ["THE", "WHO", "record"]);
	assert.deepEqual(asked("What did The Who record?"), ["record"]);
});

test("a query of function words alone keeps the names among the words", () => {
	assert.deepEqual(asked("the who", "WHO", "IT"), ["WHO"]);
	assert.deepEqual(asked("Who?", "WHO", "IT"), ["WHO"]);
	assert.deepEqual(asked("who plays it", "WHO", "IT"), ["plai"]);
});

test("a 'who' question also has the agent noun as a term if a passage has that noun", () => {
	assert.deepEqual(asked("Who directs manufacturing?", "director"), ["direct", "manufactur", "director"]);
	assert.deepEqual(asked("who manages and who teaches?", "manag", "teacher"), ["manag", "teach", "teacher"]);
	assert.deepEqual(asked("Who directs it?"), ["direct"]);
	assert.deepEqual(asked("It directs traffic", "director"), ["direct", "traffic"]);
});

/** Texts with their language and their terms without the language prefix. */
const foreign: Record<string, readonly [language: string, ...terms: string[]]> = {
	"Wie öffne ich die größten Häuser?": ["de", "offn", "grosst", "haus"],
	"Les développeurs jouaient dans les maisons": ["fr", "developp", "jou", "maison"],
	"¿Dónde están los años y las canciones?": ["es", "años", "cancion"],
	"Где находится защита маяка и Windows": ["ru", "наход", "защ", "маяк", "window"],
	"Var är flickorna och skålen på ön?": ["sv", "flick", "skål", "ön"],
	"Işıklar için bir kitap ve ILIK çay": ["tr", "ışık", "kitap", "ılık", "çay"],
	"Żółte łodzie nie są tak szybkie": ["pl", "żółte", "łodzie", "szybki"],
	"dây đàn của tôi": ["vi", "dây", "đàn"],
	灯塔的2014年Windows: ["zh", "灯塔", "2014", "年", "window"],
	知識の泉: ["ja", "知識", "泉"],
	등대를: ["ko", "등대", "대를"],
	ผมรักประเทศไทย: ["th", "ผม", "รัก", "ประเทศไทย"],
	ทำงาน: ["th", "ทำงาน"],
	"Lamperne og nettene er ikke som personerne": ["da", "lamp", "net", "person"],
	"Talossa oli monta lamppua": ["fi", "talo", "lampu"],
	"A lámpák nem a házakban vannak": ["hu", "lamp", "haz"],
	"Populației și populaţiei din orașe": ["ro", "pop", "pop", "oras"],
	"Η οικονομία και της οικονομίας": ["el", "οικονομ", "οικονομ"],
	"الكتاب في المكتبات": ["ar", "كتاب", "مكتب"],
	"किताबें और किताबों में": ["hi", "किताब", "किताब"],
};

for (const [text, [language, ...terms]] of Object.entries(foreign))
	test(`the terms of "${text}" have the language ${language}`, () => {
		assert.deepEqual(termsOf(text), { terms: terms.map((term) => `${language}:${term}`), language });
	});

test("a text without spaces is split into terms at any length", () => {
	assert.deepEqual(new Set(termsOf("ประเทศไทย".repeat(20)).terms), new Set(["th:ประเทศไทย"]));
});

test("a query uses a whole name if a passage has the name, else the parts of the name", () => {
	assert.deepEqual(asked("CloudWatch alarms", "cloudwatch"), ["cloudwatch", "alarm"]);
	assert.deepEqual(asked("CloudWatch alarms"), ["cloud", "watch", "alarm"]);
});

test("a query has terms in every language of the passages", () => {
	assert.deepEqual(asked("Where are the Foxes of Ulm?", EN), ["fox", "ulm"]);
	assert.deepEqual(asked("Where are Foxes of Ulm?", EN, markOf("de")), ["fox", "ulm", "de:fox", "de:ulm"]);
});

test("a query drops function words of its language also for passages in other languages", () => {
	assert.deepEqual(asked("Wo war die Lampe der Wärter?", EN), ["lamp", "warter"]);
	assert.deepEqual(asked("die cast", EN), ["die", "cast"]);
});

const known = new Set(["which", "medication", "alarm", "may"]);
const words: WordModel = {
	embed: async () => new Float32Array(),
	rankOf: (word) => (known.has(word.toLowerCase()) ? 1 : undefined),
};

for (const engine of ENGINES)
	test(`the engine ${engine} corrects a word that neither passages nor the model know`, async (t) => {
		const { store } = await openTemporary(t, engine);
		const texts = [
			"I am allergic to Medicine.",
			"Alarms of engine X42",
			"Jonna Brecht",
			"Lana waits for Bruno",
		];
		await store.replace([sampleDocument("a.md", texts)]);
		await store.optimize();
		for (const [query, expected] of [
			["Which medecine am I alergic to?", "Which Medicine am I allergic to?"],
			["Who was Jona Brecht?", "Who was Jonna Brecht?"],
			["Who is Burno?", "Who is Bruno?"],
			["alergic my_alergic", "allergic my_alergic"],
		] as const)
			assert.equal(await corrected(query, store, words), expected);
		for (const kept of [
			// Known words, a word without a near one, and a different first letter.
			...["Which medication, numpy or penicillin?", "What does fonna say?", "Is Lena there?"],
			// Names with digits or joiners, and quotations.
			'alergic.md "so alergic" engina42 my_alergic',
		])
			assert.equal(await corrected(kept, store, words), kept);
		assert.equal(await corrected("Which medecine?", store, undefined), "Which medecine?");
	});
