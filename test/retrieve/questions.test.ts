import assert from "node:assert/strict";
import { test } from "node:test";
import { partsIn } from "../../src/retrieve/questionParts.ts";
import { createAnalyzer } from "../../src/search/analyzer.ts";
import { hasPhrases, phrasesIn } from "../../src/search/phrases.ts";

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
	assert.equal(hasPhrases({ title: "", text: "The Séa\n  water flows" }, ["sea water"]), true);
	assert.equal(hasPhrases({ title: "", text: "The sea's water" }, ["sea water"]), false);
	assert.equal(hasPhrases({ title: "", text: "sea water" }, ["sea water", "pump"]), false);
});

const questions: Record<string, string[]> = {
	"Who keeps the light, and which pump cools it?": ["Who keeps the light", "which pump cools it"],
	"Stop the pump, clean the filter, and oil the gear": ["Stop the pump", "clean the filter", "oil the gear"],
	"Limits of small pumps and of large filters": ["Limits of small pumps", "Limits of large filters"],
	"Our pump leaks: how is it sealed, and who repairs filters?": [
		"Our pump leaks: how is it sealed",
		"who repairs filters",
	],
	"We own pumps. Who repairs filters? What does oil cost?": ["Who repairs filters", "What does oil cost"],
	"Our pump leaks. Who leads IT? Who repairs filters?": ["Who leads IT", "Who repairs filters"],
	"Wer wartet die Pumpe und wer prüft den Filter?": ["Wer wartet die Pumpe", "wer prüft den Filter"],
	"谁维护水泵？谁检查过滤器？": ["谁维护水泵", "谁检查过滤器"],
	"In the old harbour, what do pumps need?": [],
	"When cleaning a pump, how long must it cool and how tight are the pins?": [
		"When cleaning a pump, how long must it cool",
		"When cleaning a pump, how tight are the pins",
	],
	"When was the pump built, and who cleans the filter?": ["When was the pump built", "who cleans the filter"],
	"How do pumps, filters, and gears work together?": [],
	"What do salt and water do to a pump?": [],
	"Wie alt war die Pumpe, als der Filter riss?": [],
	"Who was Elizabeth II. of the harbour?": [],
	'Who keeps "the light, and the pump"?': [],
};

for (const [query, expected] of Object.entries(questions)) {
	test(`${JSON.stringify(query)} has ${expected.length} parts`, () => {
		const { termsOf } = createAnalyzer();
		assert.deepEqual(
			partsIn(query, (text) => termsOf(text).terms),
			expected,
		);
	});
}
