import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PassageSubject, Store } from "../../../src/store/port/store.ts";
import { sampleDocument, uriOf } from "../sampleDocument.ts";
import { ENGINES, openTemporary } from "../temporaryStore.ts";

function about(name: string, id: string, type: string) {
	const resource = { id, types: [`urn:types#${type}`], label: name, lines: { start: 1, end: 1 } };
	return sampleDocument(name, [`${name} text`], { resources: [resource] });
}

/** Asked again, the engine of LanceDB has read the places of all. */
async function textsAbout(store: Store, subjects: readonly PassageSubject[], options = {}) {
	const first = await textsOnce(store, subjects, options);
	assert.deepEqual(await textsOnce(store, subjects, options), first);
	return first;
}

async function textsOnce(store: Store, subjects: readonly PassageSubject[], options: object) {
	const rows = await store.rowsAbout(subjects, { limit: 10, ...options });
	const passages = await store.read([...rows.keys()]);
	return [...rows].sort(([, a], [, b]) => a - b).map(([row, place]) => `${place} ${passages.get(row)?.text}`);
}

for (const engine of ENGINES)
	describe(`by the engine of ${engine}`, () => {
		test("the rows of resources come with the places of these, nameless ones by their document", async (t) => {
			const { store } = await openTemporary(t, engine);
			await store.replace([about("a", "urn:it's", "X"), about("b", "_:b0", "Y"), about("c", "_:b0", "Y")]);
			const ids = [{ resource: "urn:it's" }, { resource: "urn:none" }];
			const subjects = [{ resource: "_:b0", uri: uriOf("c") }, ...ids];
			assert.deepEqual(await textsAbout(store, subjects), ["0 c text", "1 a text"]);
			assert.deepEqual(await textsAbout(store, []), []);
		});

		test("the filters of a search hold for the rows of resources", async (t) => {
			const { store } = await openTemporary(t, engine);
			await store.replace([about("a", "urn:1", "X"), about("b", "urn:2", "Y")]);
			const subjects = [{ resource: "urn:1" }, { resource: "urn:2" }];
			assert.deepEqual(await textsAbout(store, subjects, { uris: [uriOf("b")] }), ["1 b text"]);
			assert.deepEqual(await textsAbout(store, subjects, { types: ["x"] }), ["0 a text"]);
			assert.deepEqual(await textsAbout(store, subjects, { phrases: ["B text"] }), ["1 b text"]);
			assert.deepEqual(await textsAbout(store, subjects, { limit: 1 }), ["0 a text"]);
		});

		test("a document that is replaced or gone has no rows any more", async (t) => {
			const { store } = await openTemporary(t, engine);
			await store.replace([about("a", "urn:1", "X")]);
			await store.replace([sampleDocument("a", ["other"])]);
			assert.deepEqual(await textsAbout(store, [{ resource: "urn:1" }]), []);
		});
	});
