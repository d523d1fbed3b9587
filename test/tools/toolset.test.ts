import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { MCP_SERVER, OUR_TOOLS_ON_CLI } from "../../src/core/agent/ourTools.ts";
import type { GraphResult, KnowledgeGraph } from "../../src/core/knowledge/graph.ts";
import type { Knowledge, ReadResult, SearchQuery, SearchResult } from "../../src/core/knowledge/knowledge.ts";
import { createSearchTool } from "../../src/tools/knowledge/searchKnowledge.ts";
import { createToolset } from "../../src/tools/toolset.ts";

const { signal } = new AbortController();
const place = { id: "1", uri: "file:///kb/a.md", path: "a.md", lines: { start: 3, end: 5 } };
const hit = { ...place, title: "Lamp", text: "The lamp burns oil.", score: 1, why: {} };

const found: SearchResult = { hits: [hit], total: 12, truncated: true, notices: ["No vectors."] };
const nothing: ReadResult = {
	...{ parts: [], totalCharacters: 0, truncated: false },
	...{ links: [], suggestions: ["Lamp", "Lamps"] },
};

const ROWS = [{ name: { termType: "Literal", value: "Ada\tB.", datatype: "xsd:string" } }] as const;

interface Given {
	readonly search?: SearchResult;
	readonly read?: ReadResult;
	readonly graph?: Partial<GraphResult>;
}

async function call(name: string, input: unknown, given: Given = {}) {
	const queries: SearchQuery[] = [];
	const knowledge = {
		search: async (query) => {
			queries.push(query);
			return given.search ?? found;
		},
		read: async () => given.read ?? nothing,
	} as Partial<Knowledge> as Knowledge;
	const openRunner = async () =>
		async function* (): AsyncGenerator<AgentEvent> {
			yield { kind: "text", text: "Oil " };
			yield { kind: "citation", citation: { path: "a.md", lines: { start: 3, end: 3 } } };
			yield { kind: "ended", reason: "done" };
		};
	const graph: KnowledgeGraph = {
		check: async ({ sparql }) =>
			sparql.includes("Human") ? [{ iri: "urn:Human", nearest: ["urn:Person"] }] : [],
		query: async ({ limit = 0 }) => ({
			answer: { kind: "rows", variables: ["name", "age"], rows: ROWS, total: limit + 1, truncated: true },
			sources: [{ path: "a.ttl", lines: { start: 2, end: 4 } }],
			notices: [],
			...given.graph,
		}),
		ontology: async ({ budgetTokens, focus }) => `${budgetTokens} tokens about ${focus}`,
	};
	const tools = createToolset({ knowledge, graph, channel: "tools", openRunner });
	const result = await tools.find((tool) => tool.name === name)?.run(input, { signal });
	assert.ok(result);
	return { ...result, queries };
}

test("the tools for the Copilot CLI are exactly the tools that the guard of the CLI admits", () => {
	const none = {} as never;
	const ports = { knowledge: none, graph: none, askUser: none, memory: none, orchestrator: none };
	const tools = createToolset({ ...ports, channel: "cli" });
	const names = tools.map(({ name }) => `${MCP_SERVER}-${name}`);
	assert.deepEqual(names.sort(), [...OUR_TOOLS_ON_CLI].sort());
});

const LISTED = { kind: "count" as const, what: "Lamp", total: 2, items: [], truncated: false };
const citation = { path: "b.ttl", lines: { start: 2, end: 4 } };
const items = [
	{ label: "L20", iri: "urn:l20", citation },
	{ label: "L60 [x.md:1]", citation },
];
const via = "Ada → knows → [b.md:1]";

const SHOWN: readonly (readonly [title: string, search: Partial<SearchResult>, ...words: RegExp[]])[] = [
	[
		"shows each passage after a citation, and the mark that continues the search",
		{},
		/^The best place; 12 passages contain all search words\. More were left out: pass more: "m1", or narrow/,
		/Note: No vectors\./,
		/^\[a\.md:3-5\] Lamp\nThe lamp burns oil\.$/m,
	],
	[
		"shows how a hit was found, with a path in the graph that cannot forge a citation",
		{ hits: [{ ...hit, why: { text: 2, vector: 1, entity: 3 }, via }], isAtLeast: true },
		/at least 12 passages contain all search words/,
		/^\(found by words #2, meaning #1, graph #3: Ada → knows → \(b\.md:1\)\)$/m,
	],
	[
		"shows a listing completely, with a citation for each resource",
		{ listing: { ...LISTED, items } },
		/^Counted in the graph of all documents: 2 × Lamp:\n- L20 <urn:l20> \[b\.ttl:2-4\]\n- L60 \(x\.md:1\) \[b\.ttl:2-4\]\n\n/,
	],
	[
		"states that a count covers only the documents read so far",
		{ listing: LISTED, extent: "read" },
		/^Counted in the graph of the documents read so far: 2 × Lamp:/,
	],
	[
		"states no number if no passage is known to contain all words",
		{ total: 0, listing: LISTED, extent: "visible" },
		/^Counted in what may be seen: 2 × Lamp:[\s\S]*\nThe best place\. More/,
	],
	[
		"without hits gives advice",
		{ hits: [], total: 0, truncated: false },
		/No passage matches “lamp”\. Try other/,
	],
];

for (const [title, search, ...words] of SHOWN)
	test(`a search ${title}`, async () => {
		const { text } = await call("search_knowledge", { query: "lamp" }, { search: { ...found, ...search } });
		for (const one of words) assert.match(text, one);
	});

test("a search passes the input to the knowledge base, and programs get the hits as data", async () => {
	const { structured, queries } = await call("search_knowledge", { query: "lamp", types: ["Person"] });
	const asked = { query: "lamp", limit: 8, types: ["Person"], mostWords: 120 };
	assert.deepEqual(queries, [{ ...asked, channel: "tools", wantsAnswer: true }]);
	for (const input of [{ queries: ["oil"] }, { index: "descriptor" }]) {
		const [other] = (await call("search_knowledge", { query: "lamp", ...input })).queries;
		assert.equal(other?.wantsAnswer, undefined, "no answer to queries for descriptions and several queries");
	}
	assert.deepEqual(structured, { ...found, more: "m1" });
});

test("a search continues after the hits of an earlier answer, and states the end of the hits", async () => {
	const hits = Array.from({ length: 5 }, (_, index) => ({ ...hit, id: `${index}`, text: `Lamp ${index}.` }));
	const asked: SearchQuery[] = [];
	const search: Knowledge["search"] = async (query) => {
		asked.push(query);
		return { hits: hits.slice(0, query.limit), total: 5, truncated: (query.limit ?? 0) < 5, notices: [] };
	};
	const tool = createSearchTool({ search } as Knowledge, "tools");
	const run = async (input: object) => (await tool.run({ query: "lamp", ...input }, { signal })).text;
	const first = await run({ limit: 2, maxTokens: 100 });
	assert.match(first, /Lamp 0[\s\S]*Lamp 1[^2]*$/);
	const second = await run({ limit: 2, maxTokens: 100, more: "m1" });
	assert.match(second, /pass more: "m2"[\s\S]*Lamp 2[\s\S]*Lamp 3[^4]*$/);
	assert.ok((asked[1]?.maxTokens ?? 0) > 100);
	assert.match(await run({ limit: 2, more: "m2" }), /The best place[\s\S]*Lamp 4/);
	assert.match(await run({ limit: 5, more: "m2" }), /Lamp 4/);
	await assert.rejects(run({ more: "m9" }), /no mark “m9” any more/);
});

for (const [name, input, words] of [
	["search_knowledge", {}, /Wrong input.*query/s],
	["search_knowledge", { query: "x", limit: 0 }, /: Wrong input\. “limit” must be at least 1\.$/],
	["search_knowledge", "not an object", /Wrong input\. The input must be a mapping\.$/],
	["read_resource", { target: "" }, /Wrong input\. “target” must not be empty\.$/],
	["read_resource", { target: 7, maxCharacters: 1.5 }, /“target” must be a text\. “maxCharacters” must be/],
	["ask", undefined, /Wrong input\. “question” is missing\.$/],
] as const) {
	test(`the tool ${name} refuses the input ${JSON.stringify(input)} with a message for the model`, async () => {
		await assert.rejects(call(name, input), words);
	});
}

test("a shortened text states the full length, and an unknown name lists similar names", async () => {
	const links = ["burns → Oil"];
	const read = { parts: [hit], totalCharacters: 900, truncated: true, links, suggestions: [] };
	const { text, structured } = await call("read_resource", { target: "a.md" }, { read });
	assert.match(text, /\(cut: 19 of 900 characters/);
	assert.match(text, /Links \(read the other resource for its lines\):\nburns → Oil/);
	const { suggestions: _none, ...expected } = read;
	assert.deepEqual(structured, expected);
	await assert.rejects(call("read_resource", { target: "Lam" }), /Nearest: Lamp; Lamps/);
});

test("the tool `ask` returns the answer with citations, and data for programs", async () => {
	const { text, structured } = await call("ask", { question: "What burns?" });
	assert.equal(text, "Oil [a.md:3]");
	const citations = [{ path: "a.md", lines: { start: 3, end: 3 } }];
	const answer = { answer: text, kind: "answer", items: [], citations, complete: true };
	assert.deepEqual(structured, { ...answer, model: "unknown", notices: [] });
});

test("a graph query returns rows, the total and sources as text for models and as data for programs", async () => {
	const { text, structured } = await call("query_graph", { sparql: "SELECT …", limit: 1 });
	const head = "1 of 2 rows (truncated: use COUNT, or LIMIT and OFFSET):";
	assert.equal(text, `${head}\nname\tage\nAda B.\t\n\nSources: [a.ttl:2-4]`);
	const answer = { kind: "rows", variables: ["name", "age"], rows: ROWS, total: 2, truncated: true };
	const sources = [{ path: "a.ttl", lines: { start: 2, end: 4 } }];
	assert.deepEqual(structured, { ...answer, sources, notices: [] });
	await assert.rejects(call("query_graph", { sparql: "… a <urn:Human>" }), /<urn:Human> is.* <urn:Person>/);
	const { text: ontology } = await call("describe_ontology", { focus: "lamps" });
	assert.equal(ontology, "2000 tokens about lamps");
});

const ALL = "SELECT ?s { ?s ?p ?o }";

const bindings = ["urn:a", "urn:b"].map((value) => ({ s: { termType: "NamedNode", value } }) as const);
const rows = { kind: "rows", variables: ["s"], rows: bindings, total: 2, truncated: false } as const;

async function headOf(sparql: string, result: Partial<GraphResult> = {}): Promise<string | undefined> {
	const { text } = await call("query_graph", { sparql }, { graph: { answer: rows, ...result } });
	return text.split("\n")[0];
}

const QUADS = { kind: "quads", quads: [], truncated: false } as const;
const ADVICE = "truncated: use COUNT, or LIMIT and OFFSET";
const MANY = { ...rows, truncated: true, total: 500 } as const;

for (const [sparql, head, result] of [
	[ALL, "2 rows (complete):"],
	[`${ALL} LIMIT 2`, "2 rows (cut by the query's LIMIT 2):"],
	[`${ALL}\nlimit 2 offset 4 # LIMIT 9`, "2 rows (cut by the query's LIMIT 2; after the query's OFFSET 4):"],
	[`${ALL} OFFSET 1`, "2 rows (after the query's OFFSET 1):"],
	["SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 2 } }", "2 rows (complete):"],
	['SELECT ?s { ?s ?p "LIMIT 2" }', "2 rows (complete):"],
	["CONSTRUCT WHERE { ?s ?p ?o } LIMIT 9", "0 statements (cut by the query's LIMIT 9):", { answer: QUADS }],
	[ALL, `2 of 500 rows (${ADVICE}):`, { answer: MANY }],
	[`${ALL} LIMIT 500`, `2 of 500 rows (${ADVICE}; cut by the query's LIMIT 500):`, { answer: MANY }],
	[ALL, "2 rows (not complete):", { isPartial: true }],
] as const)
	test(`the query ${JSON.stringify(sparql)} returns ${head.slice(0, -1)}`, async () =>
		assert.equal(await headOf(sparql, result), head));
