import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutOf } from "../../src/passages/passages.ts";

function aboutAfter(question: string, ...before: string[]) {
	const history = before.map((asked) => ({ question: asked, answer: "" }));
	return aboutOf({ question, history }).about;
}

test("a question that names nothing goes on from the last one that does", () => {
	const first = "When was the Quellmoor Light first lit?";
	assert.equal(aboutAfter("Who was its keeper?", "Who is Ida?", first), first);
	assert.equal(aboutAfter("And its height?", first, "Who was its keeper?"), first);
	const german = "Wann wurde der Leuchtturm von Quellmoor erbaut?";
	assert.equal(aboutAfter("Und wer war sein Wärter?", german), german);
	const french = "Quand le phare de Quellmoor a-t-il été construit ?";
	assert.equal(aboutAfter("Et qui était son gardien ?", french), french);
});

test("a question that names what it is about, and the first one, stand alone", () => {
	const first = "When was the Quellmoor Light first lit?";
	assert.equal(aboutAfter("Does Gannet Rock have its own boat?", first), undefined);
	assert.equal(aboutAfter("Who keeps the log?", first), undefined);
	assert.equal(aboutAfter("Who was its keeper?"), undefined);
	assert.equal(aboutAfter("Who was its keeper?", "Where is it?"), undefined);
});
