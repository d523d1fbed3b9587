import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchQuery } from "../../../src/core/knowledge/knowledge.ts";
import { assertNone } from "../../support/assertNone.ts";
import { listed } from "../../support/listed.ts";
import { never } from "../workerProcess.ts";
import { questionsThatDiffer, told } from "./everything.ts";
import { CONFIG, openPolicy } from "./openPolicy.ts";
import { createFolders } from "./randomFolders.ts";

/** All that is hidden has the word zorkmid in it. */
const FILES = {
	"plain.md": "# Oil\n\nOil for the lamp of Gannet Rock.\n",
	"nested.md":
		"---\nname: Nested Nora\nsalary:\n  amount: zorkmid-1\n  per: year\nrole: keeper\n---\n\nNora keeps the lamp.\n",
	"list.md":
		"---\nname: Listed Lena\nstaff:\n  - who: Pia\n    salary: zorkmid-2\n  - who: Ole\n    salary: zorkmid-3\n---\n\nLena keeps the boat.\n",
	"deep.md": "---\nname: Deep Dora\na: {b: {c: {d: {e: {salary: zorkmid-4}}}}}\n---\n\nDora dives.\n",
	"key.md": "---\nname: Keyed Kim\n? [salary]\n: zorkmid-5\n---\n\nKim sings.\n",
	"umlaut.md": "---\nname: Umlaut Uma\nL\u00d6HNE: zorkmid-6\n---\n\nUma paints.\n",
	"tagged.md": "---\nname: Tagged Tom\ntags: [zorkmid-7]\n---\n\nTom rows.\n",
	"titled.md": "---\nheadline: zorkmid-8\nrole: cook\n---\n\nThe cook bakes bread.\n",
	"person.md": "---\ntype: secretperson\nname: zorkmid-9\n---\n\nWho it is.\n",
	"bio.html":
		'<title>Bio</title>\n<div itemscope itemtype="http://schema.org/Person" itemid="urn:bea">\n<b itemprop="name">Bea Borg</b>\n<p itemprop="description">Bea earns\n<i itemprop="salary" content="10">zorkmid-ten</i> a year.</p>\n</div>\n',
	"old.ttl":
		'<urn:dan> <http://schema.org/name> "Dan Dahl" ;\n  <http://example.org/pay> "zorkmid-11" ;\n  <http://example.org/boat> "Petrel" .\n',
	"sub/HR/plan.md": "# Plan\n\nThe zorkmid-12 plan.\n",
	"Lo\u0308hne/liste.md": "# Liste\n\nDie zorkmid-13.\n",
	"bank.jsonld":
		'{\n"@context": {"ex": "https://example.org/"},\n"@id": "urn:bank",\n"ex:salary": {\n"ex:kind": "bank",\n"ex:iban": "zorkmid-14"\n},\n"ex:city": "Visby"\n}\n',
	"graph.trig":
		'<urn:g> {\n<urn:eve> <https://example.org/salary> "zorkmid-15" ;\n<https://example.org/city> "Sund" .\n}\n',
};

const POLICY = `exclude: [.copilot-ld/]
policy:
  - deny: {properties: [salary, l\u00f6hne, tags, headline, "https://example.org/pay"]}
    doors: [mcp]
  - deny: {types: [SecretPerson]}
    doors: [mcp]
  - deny: {paths: [./sub/hr/**, "L\u00f6hne/"]}
    doors: [mcp]
`;

const NAMES = listed("Nora|Lena|Dora|Kim|Uma|Tom|cook|Bea Borg|Dan Dahl|Petrel|Visby|Sund");

const SEARCHES: readonly SearchQuery[] = [
	...['"zorkmid"', "Nora salary amount zorkmid", "Lena staff salary zorkmid", "Bea description zorkmid"],
	...[
		'Dan "Petrel" zorkmid',
		'city "zorkmid" Visby',
		"how many things have zorkmid",
		"list all with zorkmid",
	],
	...["zorkmid", "zorkmid-2", "zorkmid-11", ...NAMES],
].map((query) => ({ query }));

const ASKING = {
	searches: [
		...SEARCHES,
		{ query: "zorkmid", types: ["Person"] },
		{ query: "zorkmid", sources: ["old.ttl"] },
		{ query: "zorkmid", index: "descriptor" },
		{ query: "Visby city zorkmid", threshold: 0.5 },
		{ query: "Dan Petrel zorkmid", maxTokens: 100 },
	] satisfies SearchQuery[],
	targets: [
		...Object.keys(FILES).flatMap((path) => [path, `${path}:1-50`]),
		...listed("Bea Borg|Dan Dahl|zorkmid-8|zorkmid-9|zorkmid"),
		...listed("Nested Nora|Listed Lena|Keyed Kim|hr/plan|sub/hr/plan.md|L\u00f6hne"),
	],
	iris: listed("urn:bea|urn:dan|urn:bank|urn:eve"),
	sparql: [
		'ASK { ?s ?p ?o FILTER(CONTAINS(STR(?o), "zorkmid")) }',
		'SELECT (COUNT(*) AS ?n) { ?s ?p ?o FILTER(REGEX(STR(?o), "zork", "i")) }',
		'SELECT (COUNT(?v) AS ?n) { ?s ?p ?o BIND(IF(CONTAINS(STR(?o), "zorkmid"), 1, 1/0) AS ?v) }',
		"SELECT ?s { ?s <urn:copilot-ld:frontmatter:salary.amount> ?o }",
	],
};

test("no way leads to a hidden value, and what is not hidden is still found", async (t) => {
	const opened = await openPolicy(t, POLICY, FILES);
	const [denied, allowed] = [await told(opened, "mcp", ASKING), await told(opened, "chat", ASKING)];
	assertNone(denied.match(/.{0,60}zorkmid.{0,20}/g) ?? []);
	for (let number = 1; number <= 15; number++)
		if (number !== 10) assert.ok(allowed.includes(`zorkmid-${number}`), `${number} is hidden from all`);
	for (const name of listed("Nested Nora|Listed Lena|Bea Borg|Dan Dahl|Petrel|Visby|Sund|Oil for"))
		assert.ok(denied.includes(name), `${name} is not told`);
});

test("a guess is answered alike, whether it is right or wrong", async (t) => {
	const wrong = Object.entries(FILES).map(([path, text]) => [path, text.replaceAll("zorkmid", "quatloo")]);
	// Two words have two vectors: what is compared is found by words and by the graph.
	const options = { embedding: { provider: "none" } } as const;
	const asked = { policy: POLICY, options, ...ASKING };
	assertNone(await questionsThatDiffer(t, [FILES, Object.fromEntries(wrong)], asked));
});

test("a question that does not say by which door it comes is not answered", async (t) => {
	const { connection } = await openPolicy(t, POLICY, FILES);
	for (const [method, params] of [
		["copilot-ld/knowledge/search", { query: "Nora" }],
		["copilot-ld/knowledge/search", { query: "Nora", door: "owner" }],
		["copilot-ld/knowledge/read", { target: "nested.md" }],
		["copilot-ld/graph/query", { sparql: "ASK {}" }],
		["copilot-ld/graph/check", { sparql: "ASK {}" }],
		["copilot-ld/graph/ontology", {}],
	] as const)
		await assert.rejects(connection.sendRequest(method, { args: [params] }), /by which door/, method);
});

test("an edit shows and hides at once, in the words that are shown", async (t) => {
	const { knowledge, index, workspace } = await openPolicy(t, POLICY, FILES);
	const found = async (query: string) => {
		const { hits } = await knowledge.search({ query, door: "mcp" }, never);
		return hits.filter(({ why }) => why.text).map(({ path }) => path);
	};
	assert.deepEqual(await found("Petrel"), ["old.ttl"]);
	await workspace.write({ "old.ttl": FILES["old.ttl"].replace("Petrel", "Puffin") });
	await index();
	assert.deepEqual([await found("Petrel"), await found("Puffin")], [[], ["old.ttl"]]);
	await workspace.write({ [CONFIG]: POLICY.replace("/pay", "/boat") });
	assert.deepEqual([await found("Puffin"), await found("zorkmid")], [[], ["old.ttl"]]);
});

for (const [seed, name, options] of [
	[1, "in memory", {}],
	[2, "without vectors", { embedding: { provider: "none" } }],
	[3, "by LanceDB's indexes", { storage: { memoryMb: 0 } }],
] as const)
	test(`folders that differ only in what is hidden give equal answers, searched ${name}`, async (t) => {
		const { folders, ...asking } = createFolders(seed);
		assert.deepEqual(await questionsThatDiffer(t, folders, { ...asking, options }), []);
	});
