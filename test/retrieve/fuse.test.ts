import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../scripts/bench/random.ts";
import type { Candidate } from "../../src/retrieve/candidate.ts";
import { choose } from "../../src/retrieve/choose.ts";
import { fuse, type LegResults } from "../../src/retrieve/fuse.ts";
import { gatherThings } from "../../src/retrieve/gatherThings.ts";
import { partsIn } from "../../src/retrieve/questionParts.ts";
import { STATIC_SCALE, unlearned } from "../../src/retrieve/vectorScale.ts";
import { createAnalyzer } from "../../src/search/analyzer.ts";
import { phrasesIn } from "../../src/search/phrases.ts";
import type { StoredPassage } from "../../src/store/port/store.ts";
import { assertMapped } from "../support/assertMapped.ts";

const matches = (...scores: readonly (readonly [row: number, score: number])[]) =>
	scores.map(([row, score]) => ({ row, score }));
const ranked = (legs: Partial<LegResults>) =>
	Array.from(fuse({ text: [], ...legs }), ({ row, score }) => `${row}: ${Math.round(score * 1000) / 1000}`);

const TEXT = matches([1, 20], [2, 10]);
const VECTOR = matches([2, 0.8], [1, 0.4], [3, 0]);
const ENTITIES = matches([2, 1], [3, 0.5]);
const DESCRIBED = { entity: matches([1, 1]), descriptor: [{ rows: [1], score: 1 }] };
const quoting = (...rows: number[]) => ({ text: matches([1, 20], [2, 10], [3, 10]), quoted: new Set(rows) });
const NEAR = { text: matches([1, 20], [2, 16]), vector: VECTOR };
/** Row 9 is found by words but not by the vector leg. */
const nearTo = (cosine: number) => ({
	...{ text: matches([9, 5]), vector: matches([1, 0.5]) },
	cosines: new Map([[9, cosine]]),
});
const NEARER = matches([1, 0.5], [2, 0.2]);
const VECTORLESS = { text: matches([9, 5]), vector: matches([1, 1], [2, 0.8]), cosines: new Map() };
const FOREIGN = { text: [{ row: 2, score: 3, isForeign: true as const }], vector: NEARER };

for (const [title, legs, expected] of [
	["without vectors, the score is that of words alone", { text: TEXT }, "1: 1, 2: 0.5"],
	["a score sums weighted shares of the best scores", { text: TEXT, vector: VECTOR }, "1: 0.8, 2: 0.7"],
	["cosines of 0 or less do not count", { vector: matches([1, 0.6], [2, 0], [3, -0.4]) }, "1: 0.4"],
	["a match by words alone also counts by its cosine", nearTo(0.125), "9: 0.7, 1: 0.4"],
	["a passage that the vector leg missed is at most as near as the nearest", nearTo(0.9), "9: 1, 1: 0.4"],
	["a passage without a vector is farther than any match", VECTORLESS, "9: 0.84, 1: 0.4, 2: 0.32"],
	["a certain entity raises a score more", { text: TEXT, entity: ENTITIES }, "1: 1, 2: 0.7, 3: 0.2"],
	["an entity and a description both raise a score", DESCRIBED, "1: 0.64"],
	["a phrase raises the only passage with the phrase", quoting(2), "1: 1, 2: 0.75, 3: 0.5"],
	["a phrase in two passages raises each of them less", quoting(2, 3), "1: 1, 2: 0.648, 3: 0.648"],
	["vectors may decide between passages with similar words", NEAR, "2: 0.88, 1: 0.8"],
	["unlearned vectors weigh less", { ...NEAR, scale: unlearned(STATIC_SCALE) }, "1: 0.94, 2: 0.824"],
	["words may outweigh vectors", { text: matches([2, 3]), vector: NEARER }, "2: 0.76, 1: 0.4"],
	["words of a passage in another language count less", FOREIGN, "1: 0.4, 2: 0.34"],
] as const satisfies readonly (readonly [string, Partial<LegResults>, string])[])
	test(title, () => assert.equal(ranked(legs).join(", "), expected));

test("a matching description raises all found passages of its document", () => {
	const text = matches([1, 10], [2, 5], [3, 4]);
	const ofRows = (score: number, ...rows: number[]) => ({ rows, score });
	const descriptor = [ofRows(1, 2, 3), ofRows(0.9), ofRows(0.5, 4)];
	assert.deepEqual(ranked({ text, descriptor }), ["1: 1", "2: 0.7", "3: 0.64", "4: 0.2"]);
	assertMapped(fuse({ text, descriptor }), ({ why }) => why.descriptor, [undefined, 1, 1, 3]);
});

const COLLECTIONS = 300;
const NAMED = [["http://a.example/3", "http://a.example/4"], ["http://a.example/7"]];

/** Passages of few documents about few things; many are repetitions or only a name. */
function made(seed: number) {
	const random = createRandom(seed);
	const one = (many: number) => Math.floor(random() * many);
	const passages = Array.from({ length: 5 + one(60) }, (_, row): StoredPassage => {
		const [uri, isText] = [`file:///${one(6)}`, random() < 0.5];
		const resource = `http://a.example/${one(12)}`;
		const said = `word${one(20)} other${one(5)} more${one(3)} last${row % 7}`;
		const text = isText || random() < 0.3 ? said : `Name\nid: ${resource}`;
		const lines = { start: row + 1, end: row + 1 };
		return { id: `${uri}#${row}`, uri, title: "Name", text, lines, ...(!isText && { resource }) };
	});
	const candidates = passages.map(({ id, uri, resource: iri }, row): Candidate => {
		const [isText, score] = [iri === undefined, 1 / (1 + row * random())];
		return { row, id, uri, iri, way: undefined, isText, isMatch: true, score, why: {} };
	});
	return { passages, candidates: candidates.sort((a, b) => b.score - a.score), limit: 1 + one(8) };
}

async function chosenOf({ passages, candidates, limit }: ReturnType<typeof made>, first: number) {
	let read = 0;
	const rowsOf = (resource: string) =>
		passages.flatMap((one, row) => (one.resource === resource ? [row] : []));
	const store = {
		read: async (rows: readonly number[]) => {
			read = Math.max(read, rows.length);
			return new Map(rows.flatMap((row) => (passages[row] ? [[row, passages[row]] as const] : [])));
		},
		rowsAbout: async (subjects: readonly { readonly resource: string }[]) =>
			new Map(subjects.flatMap(({ resource }, at) => rowsOf(resource).map((row) => [row, at] as const))),
	};
	const aliasesOf = (iri: string) => {
		const same = ["http://a.example/1", "http://a.example/2"];
		return same.includes(iri) ? same.filter((other) => other !== iri) : [];
	};
	const ports = { store, aliasesOf, options: {}, mostThings: 2 * limit };
	for (let many = first; ; many *= 2) {
		const gathered = await gatherThings(candidates, { first: many, named: NAMED }, ports);
		const chosen = choose(gathered, { limit, named: NAMED });
		if (chosen) return { chosen, read };
	}
}

test("hits chosen from the first candidates are those chosen from all candidates", async () => {
	let spared = 0;
	for (let seed = 1; seed <= COLLECTIONS; seed++) {
		const collection = made(seed);
		const all = await chosenOf(collection, collection.candidates.length);
		const some = await chosenOf(collection, 2);
		assert.deepEqual(some.chosen, all.chosen, `collection ${seed}`);
		if (some.read < all.read) spared++;
	}
	assert.ok(spared > COLLECTIONS / 4, `${spared} were chosen without reading all`);
});

const queries: Record<string, string[]> = {
	"cooling pump": [],
	'the "sea  Water" pump': ["sea water"],
	'"a" and “b c”': ["a", "b c"],
	"„unten“ «côté»": ["unten", "cote"],
	'an "open end': [],
	'""': [],
	"it's 5\" wide": [],
};

for (const [query, expected] of Object.entries(queries))
	test(`the query ${JSON.stringify(query)} has the phrases ${JSON.stringify(expected)}`, () =>
		assert.deepEqual(phrasesIn(query), expected));

const questions: Record<string, string[]> = {
	"Who keeps the light, and which pump cools it?": ["Who keeps the light", "which pump cools it"],
	"Stop the pump, clean the filter, and oil the gear": ["Stop the pump", "clean the filter", "oil the gear"],
	"Limits of small pumps and of large filters": ["Limits of small pumps", "Limits of large filters"],
	"Our pump leaks. Who leads IT? Who repairs filters?": ["Who leads IT", "Who repairs filters"],
	"Wer wartet die Pumpe und wer prüft den Filter?": ["Wer wartet die Pumpe", "wer prüft den Filter"],
	"谁维护水泵？谁检查过滤器？": ["谁维护水泵", "谁检查过滤器"],
	"In the old harbour, what do pumps need?": [],
	"When cleaning a pump, how long must it cool and how tight are the pins?": [
		"When cleaning a pump, how long must it cool",
		"When cleaning a pump, how tight are the pins",
	],
	"How do pumps, filters, and gears work together?": [],
	"Wie alt war die Pumpe, als der Filter riss?": [],
	"Who was Elizabeth II. of the harbour?": [],
	'Who keeps "the light, and the pump"?': [],
};

const termsOf = (text: string) => createAnalyzer().termsOf(text).terms;

for (const [query, expected] of Object.entries(questions))
	test(`the question ${JSON.stringify(query)} has ${expected.length} parts`, () =>
		assert.deepEqual(partsIn(query, termsOf), expected));
