import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hit } from "../../../src/core/knowledge/knowledge.ts";
import { followupsOf, offered } from "../../../src/vscode/turn/turnRecord.ts";

const LINES = { start: 1, end: 2 };

function hit(title: string, text: string, iri?: string): Hit {
	const place = { id: title, uri: "file:///a.md", path: "a.md", lines: LINES, score: 1, why: {} };
	return { ...place, title, text, ...(iri && { iri }) };
}

const FACTS = "job title: Keeper\nbirth date: 1870-01-01\nworks for: The Lamp\nid: https://x/inge";
const INGE = hit("Person Inge Dahl", `Person Inge Dahl\n${FACTS}`, "https://x/inge");
const NOTES = hit("Log › What we learned", "We learned to oil the lamp.");

test("what is offered next is what the graph says of things in the answer, and the answer does not", () => {
	assert.deepEqual(followupsOf("Who keeps the lamp?", "Inge Dahl is its keeper [a.md:1-2].", [NOTES, INGE]), [
		"What is the birth date of Inge Dahl?",
		"What else is known about Inge Dahl?",
	]);
});

test("headings are nothing to ask about, nor are things that the answer does not name", () => {
	assert.deepEqual(followupsOf("What did we learn?", "To oil the lamp: what we learned.", [NOTES, INGE]), []);
});

test("a class is no name, and a participle no noun", () => {
	const text = "Light Gannet Rock Light\nfirst lit: 1851\nfocal height: 41\nid: https://x/gannet";
	const rock = hit("Light Gannet Rock Light", text, "https://x/gannet");
	assert.deepEqual(followupsOf("Which is higher?", "The first light is higher.", [rock]), []);
	assert.deepEqual(followupsOf("Which is higher?", "Gannet Rock Light is higher.", [rock]), [
		"What is the focal height of Gannet Rock Light?",
		"What else is known about Gannet Rock Light?",
	]);
});

test("a part of a longer name is nothing to ask about", () => {
	const relamping = hit("Event Relamping of Gannet Rock", "start date: 2019-05-06", "https://x/relamping");
	const siren = hit("Fog signal Skerra siren", "pattern: one blast", "https://x/siren");
	const skerra = hit("Place Skerra", "description: An isle\ncontained in place: Merrow", "https://x/skerra");
	const attendant = "Attendant of Gannet Rock Light: Ida Fenwick";
	for (const answer of [attendant, "At Gannet Rock", "The siren at Skerra Head was loud."])
		assert.deepEqual(followupsOf("Why?", answer, [relamping, siren, skerra]), []);
	const skerras = ["What is the description of Skerra?", "What else is known about Skerra?"];
	assert.deepEqual(followupsOf("Where?", "On Skerra.", [skerra]), skerras);
	const sirens = ["What is the pattern of Skerra siren?", "What else is known about Skerra siren?"];
	assert.deepEqual(followupsOf("Why?", "The Skerra siren was loud.", [siren]), sirens);
});

test("what was asked is not offered again", () => {
	const followups = ["What is the birth date of Inge Dahl?", "What else is known about Inge Dahl?"];
	assert.deepEqual(offered(followups, ["what is the birth date of Inge Dahl? "]), [followups[1]]);
	const answer = "Inge Dahl was born on 1870-01-01, a Keeper.";
	assert.deepEqual(followupsOf("What else is known about Inge Dahl?", answer, [INGE]), []);
});
