import assert from "node:assert/strict";
import { test } from "node:test";
import { askFolder } from "../passages/askFolder.ts";

const NOTHING = /^Nothing in this folder answers that\./;

for (const intro of ["Intro.", "These are notes of a walk along the coast."])
	test(`what is under a heading is quoted without “${intro}” above it`, async (t) => {
		const light = "The Quellmoor Light was first lit in 1873 and its keeper was Odalys Brandvold.";
		const ask = await askFolder(t, { "a.md": `# Walk\n\n${intro}\n\n## Quellmoor Light\n${light}\n` });
		const expected = `**Walk › Quellmoor Light:** ${light} [a.md:6]`;
		for (const question of ["Who kept the Quellmoor Light?", "When was the Quellmoor Light first lit?"])
			assert.equal(await ask(question), expected);
	});

const NOTES = {
	"lights.md": `# Lights

## Quellmoor Light
It was first lit in 1873. Its keeper was Odalys Brandvold.

## Grimhold Light
It was first lit in 1911. Its keeper was Jonna Brecht.
`,
	"health.md": `# Health

## Allergies
I am allergic to one medicine, amoxicillin: it gives me a rash.

## Blood
My blood type is O negative.
`,
};

test("a question that goes on from another is about the same thing, and misspelled words are understood", async (t) => {
	const ask = await askFolder(t, NOTES);
	for (const [light, answer] of [
		["Quellmoor", "Odalys Brandvold"],
		["Grimhold", "Jonna Brecht"],
	] as const) {
		const history = [{ question: `When was the ${light} Light first lit?`, answer: "" }];
		const [first] = (await ask("Who was its keeper?", { history })).split("]");
		assert.match(first ?? "", new RegExp(`\\*\\*Lights › ${light} Light:\\*\\* .*${answer}`));
	}
	const misspelled = await ask("Which medecine am I alergic to?");
	assert.match(misspelled, /^\*\*Health › Allergies:\*\* .*amoxicillin.* \[health\.md:4\]/);
});

test("a question for what no passage names is answered with nothing, in its language", async (t) => {
	const ask = await askFolder(t, NOTES);
	for (const question of ["How do I install numpy?", "Which numpy version do I need?", "What is penicillin?"])
		assert.match(await ask(question), NOTHING, question);
	assert.match(await ask("Qui a peint la chapelle Sixtine ?"), /^Rien dans ce dossier ne répond à cela\./);
});
