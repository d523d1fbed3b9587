import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quad, Subject } from "../../../src/core/knowledge/rdf.ts";
import { createRepeats } from "../../../src/worker/policy/documentView.ts";

function iri(value: string): Subject {
	return { termType: "NamedNode", value };
}

/** A statement about a thing on a line; an object with a scheme is an IRI. */
function about(subject: string, object: string, line = 1): Quad {
	const isIri = /^(?:urn|https):/.test(object);
	return {
		subject: iri(subject),
		predicate: { termType: "NamedNode", value: "urn:p" },
		object: isIri ? iri(object) : { termType: "Literal", value: object, datatype: "urn:string" },
		lines: { start: line, end: line },
	};
}

function repeats(hidden: string, quad: Quad): boolean {
	const denied = about("urn:ann", hidden);
	return createRepeats([denied, quad], [denied], false)(quad);
}

test("a text repeats a value in whatever spelling, a short one only as a word", () => {
	for (const [hidden, said] of [
		["zork-4711", "earns ZORK 4711 a year"],
		["1000000", "1,000,000 a year"],
		["L\u00f6hne", "die lohne"],
		["100", "it is 100!"],
		["1970-08-21", "8/21/1970"],
		["1970-08-21", "urn:day:1970:08:21"],
		["zork mid", "https://e.example/of/zork%20mid/1"],
	] as const)
		assert.ok(repeats(hidden, about("urn:bo", said)), `${hidden} in ${said}`);
	for (const [hidden, said] of [
		["100", "1000"],
		["1970-08-21", "1970-05-30"],
		["org", "https://schema.org/Person"],
		["1", "https://e.example/0.1/Person"],
		["zork-4711", "zork"],
		["", "anything"],
	] as const)
		assert.ok(!repeats(hidden, about("urn:bo", said)), `${hidden} not in ${said}`);
});

test("on other lines, a text is prose that nobody named", () => {
	assert.ok(!repeats("zork-4711", about("urn:ann", "zork-4711 again", 2)));
});

test("a thing that the rule speaks of keeps its other statements, whatever its IRI says", () => {
	const denied = about("urn:ann-berg", "Ann Berg");
	const others = [about("urn:ann-berg", "urn:Person"), about("urn:club", "urn:ann-berg")];
	const isRepeated = createRepeats([denied, ...others], [denied], false);
	assert.deepEqual(others.map(isRepeated), [false, false]);
});

test("a link is repeated by a link between the same two things, not by one to the same thing", () => {
	assert.ok(repeats("urn:bo", about("urn:ann", "urn:bo", 2)));
	assert.ok(repeats("urn:bo", about("urn:bo", "urn:ann")));
	assert.ok(!repeats("urn:bo", about("urn:cy", "urn:bo")));
	assert.ok(!repeats("urn:bo", about("urn:bo", "Bo")));
	assert.ok(repeats("urn:bo", about("urn:ann", "married to Bo")));
});
