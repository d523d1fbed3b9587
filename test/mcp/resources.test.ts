import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { assertMapped } from "../support/assertMapped.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { KEEPER, LIGHTHOUSE, startMcp, textOf } from "./mcpProgram.ts";

const FILES = { ...LIGHTHOUSE, ...KEEPER };

async function resourceText(client: Client, uri: string): Promise<string> {
	const { contents } = await client.readResource({ uri });
	return contents.map((one) => ("text" in one ? one.text : "")).join("");
}

async function completed(client: Client, template: string, value: string): Promise<string[]> {
	const ref = { type: "ref/resource", uri: `copilot-ld://${template}` } as const;
	return (await client.complete({ ref, argument: { name: "any", value } })).completion.values;
}

test("a program has resources besides its tools", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const { client, call, search } = await startMcp(t, workspace);
	await search("lamp");

	await t.test("documents, things and the ontology are resources", async () => {
		const { resources } = await client.listResources();
		const at = "copilot-ld://document/";
		const own = ["copilot-ld://ontology", `${at}lighthouses.md`, `${at}people.ttl`];
		assertMapped(resources, ({ uri }) => uri, own);
		const { resourceTemplates } = await client.listResourceTemplates();
		assert.equal(resourceTemplates.length, 2);
		for (const [uri, words] of [
			["copilot-ld://ontology", /Person/],
			[`${at}lighthouses.md`, /^\[lighthouses\.md:1-4\] .*lit at dusk/s],
			[`${at}lighthouses.md:3`, /^\[lighthouses\.md:3\] /],
			[`copilot-ld://thing/${encodeURIComponent("https://example.org/anna")}`, /Keeper of the lamp/],
			["copilot-ld://thing/Anna%20Holm", /Keeper of the lamp/],
		] as const)
			assert.match(await resourceText(client, uri), words);
		for (const uri of [`${at}none.md`, "copilot-ld://thing/", "file:///etc/passwd"])
			await assert.rejects(client.readResource({ uri }), { code: -32002 });
	});

	await t.test("paths and names are completed", async () => {
		assert.deepEqual(await completed(client, "document/{+path}", "Light"), ["lighthouses.md"]);
		assert.deepEqual(await completed(client, "thing/{name}", "ho"), ["Anna Holm"]);
		assert.deepEqual(await completed(client, "thing/{name}", "https:"), ["https://example.org/anna"]);
		const ask = { ref: { type: "ref/prompt", name: "any" }, argument: { name: "any", value: "x" } } as const;
		assert.deepEqual((await client.complete(ask)).completion.values, []);
	});

	await t.test("the state of the index is told, and it is compared with the files when asked", async () => {
		await workspace.write({ "more.md": "# More\n\nWords.\n" });
		const described = await call("describe_ontology", { refresh: true });
		const index = { state: "ready", documents: 3, unindexed: 0 };
		assert.deepEqual(described.structuredContent?.["index"], index);
		assert.match(textOf(described), /The index is ready: 3 documents, 0 files not indexed\./);
	});
});

test("a hidden file and a hidden property are in no answer, resource, list or completion", async (t) => {
	const config = `policy:
  - deny: { paths: ["secret/**"] }
    doors: [mcp]
  - deny: { properties: [jobTitle] }
    doors: [mcp]
`;
	const workspace = await makeWorkspace(t, {
		...FILES,
		"secret/plan.md": "# Plan\n\nThe lamp will be sold.\n",
		".copilot-ld/config.yaml": config,
	});
	const { client, call, search } = await startMcp(t, workspace);
	const { hits } = await search("the plan for the lamp of the keeper");
	assert.doesNotMatch(JSON.stringify(hits), /sold|Keeper/);
	assert.equal((await call("read_resource", { target: "secret/plan.md" })).isError, true);
	const asked = await call("query_graph", { sparql: 'SELECT ?s { ?s ?p "Keeper of the lamp" }' });
	assert.match(textOf(asked), /^0 rows/);
	const { structuredContent } = await call("describe_ontology", { refresh: true });
	assert.deepEqual(structuredContent?.["index"], { state: "ready", documents: 2, unindexed: 0 });
	const { resources } = await client.listResources();
	assert.ok(resources.every(({ uri }) => !uri.includes("secret")));
	assert.deepEqual(await completed(client, "document/{+path}", "plan"), []);
	assert.deepEqual(await completed(client, "thing/{name}", "Anna"), ["Anna Holm"]);
	for (const uri of ["document/secret/plan.md", "thing/Plan"])
		await assert.rejects(client.readResource({ uri: `copilot-ld://${uri}` }), { code: -32002 });
	for (const uri of ["thing/Anna%20Holm", "document/people.ttl", "ontology"])
		assert.doesNotMatch(await resourceText(client, `copilot-ld://${uri}`), /Keeper|jobTitle/);
	assert.match(await resourceText(client, "copilot-ld://thing/Anna%20Holm"), /Anna Holm/);
});
