import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { LineRange } from "../../src/core/knowledge/citation.ts";
import type { Hit } from "../../src/core/knowledge/knowledge.ts";
import { openIn } from "../store/temporaryStore.ts";
import { makeFolder } from "../support/folder.ts";
import { times } from "../support/times.ts";
import { indexFiles } from "./filesIndex.ts";
import { builtIn, documentsOf, folder, QUESTIONS, searchIn, toDocument } from "./handbook.ts";

async function openHandbook(t: TestContext) {
	const store = await openIn(t, await makeFolder(t), { embedder: builtIn });
	await store.replace(await documentsOf(builtIn));
	return { store, search: searchIn(store, builtIn) };
}

const placeOf = (hit: Hit | undefined) => `${hit?.path}:${hit?.lines.start}`;

test("the best hit is the passage that answers the question, before and after the store is optimized", async (t) => {
	const { store, search } = await openHandbook(t);
	for (const bringUp of [() => Promise.resolve(), () => store.optimize()]) {
		await bringUp();
		for (const [query, expected] of Object.entries(QUESTIONS))
			assert.equal(placeOf((await search({ query })).hits[0]), expected, query);
	}
});

test("a hit has its title, text, lines, resource and ranks", async (t) => {
	const { search } = await openHandbook(t);
	const { hits, notices } = await search({ query: "cooling pump sea water", limit: 1 });
	const [{ score, ...hit } = assert.fail("nothing was found")] = hits;
	assert.deepEqual(notices, []);
	const nameless = await search({ query: "windlass breaker", limit: 1 });
	assert.equal(nameless.hits[0]?.iri, undefined);
	assert.ok(score > 0.9 && score <= 1, `${score}`);
	const path = "engine/cooling.md";
	assert.deepEqual(hit, {
		...{ id: `${folder}${path}#0`, uri: folder + path, path, iri: `https://ship.example/${path}` },
		...{ lines: { start: 1, end: 9 }, title: "engine cooling md", why: { text: 1, vector: 1 } },
		text: "The cooling pump circulates sea water through the heat exchanger.",
	});
});

test("vectors count less if the embedding model has not learned the question's language", async (t) => {
	const { store, search } = await openHandbook(t);
	const query = { query: "What shall we do when the motor is overheated?" };
	const { hits } = await search(query);
	const unlearned = await searchIn(store, { ...builtIn, languages: new Set(["de"]) })(query);
	const nearest = hits.find(({ why }) => why.vector && !why.text) ?? assert.fail("words found all");
	const same = unlearned.hits.find(({ id }) => id === nearest.id);
	assert.ok((same?.score ?? 0) < nearest.score / 2, `${same?.score} of ${nearest.score}`);
});

test("a long passage is shortened to excerpts about the question, with their lines and the table's header", async (t) => {
	const rows = times(60, (index) => `${100 + index};Chair ${index};wood`);
	rows[40] = "140;Hazel side table;birch";
	const prose = times(30, (index) => `The crew of boat ${index} met on the pier.`);
	prose[3] = "The harbour master is Ida Thorn.";
	prose[25] = "Her deputy is Nils Ferring.";
	const files = {
		"goods.csv": ["number;name;wood", ...rows, ""].join("\n"),
		"crew.md": `# Crew\n\n${prose.join(" ")}\n`,
	};
	const retriever = await indexFiles(t, files, { embedder: builtIn });
	const ask = async (query: string, isShort: boolean) => {
		const asked = { query, wantsAnswer: true, ...(isShort && { mostWords: 120 }) };
		const { hits } = await retriever.search(asked, new AbortController().signal);
		return hits[0] ?? assert.fail(query);
	};
	const wordsIn = ({ text }: Hit) => text.split(/\s+/).length;
	const row = "Which wood is the Hazel side table made of?";
	const table = await ask(row, true);
	assert.match(table.text, /^number.*\n(?:.*\n)*.*Hazel side table/);
	assert.ok(wordsIn(table) <= 130 && wordsIn(await ask(row, false)) > 180, `${wordsIn(table)}`);
	const { start, end } = table.lines as LineRange;
	assert.ok(start > 2 && start <= 42 && end >= 42 && end - start < 40, `${start}-${end}`);
	const both = await ask("Who is the harbour master and who is her deputy?", true);
	assert.match(both.text, /Ida Thorn.*\n…\n.*Nils Ferring/s);
});

test("the hits of several questions are merged without duplicates", async (t) => {
	const { search } = await openHandbook(t);
	const queries = ["Who is the captain?", "How much chain for anchoring?"];
	const { hits } = await search({ query: "How do I send an emergency signal?", queries, limit: 3 });
	assert.deepEqual(hits.map(placeOf), ["radio/distress.md:1", "crew/ada.md:1", "deck/anchor.md:1"]);
	const all = await search({ query: "anchor chain", queries: ["chain of the anchor"], limit: 20 });
	assert.equal(new Set(all.hits.map(({ id }) => id)).size, all.hits.length);
});

test("a result without good matches says so, and has the requested number of hits", async (t) => {
	const { store, search } = await openHandbook(t);
	const texts = times(60, (index) => `Rule ${index} of the harbour: pay the fee of pier ${index}.`);
	await store.replace([await toDocument("harbour.md", "Rules", texts, builtIn)]);
	const cake = { query: "recipe for chocolate cake with almonds", limit: 5 };
	const { hits, total, isWeak, notices } = await search(cake);
	assert.deepEqual([hits.length, total, isWeak, notices.length], [5, 0, true, 1]);
	assert.match(notices.join(), /There are no good matches/);
	const some = await search({ query: "what does the harbour say about the fee of a pier?" });
	assert.deepEqual([some.isWeak, some.notices, some.truncated], [undefined, [], true]);
});
