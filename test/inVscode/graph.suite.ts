import assert from "node:assert/strict";
import { setup, suite, suiteSetup, test } from "mocha";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import { ask, invokeTool, openNewChat, scriptedModel } from "./chat.ts";
import type { ScriptedModel } from "./scriptedModel/script.ts";

const PREFIXES = "PREFIX m: <https://merrow.example/vocab#> PREFIX schema: <https://schema.org/>";
const LIGHTS = `${PREFIXES} SELECT ?name { ?light a m:Light ; schema:name ?name } ORDER BY ?name`;

suite("the graph", () => {
	let model: ScriptedModel;

	suiteSetup(async () => {
		model = await scriptedModel();
	});

	setup(openNewChat);

	test("describe_ontology names the classes in use with their counts", async () => {
		const text = await invokeTool("copilot-ld_describe_ontology", { focus: "lights" });
		assert.match(text, /Light/);
		assert.match(text, /schema:Person|schema\.org\/Person/);
	});

	test("query_graph counts completely, and says so", async () => {
		const text = await invokeTool("copilot-ld_query_graph", { sparql: LIGHTS });
		assert.match(text, /^7 rows \(complete\):\nname\n/);
		assert.match(text, /^Gannet Rock Light$/m);
	});

	test("query_graph refuses a class that is not in use, with the nearest real one", async () => {
		const sparql = `${PREFIXES} SELECT * { ?x a m:Lighthouse }`;
		await assert.rejects(
			invokeTool("copilot-ld_query_graph", { sparql }),
			/vocab#Lighthouse> is not in use\. Nearest: <https:\/\/merrow\.example\/vocab#Light/,
		);
	});

	test("query_graph refuses to change anything", async () => {
		const sparql = "DELETE WHERE { ?s ?p ?o }";
		await assert.rejects(invokeTool("copilot-ld_query_graph", { sparql }), /refused|only/i);
	});

	test("/graph runs SPARQL without a model and cites where the rows are stated", async () => {
		model.play([]);
		const { metadata, errorDetails } = await ask(`/graph ${LIGHTS.replace("?name {", "?light ?name {")}`);
		assert.equal(errorDetails, undefined);
		assert.equal(model.requests().length, 0);
		assert.match(metadata?.answer ?? "", /Widow's Teeth Light/);
		assert.ok(metadata?.citations.map(formatCitation).some((mark) => mark.startsWith("[lights.html:")));
	});

	test("/graph lets the model write the query, and mend it where it names what is not in use", async () => {
		model.play(
			[{ say: `\`\`\`sparql\n${LIGHTS.replace("m:Light", "m:Lighthouse")}\n\`\`\`` }],
			[{ say: `\`\`\`sparql\n${LIGHTS}\n\`\`\`` }],
		);
		const { metadata } = await ask("/graph Which lights are there?");
		assert.match(metadata?.answer ?? "", /7 rows, all there are/);
		assert.match(model.requests()[1]?.messages.at(-1) ?? "", /Lighthouse> is not in use/);
	});
});
