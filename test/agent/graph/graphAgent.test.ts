import assert from "node:assert/strict";
import { test } from "node:test";
import { createGraphAgent } from "../../../src/agent/graph/graphAgent.ts";
import { formatAnswer } from "../../../src/agent/graph/graphTable.ts";
import { Failure } from "../../../src/base/failure.ts";
import type { Turn } from "../../../src/core/agent/agentEvent.ts";
import { formatCitation } from "../../../src/core/knowledge/citation.ts";
import type { GraphResult, KnowledgeGraph } from "../../../src/core/knowledge/graph.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { fakeModel, type Reply } from "../../support/fakeModel.ts";

const ada = { termType: "Literal", value: "Ada | `x`", datatype: "xsd#string" } as const;
const rows: GraphResult = {
	answer: { kind: "rows", variables: ["name"], rows: [{ name: ada }], total: 1, truncated: false },
	sources: [{ path: "a.ttl", lines: { start: 2, end: 4 } }],
	notices: [],
};

const good = "SELECT ?name { ?p a <urn:Person> ; <urn:name> ?name }";
const block = (sparql: string): Reply => [`Here:\n\`\`\`sparql\n${sparql}\n\`\`\``];
const SEEING = "Who is on the picture?";

/** Runs a `/graph` turn on a graph that has only `urn:Person` and `urn:name`. */
async function play(
	question: string,
	replies: readonly Reply[],
	history: readonly Turn[] = [],
	window?: number,
) {
	const model = fakeModel(replies, window);
	const graph: KnowledgeGraph = {
		ontology: async () => "Person (1): name",
		check: async ({ sparql }) => {
			if (!/^SELECT/.test(sparql) || sparql.includes("nonsense"))
				throw new Failure("BAD_INPUT", "Not SPARQL at line 1.");
			return sparql.includes("urn:Human") ? [{ iri: "urn:Human", nearest: ["urn:Person"] }] : [];
		},
		query: async () => rows,
	};
	let text = "";
	const notices: string[] = [];
	const images = question === SEEING ? [{ mimeType: "image/png", data: "" }] : [];
	const request = { question, history, attachments: [], images };
	for await (const event of createGraphAgent({ graph, model })(request, new AbortController().signal)) {
		if (event.kind === "text") text += event.text;
		if (event.kind === "citation") text += formatCitation(event.citation);
		if (event.kind === "notice") notices.push(event.text);
	}
	return { text, notices, requests: model.requests };
}

test("a SPARQL query is run unchanged, without asking the model", async () => {
	const { text, requests } = await play(good, []);
	assert.equal(requests.length, 0);
	assert.match(text, /```sparql\nSELECT/);
	assert.match(text, /Sources: \[a\.ttl:2-4\]$/);
});

test("the model translates a question into a query, given the ontology but no images", async () => {
	const { text, notices, requests } = await play(SEEING, [block(good)]);
	assert.ok(requests[0]?.messages.some((message) => message.text.includes("Person (1): name")));
	assert.match(text, /\| name \|\n\| --- \|/);
	assert.deepEqual(notices, ["Images are ignored: the query is made from the words of the question alone."]);
});

test("a query with an unknown class is returned to the model with similar classes", async () => {
	const { requests } = await play("Who?", [block("SELECT * { ?p a <urn:Human> }"), block(good)]);
	assert.match(requests[1]?.messages.at(-1)?.text ?? "", /<urn:Human> is not in use\. Nearest: urn:Person/);
});

test("after three failed repairs, the turn fails with the last query and the query's error", async () => {
	const bad = block("SELECT nonsense");
	const asked = play("Who?", [bad, bad, bad, bad, block(good)]);
	await assert.rejects(asked, /after 3 corr.*Not SPARQL at.*nonsense/s);
});

test("a model that twice answers without a query is not asked again, and the user learns how to write a query", async () => {
	const { text, requests } = await play("Who?", [["I cannot do that."], ["Still not."], block(good)]);
	assert.equal(requests.length, 2);
	assert.match(text, /Choose another one in the model picker, or write the query.*\/graph SELECT/s);
});

test("the row count of a limited or partial result does not claim completeness", () => {
	const count = (sparql: string) => formatAnswer(rows.answer, sparql).split("\n").at(-1);
	assert.equal(count(good), "1 row, all there is.");
	assert.equal(count(`${good} LIMIT 1`), "1 row (the query's LIMIT).");
	const partial = formatAnswer({ ...rows.answer, isPartial: true }, good);
	assert.equal(partial.split("\n").at(-1), "1 row.");
	const cut = { ...rows.answer, truncated: true, total: 900 } as GraphResult["answer"];
	assert.match(formatAnswer(cut, ""), /1 row shown of 900/);
});

test("data cannot break out of a table cell; prefixes are explained below the table", () => {
	assert.match(formatAnswer(rows.answer, ""), /^\| `Ada {4}x ` \|$/m);
	const thing = { termType: "NamedNode", value: "https://merrow.example/id/light/new" } as const;
	const answer = { ...rows.answer, variables: ["thing"], rows: [{ thing }] } as GraphResult["answer"];
	assert.match(formatAnswer(answer, ""), /^\| `light:new` \|$.*^`light:` = `https:\/\/merrow\.example\//ms);
	assert.doesNotMatch(formatAnswer(answer, "PREFIX l: <https://merrow.example/id/light/> SELECT"), / = `/);
});

test("a question is sent with as many recent turns as fit the model's window", async () => {
	const turns = Array.from({ length: 40 }, (_, at) => ({ question: `Nr ${at}?`, answer: "x ".repeat(200) }));
	const { messages = [] } = (await play("And now?", [block(good)], turns, 1500)).requests[0] ?? {};
	const tokens = messages.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0);
	assert.ok(tokens < 1500, `${tokens} tokens`);
	assertMapped(messages.slice(-3), ({ role, text }) => [role, text], [
		["user", "Nr 39?"],
		["assistant", turns[39]?.answer],
		["user", "And now?"],
	]);
});
