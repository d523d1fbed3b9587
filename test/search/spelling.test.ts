import assert from "node:assert/strict";
import { test } from "node:test";
import type { WordModel } from "../../src/core/knowledge/embedder.ts";
import { corrected } from "../../src/retrieve/corrected.ts";
import { sampleDocument } from "../store/sampleDocument.ts";
import { ENGINES, openTemporary } from "../store/temporaryStore.ts";

const known = new Set(["which", "medication", "alarm", "may"]);
const words: WordModel = {
	embed: async () => new Float32Array(),
	rankOf: (word) => (known.has(word.toLowerCase()) ? 1 : undefined),
};

for (const engine of ENGINES)
	test(`a word that neither a passage nor the model knows is corrected by ${engine}`, async (t) => {
		const { store } = await openTemporary(t, engine);
		const texts = ["I am allergic to Medicine.", "Alarms of engine X42", "Jonna Brecht paints", "Lana waits"];
		await store.replace([sampleDocument("a.md", texts)]);
		await store.optimize();
		for (const [query, expected] of [
			["Which medecine am I alergic to?", "Which Medicine am I allergic to?"],
			["Who was Jona Brecht?", "Who was Jonna Brecht?"],
			["alergic my_alergic", "allergic my_alergic"],
		] as const)
			assert.equal(await corrected(query, store, words), expected);
		for (const kept of [
			// Known words, a word that no other is near to, and another beginning.
			...["Which medication, numpy or penicillin?", "What does fonna say?", "Is Lena there?"],
			// Names with digits or joined by signs, and what is quoted.
			'alergic.md "so alergic" engina42 my_alergic',
		])
			assert.equal(await corrected(kept, store, words), kept);
		assert.equal(await corrected("Which medecine?", store, undefined), "Which medecine?");
	});
