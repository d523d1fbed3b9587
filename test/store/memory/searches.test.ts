import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeFolder } from "../../support/folder.ts";
import { times } from "../../support/times.ts";
import { embedder, sampleDocument, uriOf, vectorOf } from "../sampleDocument.ts";
import { ENGINES, openFilled, openIn, openTemporary, textsFor, textsOf } from "../temporaryStore.ts";

for (const engine of ENGINES)
	describe(`engine ${engine}`, () => {
		test("an empty store returns no results", async (t) => {
			const { store } = await openTemporary(t, engine);
			assert.deepEqual(await textsFor(store, "anything"), []);
			assert.deepEqual(await store.matchVector(vectorOf("a"), { limit: 5 }), []);
			assert.equal(await store.typicalCosine(vectorOf("a")), 0);
			assert.equal(store.cosines(vectorOf("a"), [0]).size, 0);
			assert.equal(store.cosines(store.centreOf([0]), [0]).size, 0);
			await store.optimize();
		});

		test("a name is searched as a whole only while a committed passage has it", async (t) => {
			const { store } = await openFilled(t, { "a.md": ["the user of an account", "valves"] }, engine);
			for (const bringUp of [() => Promise.resolve(), () => store.optimize()]) {
				assert.deepEqual(await textsFor(store, "user_account"), ["the user of an account"]);
				await store.replace([sampleDocument("b.md", ["see user_account"])]);
				assert.deepEqual(await textsFor(store, "user_account"), ["see user_account"]);
				await bringUp();
				await store.remove([uriOf("b.md")]);
				assert.deepEqual(await textsFor(store, "user_account"), ["the user of an account"]);
			}
		});

		test("vectors are ranked by cosine, and the typical cosine is the median, with and without an index", async (t) => {
			const { store } = await openFilled(t, { "a.md": ["aaaa", "bbbb", "bbbb", "cccc", "ab"] }, engine);
			for (const bringUp of [() => Promise.resolve(), () => store.optimize()]) {
				await bringUp();
				const matches = await store.matchVector(vectorOf("a"), { limit: 2 });
				assert.deepEqual(await textsOf(store, { matches }), ["aaaa", "ab"]);
				assert.ok(Math.abs((matches[0]?.score ?? 0) - 1) < 1e-3);
				const [a, b] = [await store.typicalCosine(vectorOf("a")), await store.typicalCosine(vectorOf("b"))];
				assert.ok(a === 0 && Math.abs(b - Math.SQRT1_2) < 1e-3, `${a} and ${b}`);
			}
		});

		test("found passages are compared with a vector and with the mean of other passages", async (t) => {
			const { store } = await openTemporary(t, engine);
			const document = sampleDocument("a.md", ["aaaa", "bbbb", "a word", "unknown"]);
			document.vectors.fill(0, 12, 16);
			await store.replace([document]);
			const { matches } = await store.matchText("title", { limit: 9 });
			const texts = [...(await store.read(matches.map(({ row }) => row)))];
			const rowOf = (wanted: string) => texts.find(([, { text }]) => text === wanted)?.[0] ?? -1;
			const [a, b, unknown] = [rowOf("aaaa"), rowOf("bbbb"), rowOf("unknown")];
			const cosines = store.cosines(vectorOf("a"), [a, b, unknown, 1e6, -1]);
			assert.deepEqual([...cosines.keys()], [a, b]);
			assert.ok(Math.abs((cosines.get(a) ?? 0) - 1) < 1e-3);
			assert.equal(cosines.get(b), 0);
			const middle = store.cosines(store.centreOf([a, b, unknown]), [a, b]);
			for (const cosine of middle.values()) assert.ok(Math.abs(cosine - Math.SQRT1_2) < 1e-3, `${cosine}`);
			assert.equal(store.cosines(store.centreOf([unknown]), [a]).size, 0);
			assert.equal(store.cosines(Float32Array.of(1), [a]).size, 0);
		});

		test("searches can be limited to documents, and to classes by IRI or last segment, ignoring case", async (t) => {
			const { store } = await openTemporary(t, engine);
			const classes = {
				"it's.md": ["https://schema.org/Person"],
				'"; DROP TABLE passages; --.md': ["http://e.org/tech#Engine's"],
				"plain.md": [],
			};
			const names = Object.keys(classes);
			const documents = Object.entries(classes).map(([name, types]) => {
				const resource = { id: `urn:${name}`, types, label: name, lines: { start: 1, end: 1 } };
				return sampleDocument(name, [`word ${name}`], { resources: [resource] });
			});
			await store.replace(documents);
			const among = (...found: string[]) => textsFor(store, "word", { uris: found.map(uriOf) });
			for (const name of names) assert.deepEqual(await among(name), [`word ${name}`]);
			for (const none of [[], ["unknown.md"]]) assert.deepEqual(await among(...none), []);
			const count = async (...types: string[]) => (await textsFor(store, "word", { types })).length;
			const counts = [count("person"), count("HTTPS://schema.org/Person"), count("engine's", "Person")];
			assert.deepEqual(await Promise.all([...counts, count("Thing")]), [1, 1, 2, 0]);
			assert.equal((await store.matchVector(vectorOf("word"), { limit: 10, types: ["Person"] })).length, 1);
			await store.remove([uriOf("it's.md")]);
			assert.equal(store.documents().size, 2);
		});

		const odd = ["", " ", "+-*/\\()[]{}\"'~^:!&|?", "AND OR NOT", "word AND (", "\0", "\ud800", "😀"];
		const long = ["'; DROP TABLE passages; --", "a".repeat(100_000), "word ".repeat(50_000)];
		test("a query with any characters is read as words", async (t) => {
			const { store } = await openFilled(t, { "a.md": ["a word"] }, engine);
			for (const query of [...odd, ...long]) {
				const expected = query.includes("word") ? ["a word"] : [];
				assert.deepEqual(await textsFor(store, query), expected, JSON.stringify(query.slice(0, 30)));
			}
		});

		test("a phrase must occur word for word, ignoring case, accents and line breaks", async (t) => {
			const { store } = await openTemporary(t, engine);
			const texts = ["Open the gas\nvalve.", "The valve of the gas", "GAS VÁLVE open"];
			await store.replace([sampleDocument("a.md", texts)]);
			const found = (...phrases: string[]) => textsFor(store, "open gas valve", { phrases });
			assert.deepEqual(await found("gas valve"), ["GAS VÁLVE open", "Open the gas\nvalve."]);
			assert.deepEqual(await found("gas valve", "open the"), ["Open the gas\nvalve."]);
			assert.deepEqual(await found("valve gas"), []);
			const near = await store.matchVector(vectorOf("b"), { limit: 10, phrases: ["of the gas"] });
			assert.equal(near.length, 1);
			assert.equal((await store.matchText("open gas", { limit: 0, phrases: ["gas valve"] })).total, 2);
		});

		test("a search finds and counts only the latest version of a document", async (t) => {
			const { store } = await openFilled(t, { "b.md": ["constant"] }, engine);
			for (let round = 0; round < 3; round++) {
				const texts = times(100, (at) => `round${round} passage${at}`);
				await store.replace([sampleDocument("a.md", texts)]);
				if (round === 1) await store.optimize();
				// LanceDB counts only up to its limit.
				const count = async (word: string) => (await store.matchText(word, { limit: 200 })).total;
				const versions = [await count(`round${round}`), await count(`round${round - 1}`)];
				assert.deepEqual([await count("constant"), ...versions], [1, 100, 0]);
			}
		});
	});

test("an index that outgrows memory is searched on disk, and in memory after it has shrunk", async (t) => {
	const folder = await makeFolder(t);
	const room = { embedder, memoryBytes: 20_000 };
	const store = await openIn(t, folder, room);
	const words = (from: number) => Array.from({ length: 8 }, (_, index) => `valve number${from + index}`);
	await store.replace([sampleDocument("a.md", words(0))]);
	assert.equal(store.engine(), "memory");
	await store.replace([sampleDocument("b.md", words(8))]);
	assert.equal((await store.matchText("valve", { limit: 100 })).matches.length, 16);
	await store.optimize();
	assert.deepEqual(await textsFor(store, "number9"), ["valve number9"]);
	assert.equal(store.engine(), "lancedb");
	const reader = await openIn(t, folder, { ...room, readOnly: "a reader" });
	assert.deepEqual(await textsFor(reader, "number3"), ["valve number3"]);
	assert.equal(reader.engine(), "lancedb");
	await store.replace([sampleDocument("a.md", ["pump"])]);
	assert.deepEqual(await textsFor(reader, "number3"), []);
	assert.deepEqual(await textsFor(store, "pump"), ["pump"]);
	await store.remove([uriOf("b.md")]);
	assert.deepEqual(await textsFor(store, "valve"), []);
	assert.equal(store.engine(), "memory");
});

test("a large read-only index whose tables have no search index is searched in memory", async (t) => {
	const { folder } = await openFilled(t, { "a.md": ["Valves close."] });
	const reader = await openIn(t, folder, { embedder, memoryBytes: 0, readOnly: "a reader" });
	assert.deepEqual(await textsFor(reader, "valve"), ["Valves close."]);
	assert.equal(reader.engine(), "memory");
});
