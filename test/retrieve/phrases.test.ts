import assert from "node:assert/strict";
import { test } from "node:test";
import { hasPhrases, phrasesIn } from "../../src/retrieve/phrases.ts";

const queries: Record<string, string[]> = {
	"cooling pump": [],
	'the "sea  Water" pump': ["sea water"],
	'"a" and “b c”': ["a", "b c"],
	"„unten“ «côté»": ["unten", "cote"],
	'an "open end': [],
	'""': [],
	"it's 5\" wide": [],
};

for (const [query, expected] of Object.entries(queries)) {
	test(`${JSON.stringify(query)} asks for ${JSON.stringify(expected)}`, () => {
		assert.deepEqual(phrasesIn(query), expected);
	});
}

test("a phrase is there whatever its case, accents and line breaks, and nowhere else", () => {
	assert.equal(hasPhrases("The Séa\n  water flows", ["sea water"]), true);
	assert.equal(hasPhrases("The sea's water", ["sea water"]), false);
	assert.equal(hasPhrases("sea water", ["sea water", "pump"]), false);
});
