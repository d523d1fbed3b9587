import assert from "node:assert/strict";
import { test } from "node:test";
import { literal, namedNode, type Quad, subjectOf } from "../../../src/core/knowledge/rdf.ts";
import {
	isForDoor,
	isNamed,
	type StatementRule,
	splitStatements,
} from "../../../src/worker/policy/splitStatements.ts";

import { listed } from "../../support/listed.ts";

const lines = { start: 1, end: 1 };

const nodeOf = (text: string) => subjectOf(text.startsWith("_:") ? text : `ex:${text}`);

/** `a knows _:b` or `a name "Anna"`: a statement of short names. */
function quad(text: string): Quad {
	const [subject = "", predicate = "", ...rest] = text.split(" ");
	const value = rest.join(" ");
	const object = value.startsWith('"') ? literal(value.slice(1, -1)) : nodeOf(value);
	return { subject: nodeOf(subject), predicate: namedNode(`ex:${predicate}`), object, lines };
}

function visible(texts: readonly string[], ...rules: readonly StatementRule[]): string[] {
	const quads = texts.map(quad);
	const isShown = new Set<Quad | undefined>(splitStatements(quads, rules).visible);
	return texts.filter((_, index) => isShown.has(quads[index]));
}

test("a class or property is named by its IRI or its last segment, in any case", () => {
	for (const name of ["https://schema.org/Person", "person", "PERSON", "HTTPS://schema.org/person"])
		assert.ok(isNamed("https://schema.org/Person", [name]), name);
	assert.ok(isNamed("http://example.org/terms#salary", ["x", "Salary"]));
	assert.ok(isNamed("http://example.org/salary/", ["salary"]));
	for (const name of ["son", "schema.org/Person", ""])
		assert.ok(!isNamed("https://schema.org/Person", [name]), name);
});

test("a rule without doors holds for every door", () => {
	assert.ok(isForDoor({ types: ["A"] }, "mcp"));
	assert.ok(isForDoor({ types: ["A"], doors: ["cli", "mcp"] }, "mcp"));
	assert.ok(!isForDoor({ types: ["A"], doors: ["cli"] }, "chat"));
});

test("a denied property goes with all that its nameless value says, however deep", () => {
	const statements =
		'anna name "Anna"|anna salary _:pay|_:pay value "100"|_:pay in _:money|_:money code "EUR"';
	const rule = { properties: ["salary"], speaksOf: () => true };
	assert.deepEqual(visible(listed(statements), rule), ['anna name "Anna"']);
});

test("a denied link goes with the named thing that is described within its lines, if the format can nest", () => {
	const at = (text: string, start: number, end = start) => ({ ...quad(text), lines: { start, end } });
	const quads = [
		at("anna spouse bob", 2, 5),
		at('bob name "Bob"', 3),
		at("bob knows cid", 4, 5),
		at('cid name "Cid"', 5),
		at('bob born "1981"', 9),
		at('dora name "Dora"', 4),
	];
	const rule = { properties: ["spouse"], speaksOf: () => true };
	const shown = (canNest: boolean) =>
		splitStatements(quads, [rule], { canNest }).visible.map(({ lines }) => lines.start);
	assert.deepEqual(shown(true), [9, 4]);
	assert.deepEqual(shown(false), [3, 4, 5, 9, 4]);
});

test("a denied resource goes with the statements that point to it, and other resources stay", () => {
	const statements = 'anna name "Anna"|bob knows anna|bob name "Bob"|anna address _:home|_:home city "Ry"';
	const rule = { speaksOf: (id: string) => id === "ex:anna" };
	assert.deepEqual(visible(listed(statements), rule), ['bob name "Bob"']);
});

test("of a rule with classes and properties only these properties of these classes are denied", () => {
	const statements = ['anna pay "100"', 'anna name "Anna"', 'ship pay "7"'];
	const rule = { properties: ["pay"], speaksOf: (id: string) => id === "ex:anna" };
	assert.deepEqual(visible(statements, rule), ['anna name "Anna"', 'ship pay "7"']);
});

test("a long chain of nameless nodes is followed in a moment", () => {
	const chain = Array.from({ length: 100_000 }, (_, at) => `_:n${at} rest _:n${at + 1}`);
	assert.deepEqual(visible(["a list _:n0", ...chain], { properties: ["list"], speaksOf: () => true }), []);
});
