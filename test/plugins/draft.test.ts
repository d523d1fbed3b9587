import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";
import { bindQuery } from "../../src/plugins/queries/bindQuery.ts";
import {
	type AskedBefore,
	askedIn,
	lineFor,
	partsOf,
	pluginFileFor,
	withLine,
} from "../../src/plugins/save/draft.ts";
import { checkInput } from "../../src/plugins/types/checkValue.ts";

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

test("dates of a query and of a question are parameters, which a line renames, types and describes", () => {
	const query =
		'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\nSELECT ?a { ?a <urn:due> ?d FILTER(?d > "2026-01-31"^^xsd:date) }';
	const parts = partsOf({ kind: "sparql", text: query });
	assert.equal(lineFor(parts), `${parts[0]?.name}: date`);
	const named = withLine(parts, "since: date = The first day");
	const text = stringify(
		pluginFileFor({ kind: "sparql", text: query }, { description: "Due", parts: named ?? [] }),
	);
	const { manifest, problems } = readManifest(text, { uri: "file:///p", name: "due" });
	assert.deepEqual(problems, []);
	const [command] = manifest?.commands ?? [];
	assert.deepEqual(command?.parameters, [
		{
			name: "since",
			type: { kind: "date" },
			isRequired: true,
			description: "The first day",
			example: "2026-01-31",
		},
	]);
	assert.match(JSON.stringify(command?.executor), /FILTER\(\?d > \$since\)/);
	const bound = bindQuery(
		"ASK { ?a ?b $since }",
		new Map([["since", { value: "2026-02-01", kind: "date" }]]),
	);
	assert.equal(bound, 'ASK { ?a ?b "2026-02-01"^^<http://www.w3.org/2001/XMLSchema#date> }');
	const asked = partsOf({ kind: "prompt", text: "What is due on 2026-01-31?" });
	assert.deepEqual(asked.find(({ type }) => type === "date")?.value, "2026-01-31");
	for (const wrong of ["", "since", "since: day", "1x: date", "a: date; b: date", "a b: date"])
		assert.equal(withLine(parts, wrong), undefined, wrong);
});

for (const [value, isDate] of [
	["2026-02-28", true],
	["2026-02-30", false],
	["2026-2-3", false],
	["2026-13-01", false],
	[20260101, false],
] as const)
	test(`${value} ${isDate ? "is" : "is not"} a date`, () => {
		const field = { name: "since", type: { kind: "date" }, isRequired: true } as const;
		assert.equal(checkInput({ since: value }, [field], {}) === undefined, isDate);
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
