import assert from "node:assert/strict";
import { test } from "node:test";
import oxigraph from "oxigraph";
import { stringify } from "yaml";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";
import { bindQuery, variablesIn } from "../../src/plugins/queries/bindQuery.ts";
import { askedIn, lineFor, partsOf, pluginFileFor, withLine } from "../../src/plugins/save/draft.ts";
import { assertMapped } from "../support/assertMapped.ts";

const QUERY = `PREFIX s: <https://schema.org/>
PREFIX : <urn:k:>
SELECT ?who ?job WHERE {
  ?who a s:Person ; s:name "Ann Holm" ; s:jobTitle ?job ; s:worksFor :skagen .
  FILTER(?job != "Keeper" && REGEX(?job, "a", "i")) # "not this"
  ?who s:label "x"@en ; s:age 36 .
} LIMIT 10`;

type Asked = Parameters<typeof partsOf>[0];

const shown = (asked: Asked) =>
	partsOf(asked).map(({ isLikely, ...of }) => `${of.name} ${of.type} ${of.value}${isLikely ? " !" : ""}`);

function saved(asked: Asked, values: readonly string[]) {
	const parts = partsOf(asked).filter(({ value }) => values.includes(value));
	return commandOf(asked, parts);
}
function commandOf(asked: Asked, parts: ReturnType<typeof partsOf>) {
	const file = pluginFileFor(asked, { description: "Who does what: “x” #1", parts });
	const read = readManifest(stringify(file, { lineWidth: 0 }), { uri: "file:///p", name: "saved" });
	assert.deepEqual(read.problems, []);
	const [command] = read.manifest?.commands ?? [];
	assert.ok(command);
	return command;
}

test("texts, resources and numbers of a query may become parameters; properties and comments may not", () => {
	assert.deepEqual(shown({ kind: "sparql", text: QUERY }), [
		"type iri https://schema.org/Person",
		"name string Ann Holm !",
		"worksFor iri urn:k:skagen !",
		"job2 string Keeper !",
		"job3 string a",
		"text string i",
		"age int 36",
		"limit int 10",
	]);
});

test("a saved query becomes a plugin with variables in place of the chosen values", () => {
	const { parameters, executor } = saved({ kind: "sparql", text: QUERY }, ["Ann Holm", "urn:k:skagen", "10"]);
	assertMapped(parameters, ({ name, type, example }) => [name, type.kind, example], [
		["name", "string", "Ann Holm"],
		["worksFor", "iri", "urn:k:skagen"],
		["limit", "int", 10],
	]);
	const bound = QUERY.replace('"Ann Holm"', "$name").replace(":skagen", "$worksFor").replace("10", "$limit");
	assert.deepEqual(executor, { kind: "sparql", query: bound });
});

test("dates of queries and questions become parameters that an edited line renames, types and describes", () => {
	const query =
		'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\nSELECT ?a { ?a <urn:due> ?d FILTER(?d > "2026-01-31"^^xsd:date) }';
	const parts = partsOf({ kind: "sparql", text: query });
	assert.equal(lineFor(parts), `${parts[0]?.name}: date`);
	const named = withLine(parts, "since: date = First");
	const command = commandOf({ kind: "sparql", text: query }, named ?? []);
	assert.deepEqual(command.parameters, [
		{ name: "since", type: { kind: "date" }, isRequired: true, description: "First", example: "2026-01-31" },
	]);
	assert.match(JSON.stringify(command.executor), /FILTER\(\?d > \$since\)/);
	const since = { value: "2026-02-01", kind: "date" } as const;
	const bound = bindQuery("ASK { ?a ?b $since }", new Map([["since", since]]));
	assert.equal(bound, 'ASK { ?a ?b "2026-02-01"^^<http://www.w3.org/2001/XMLSchema#date> }');
	const asked = partsOf({ kind: "prompt", text: "What is due on 2026-01-31?" });
	assert.deepEqual(asked.find(({ type }) => type === "date")?.value, "2026-01-31");
	for (const wrong of ["", "since", "since: day", "1x: date", "a: date; b: date", "a b: date"])
		assert.equal(withLine(parts, wrong), undefined, wrong);
});

test("a search is saved with its words as a parameter, and a question with its names", () => {
	const search = { kind: "retrieval", text: "who keeps Skagen" } as const;
	const { executor } = saved(search, ["who keeps Skagen", "Skagen"]);
	assert.deepEqual(executor, { kind: "retrieval", query: "{{words}}" });
	assert.deepEqual(saved(search, ["Skagen"]).executor, { kind: "retrieval", query: "who keeps {{name}}" });
	const question = 'Compare Ann Holm with "the keeper" since 1870, in two sentences.';
	const likely = shown({ kind: "prompt", text: question }).filter((line) => line.endsWith("!"));
	assert.deepEqual(likely, ["name string Ann Holm !", "name2 string the keeper !", "number int 1870 !"]);
	const compares = saved({ kind: "prompt", text: question }, ["Ann Holm"]);
	assert.match(JSON.stringify(compares.executor), /Compare {{name}}/);
});

test("a question is recognized from its turn, and is not saved if it cannot be repeated", () => {
	const query = "```sparql\nASK {}\n```\n\n**Yes.**";
	for (const [question, command, answer, expected] of [
		["?", "graph", query, { kind: "sparql", text: "ASK {}" }],
		["a", "search", "", { kind: "retrieval", text: "a" }],
		["who?", undefined, "Anna", { kind: "prompt", text: "who?" }],
		["who?", undefined, "", undefined],
		["rm", "cli", "done", undefined],
		["x", "graph", "no query", undefined],
	] as const)
		assert.deepEqual(askedIn({ question, answer, ...(command && { command }) }), expected);
});

const store = new oxigraph.Store();
store.load(
	`@prefix : <urn:> .
	:a :name "Ada" ; :age 36 ; :knows :b . :b :name "O'\\"Neil\\\\" ; :age 4 . :c :name "Eve" ; :age 50 .`,
	{ format: "text/turtle" },
);

function bind(query: string, given: Readonly<Record<string, unknown>>, iris: readonly string[] = []): string {
	const entries = Object.entries(given).map(
		([name, value]) => [name, { value, kind: iris.includes(name) ? "iri" : "string" }] as const,
	);
	return bindQuery(query, new Map(entries));
}

function rows(query: string): string[] {
	const found = store.query(`PREFIX : <urn:> ${query}`) as Map<string, { value: string }>[];
	return found.map((row) => [...row.values()].map(({ value }) => value).join(" ")).sort();
}

test("a value replaces its variable in patterns, filters and SELECT", () => {
	const query = "SELECT ?name ?p WHERE { ?p :name $name . FILTER(STRLEN(?name) > 0) }";
	assert.deepEqual(rows(bind(query, { name: "Ada" })), ["Ada urn:a"]);
	assert.deepEqual(rows(bind(query, {})).length, 3);
	const sorted = "SELECT ?n (COUNT(?p) AS ?c) { ?p :age ?n } GROUP BY ?n ORDER BY ?n DESC(?n)";
	assert.deepEqual(rows(bind(sorted, { n: 36 })), ["36 1"]);
	assert.deepEqual(rows(bind("SELECT ?n { ?x :knows/:name ?n }", { x: "urn:a" }, ["x"])), [`O'"Neil\\`]);
});

test("a query accepts a list in IN and VALUES, and a count after LIMIT; BOUND of a value is true", () => {
	for (const list of ["?p :name ?n FILTER(?n IN ($names))", "VALUES ?n { $names } ?p :name ?n"])
		assert.deepEqual(rows(bind(`SELECT ?p { ${list} }`, { names: ["Ada", "Eve"] })), ["urn:a", "urn:c"]);
	assert.deepEqual(rows(bind("SELECT ?p { ?p :age ?a } ORDER BY ?a LIMIT $max", { max: 1 })), ["urn:b"]);
	const optional = "SELECT ?p { ?p :age ?a FILTER(!BOUND($min) || ?a >= $min) }";
	assert.deepEqual(rows(bind(optional, { min: 36 })), ["urn:a", "urn:c"]);
	assert.equal(rows(bind(optional, {})).length, 3);
	for (const [query, given] of [
		["SELECT ?p { ?p :name ?n }", { n: ["Ada"] }],
		["SELECT ?p { VALUES ?n { 1 } }", { n: "x" }],
		["SELECT ?p { VALUES (?n ?m) { (1 2) } }", { n: "x" }],
		["SELECT (1 AS ?n) {}", { n: "x" }],
		["SELECT ?p { ?p :age ?a } LIMIT $n", { n: -1 }],
		["SELECT ?p { ?p :age ?a } LIMIT $n", { n: "1 } DROP ALL" }],
		["SELECT ?p { ?p :age ?n }", { n: { a: 1 } }],
		["SELECT ?p { ?p :age ?n }", { n: Number.NaN }],
	] as const)
		assert.throws(() => bind(query, given), { name: "Failure" }, query);
});

test("texts, IRIs, comments and longer names are not bound", () => {
	const query = 'SELECT ?x { ?x <urn:?name> "?name" . ?x :b ?names } # ?name';
	assert.equal(bind(query, { name: "Ada" }), query);
	assert.deepEqual([...variablesIn(query)], ["x", "names"]);
});

const HOSTILE = [
	`" . ?s ?p ?o . FILTER("" = "`,
	`\\" } INSERT DATA { <urn:x> <urn:x> 1 } #`,
	"\\",
	`\\\\"`,
	"\n} SELECT * { ?s ?p ?o",
	"\r\n#",
	"\\u0022 } ASK { ?s ?p ?o } #",
	"\\U00000022 . ?s ?p ?o",
	`'''"""`,
	"?name $name {{name}}",
	"\u0000\u2028\ud800",
	"> . ?s ?p ?o . <",
];

test("a text stays a single text whatever characters it contains", () => {
	for (const name of HOSTILE) {
		const ask = bind("SELECT (STRLEN($name) AS ?n) ($name AS ?said) {}", { name });
		const [row] = store.query(ask) as Map<string, { value: string }>[];
		assert.equal(row?.get("said")?.value, name.toWellFormed(), JSON.stringify(name));
		assert.deepEqual(rows(bind("SELECT ?p { ?p :name $name }", { name })), [], JSON.stringify(name));
		const list = bind("SELECT ?p { ?p :name ?n FILTER(?n IN ($names)) }", { names: [name, "Ada"] });
		assert.deepEqual(rows(list), ["urn:a"], JSON.stringify(name));
	}
});

test("an invalid IRI is refused before the query runs", () => {
	for (const thing of [...HOSTILE, "urn:a b", "urn:a>", "relative", "", "urn:a\\u003e", "//host"])
		assert.throws(() => bind("SELECT ?p { $x ?p ?o }", { x: thing }, ["x"]), { name: "Failure" }, thing);
});
