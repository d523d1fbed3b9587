import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../scripts/bench/random.ts";
import type { Candidate } from "../../src/retrieve/candidate.ts";
import { choose } from "../../src/retrieve/choose.ts";
import { gatherThings } from "../../src/retrieve/gatherThings.ts";
import type { StoredPassage } from "../../src/store/port/store.ts";

const COLLECTIONS = 300;
const NAMED = [["http://a.example/3", "http://a.example/4"], ["http://a.example/7"]];

/** Passages of few documents and about few things, of which many repeat each other or tell nothing but a name. */
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

test("what is chosen of the first candidates is what would be chosen of all", async () => {
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

test("a candidate that was replaced before it could be read is counted, and the others are told", async () => {
	const { passages, candidates, limit } = made(1);
	const gone = candidates[0]?.row;
	const store = {
		read: async (rows: readonly number[]) =>
			new Map(rows.flatMap((row) => (passages[row] && row !== gone ? [[row, passages[row]] as const] : []))),
		rowsAbout: async () => new Map(),
	};
	const ports = { store, aliasesOf: () => [], options: {}, mostThings: limit };
	const { read, missed } = await gatherThings(candidates, { first: 100, named: [] }, ports);
	assert.equal(missed, 1);
	assert.ok(read.every(({ row }) => row !== gone));
	assert.ok(read.length > 0);
});
