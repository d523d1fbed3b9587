import assert from "node:assert/strict";
import { test } from "node:test";
import { RDF } from "../../../src/base/rdf/vocabulary.ts";
import { literal, namedNode, type Quad, quad } from "../../../src/core/knowledge/rdf.ts";
import { resourcesOf } from "../../../src/knowledge/resources/resources.ts";
import { verbalize } from "../../../src/knowledge/resources/verbalize.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";

type Fact = readonly [subject: string, property: string, object: string, line?: number];

const node = (name: string) =>
	name.startsWith("_:") ? { termType: "BlankNode" as const, value: name.slice(2) } : namedNode(name);

/** Properties without a colon are from schema.org; objects with a known scheme are nodes. */
function toQuads(facts: readonly Fact[]): Quad[] {
	return facts.map(([subject, property, object, line = 1]) => {
		const term = /^(_|x|https?):/.test(object) ? node(object) : literal(object);
		return quad(node(subject), toProperty(property), term, { start: line, end: line });
	});
}

function toProperty(name: string): string {
	if (name === "type") return `${RDF}type`;
	return name.includes(":") ? name : `https://schema.org/${name}`;
}

/** Quads from facts written as `subject property object; …`. */
function quadsIn(facts: string): Quad[] {
	const words = facts.split(/;\s+/).map((fact) => /^(\S+) (\S+) (.*)$/s.exec(fact)?.slice(1) ?? []);
	return toQuads(words.map(([subject = "", property = "", object = ""]) => [subject, property, object]));
}

function textsOf(facts: string): string[] {
	const quads = quadsIn(facts);
	return verbalize(resourcesOf(quads), quads).map(({ text }) => text);
}

test("a resource is named by its English name, its IRI, its role or its class, in this order", () => {
	const label = (quads: readonly Quad[]) => resourcesOf(quads)[0]?.label;
	for (const [facts, expected] of [
		["x:a name Ada", "Ada"],
		["x:a http://schema.org/name Ada", "Ada"],
		["x:a http://www.w3.org/2000/01/rdf-schema#label Ada", "Ada"],
		["x:a headline News; x:a name Ada", "Ada"],
		["x:a name Ada\n  Byron", "Ada Byron"],
		["https://example.org/ada-byron knows x:b", "ada byron"],
		["_:a text 42; x:q answer _:a; x:q name Why?", "Why? (answer)"],
		["_:a type https://schema.org/PostalAddress", "Postal Address"],
	] as const)
		assert.equal(label(quadsIn(facts)), expected);
	const [german, english] = quadsIn("x:a name Wien; x:a name Vienna").map((one, at): Quad => {
		const object = { ...literal(one.object.value), language: at === 0 ? "de" : "en-gb" };
		return { ...one, object };
	});
	assert.equal(german && english && label([german, english]), "Vienna");
});

test("a resource with scattered statements has the lines of their densest group", () => {
	const lines = [3, 20, 21, 22, 90].map((line): Fact => ["x:a", "p", `v${line}`, line]);
	assert.deepEqual(resourcesOf(toQuads(lines))[0]?.lines, { start: 20, end: 22 });
});

for (const [title, [facts = "", ...texts]] of Object.entries({
	"a resource is described with the labels of linked resources": [
		`https://a.io/ada type https://schema.org/Person; https://a.io/ada name Ada Byron;
		https://a.io/ada worksFor x:society; https://a.io/ada knows https://a.io/charles-babbage;
		https://a.io/ada award One; https://a.io/ada award Two; x:society name Analytical Society`,
		"Person Ada Byron\nworks for: Analytical Society\nknows: charles babbage\naward: One; Two\nid: https://a.io/ada",
		"Analytical Society\nid: x:society",
	],
	"a short blank node is described in its owner's passage and in its own": [
		`x:shop name Shop; x:shop rating _:r; _:r type https://schema.org/Rating; _:r ratingValue 4;
		_:r best _:b; _:b value 5`,
		"Shop\nrating: rating value 4, best value 5\nid: x:shop",
		"Rating Shop (rating)\nrating value: 4\nbest: value 5\nrating of: Shop",
		"Best\nvalue: 5\nbest of: Shop (rating)",
	],
	"an RDF list is described in its owner's passage, and the cells of the list are not resources": [
		`x:a name Ada; x:a knows _:c1; _:c1 ${RDF}first x:b; _:c1 ${RDF}rest _:c2; _:c2 ${RDF}first _:n;
		_:c2 ${RDF}rest ${RDF}nil; _:n age 3`,
		"Ada\nknows: b, age 3\nid: x:a",
		"Ada (knows)\nage: 3\nknows of: Ada",
	],
}))
	test(title, () => assert.deepEqual(textsOf(facts), texts));

test("each passage of a long resource cites the lines of its own values", () => {
	const quads = toQuads([
		["x:a", "name", "Team", 1],
		...times(5, (index): Fact => ["x:a", "member", `Ada ${index}`, 1 + 40 * index]),
	]);
	const [resource] = resourcesOf(quads);
	assert.ok(resource);
	const whole = { ...resource, lines: { start: 1, end: 180 } };
	assertMapped(verbalize([whole], quads), ({ text, lines }) => [text, `${lines.start}-${lines.end}`], [
		["Team\nmember: Ada 0; Ada 1\nid: x:a", "1-41"],
		["member: Ada 2; Ada 3", "81-121"],
		["member: Ada 4", "161-161"],
	]);
});

test("each passage of a long value cites the lines of its sentences, despite markup and comments", () => {
	const sentences = times(40, (index) => `Sentence ${index} says what pump ${index} does.`);
	const source = `<p>\n${sentences.map((one) => `<!-- says\npump -->\n<b>\n${one}\n</b>`).join("\n")}\n</p>\n`;
	const lines = { start: 1, end: source.split("\n").length - 1 };
	const quads = [quad(node("x:a"), "https://schema.org/text", literal(sentences.join("\n\n")), lines)];
	const passages = verbalize(resourcesOf(quads), quads, { source });
	assert.ok(passages.length > 2);
	for (const { text, lines } of passages) {
		const cited = source.split("\n", lines.end).slice(lines.start - 1);
		assert.ok(lines.end - lines.start < 60);
		for (const [said] of text.matchAll(/Sentence \d+ says/g))
			assert.match(cited.join(" "), new RegExp(said), text);
	}
});
