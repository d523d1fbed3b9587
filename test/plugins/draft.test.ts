import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";
import { type AskedBefore, askedIn, partsOf, pluginFileFor } from "../../src/plugins/save/draft.ts";

const QUERY = `PREFIX s: <https://schema.org/>
PREFIX : <urn:kb:>
SELECT ?who ?job WHERE {
  ?who a s:Person ; s:name "Anna Holm" ; s:jobTitle ?job ; s:worksFor :skagen .
  FILTER(?job != "Keeper" && REGEX(?job, "a", "i")) # "not this"
  ?who s:label "x"@en ; s:age 36 .
} LIMIT 10`;

function shown(asked: AskedBefore): string[] {
	return partsOf(asked).map(
		({ name, type, value, isLikely }) => `${name} ${type} ${value}${isLikely ? " !" : ""}`,
	);
}

/** As a person would have saved it, and as it is read again. */
function saved(asked: AskedBefore, values: readonly string[]) {
	const parts = partsOf(asked).filter(({ value }) => values.includes(value));
	const file = pluginFileFor(asked, { description: "Who does what: “x” #1", parts });
	const read = readManifest(stringify(file, { lineWidth: 0 }), { uri: "file:///p", name: "saved" });
	assert.deepEqual(read.problems, []);
	const [command] = read.manifest?.commands ?? [];
	assert.ok(command);
	return command;
}

test("the texts, things and numbers of a query may be parameters, its properties and comments not", () => {
	assert.deepEqual(shown({ kind: "sparql", text: QUERY }), [
		"type iri https://schema.org/Person",
		"name string Anna Holm !",
		"worksFor iri urn:kb:skagen !",
		"job2 string Keeper !",
		"job3 string a",
		"text string i",
		"age int 36",
		"limit int 10",
	]);
});

test("a saved query is read as a plugin, with variables where the chosen values stood", () => {
	const { parameters, executor } = saved({ kind: "sparql", text: QUERY }, [
		"Anna Holm",
		"urn:kb:skagen",
		"10",
	]);
	assert.deepEqual(
		parameters.map(({ name, type, example }) => [name, type.kind, example]),
		[
			["name", "string", "Anna Holm"],
			["worksFor", "iri", "urn:kb:skagen"],
			["limit", "int", 10],
		],
	);
	const expected = QUERY.replace('"Anna Holm"', "$name")
		.replace(":skagen", "$worksFor")
		.replace("10", "$limit");
	assert.deepEqual(executor, { kind: "sparql", query: expected });
});

test("a search is saved with its words, and a question with the names in it", () => {
	const search = { kind: "retrieval", text: "who keeps the lamp of Skagen" } as const;
	const { executor } = saved(search, ["who keeps the lamp of Skagen", "lamp"]);
	assert.deepEqual(executor, { kind: "retrieval", query: "{{words}}" });
	assert.deepEqual(saved(search, ["Skagen"]).executor, {
		kind: "retrieval",
		query: "who keeps the lamp of {{name}}",
	});
	const question = 'Compare Anna Holm with "the keeper" since 1870, in two sentences.';
	assert.deepEqual(
		shown({ kind: "prompt", text: question }).filter((line) => line.endsWith("!")),
		["name string Anna Holm !", "name2 string the keeper !", "number int 1870 !"],
	);
	assert.match(
		JSON.stringify(saved({ kind: "prompt", text: question }, ["Anna Holm"]).executor),
		/Compare {{name}} with/,
	);
});

test("no word of grammar is offered as a value, in whatever language", () => {
	const valuesOf = (text: string) => partsOf({ kind: "retrieval", text }).map(({ value }) => value);
	const english = "report a light that is dark";
	assert.deepEqual(valuesOf(english), [english, "report", "light", "dark"]);
	const german = "die Leuchtfeuer, welche über den Winter dunkel waren";
	assert.deepEqual(valuesOf(german), [german, "Leuchtfeuer", "Winter", "dunkel"]);
});

test("what was asked is known from the turn, and what cannot be asked again is not saved", () => {
	const answer = "```sparql\nASK { ?s ?p ?o }\n```\n\n**Yes.**";
	assert.deepEqual(askedIn({ question: "any?", command: "graph", answer }), {
		kind: "sparql",
		text: "ASK { ?s ?p ?o }",
	});
	assert.deepEqual(askedIn({ question: "lamp", command: "search", answer: "" }), {
		kind: "retrieval",
		text: "lamp",
	});
	assert.deepEqual(askedIn({ question: "who?", answer: "Anna" }), { kind: "prompt", text: "who?" });
	assert.equal(askedIn({ question: "who?", answer: "" }), undefined);
	assert.equal(askedIn({ question: "rm", command: "cli", answer: "done" }), undefined);
	assert.equal(askedIn({ question: "x", command: "graph", answer: "no query" }), undefined);
});
