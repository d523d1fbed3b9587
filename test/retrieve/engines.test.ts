import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchQuery, SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { createRetriever } from "../../src/retrieve/search.ts";
import type { StoredDocument } from "../../src/store/port/store.ts";
import { ENGINES, MEMORY_BYTES, makeFolder, openIn } from "../store/temporaryStore.ts";
import { builtIn, documentsOf, folder, handbook, toDocument } from "./handbook.ts";

const QUESTIONS = [
	"How do I send an emergency signal?",
	"what to do when the motor gets too hot",
	"How much chain for anchoring?",
	"get air bubbles out of the fuel system",
	"getBurnerState",
	"7946 0958",
	"it's blowing hard: REEFING?!",
];

/** Notes of all sentences of the handbook, mixed anew: many that are nearly as good as each other. */
async function mixedNotes(count: number): Promise<StoredDocument[]> {
	const words = handbook.flatMap(([, , ...texts]) => texts.join(" ").split(" "));
	let seed = 7;
	const next = () => {
		seed = (seed * 16_807) % 2_147_483_647;
		return seed;
	};
	const sentence = () => Array.from({ length: 12 }, () => words[next() % words.length]).join(" ");
	return Promise.all(
		Array.from({ length: count }, (_, number) => {
			const [, type = ""] = handbook[number % handbook.length] ?? [];
			return toDocument(`mixed/${number}.md`, type, Array.from({ length: 5 }, sentence), builtIn);
		}),
	);
}

test("whatever finds them, nine of the ten best passages are the same, with the same notices", async (t) => {
	const documents = [...(await documentsOf(builtIn)), ...(await mixedNotes(80))];
	const [inMemory, onDisk] = await Promise.all(
		ENGINES.map(async (engine) => {
			const options = { embedder: builtIn, memoryBytes: MEMORY_BYTES[engine] };
			const store = await openIn(t, await makeFolder(t), options);
			await store.replace(documents);
			await store.optimize();
			// What came after the indexes is found beside what they have; what was replaced is found no more.
			await store.replace([...(await documentsOf(builtIn)), ...documents.slice(20, 30)]);
			await store.remove(documents.slice(40, 45).map(({ record }) => record.uri));
			assert.equal(store.engine(), engine);
			const retriever = createRetriever({
				store,
				embedder: builtIn,
				pathOf: (uri) => uri.slice(folder.length),
			});
			return (query: SearchQuery) => retriever.search(query, new AbortController().signal);
		}),
	);
	assert.ok(inMemory && onDisk);
	const queries: SearchQuery[] = [
		...QUESTIONS.map((query) => ({ query })),
		{ query: 'where is the "sea water" pump' },
		{ query: 'the "no such words" alarm' },
		{ query: "pump water chain", types: ["Manoeuvre"] },
		{ query: "pump water chain", sources: ["mixed/1"] },
		{ query: "wie stark ist der Wind" },
		{ query: "xyzzy" },
	];
	let shared = 0;
	let all = 0;
	for (const query of queries) {
		const [one, other]: SearchResult[] = await Promise.all([inMemory(query), onDisk(query)]);
		assert.ok(one && other);
		assert.deepEqual(other.notices, one.notices, query.query);
		const ids: ReadonlySet<string> = new Set(one.hits.map(({ id }) => id));
		assert.equal(other.hits.length, ids.size, query.query);
		all += ids.size;
		shared += other.hits.filter(({ id }) => ids.has(id)).length;
		const expected: number = other.isAtLeast ? Math.min(one.total, other.total) : one.total;
		assert.deepEqual([other.total, one.isAtLeast], [expected, undefined], query.query);
	}
	assert.ok(shared >= 0.9 * all, `${shared} of ${all}`);
});
