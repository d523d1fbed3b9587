import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { PluginDefinition } from "../../../src/core/plugin/plugin.ts";
import { type PluginResource, resourceNamed } from "../../../src/core/plugin/resource.ts";
import { createResources } from "../../../src/plugins/resources/resources.ts";
import { openEndpoint } from "../../mcp/endpoint/openEndpoint.ts";
import { scriptedTool } from "../../mcp/scriptedTool.ts";
import { foundPlugin } from "../../plugins/example.ts";
import { serveTexts } from "../../support/listening.ts";
import { pluginHead } from "../../support/pluginHead.ts";
import { openActing, openCommands, signal } from "./actingPlugin.ts";

/** Requests below `/sick` fail. */
const serve = (t: TestContext) =>
	serveTexts(t, (path) => [path.startsWith("/sick") ? 503 : 200, {}, "It is 12 °C."]);

test("a command sends requests to the plugin's resource, which is checked before the first call", async (t) => {
	const { asked, host } = await serve(t);
	const { run, tool } = await openActing(t, {
		executor: `{ kind: http, resource: weather, url: "/at/{{place}}", headers: { accept: text/plain } }`,
		parameters: "{ place: { type: string } }",
		hosts: [host],
		config: `{ key: k1, resources: [{ type: http, id: weather, config: { url: "http://${host}/api/", headers: { x-key: "{{key}}" }, health: /health } }] }`,
	});
	assert.match((await tool.permission?.({ place: "Skagen" }))?.title ?? "", /GET http:\S+\/api\/at\/Skagen/);
	for (const place of ["Skagen", "a/b"]) assert.equal(await run({ place }), "It is 12 °C.");
	assert.deepEqual(asked, ["GET /api/health k1", "GET /api/at/Skagen k1", "GET /api/at/a%2Fb k1"]);
});

test("a saved query for an endpoint sends only the query, with bound values", async (t) => {
	const { asked, host } = await serve(t);
	const resources = `{ resources: [{ type: sparql, config: { url: "http://${host}/sparql" } }] }`;
	const query = "ASK { ?a <urn:name> $name }";
	const { run, tool } = await openActing(t, {
		executor: `{ kind: sparql, resource: sparql, query: "${query}" }`,
		parameters: "{ name: { type: string } }",
		hosts: [host],
		config: resources,
	});
	assert.equal(tool.isReadOnly, false);
	const nature = await tool.permission?.({ name: "x" });
	assert.deepEqual([nature?.mutates, nature?.uses], [true, ["plugin_acts_go", "fetch"]]);
	await run({ name: '" } ; DROP ALL' });
	assert.deepEqual(asked, ["POST /sparql ASK {}", 'POST /sparql ASK { ?a <urn:name> "\\" } ; DROP ALL" }']);
});

test("a program works in the folder of the plugin's resource, which must be in the workspace", async (t) => {
	const node = {
		executor: "{ kind: program, resource: files, program: node, arguments: [-p, process.cwd()] }",
	};
	const config = "{ resources: [{ type: files, config: { folder: data } }] }";
	const { folder, run, tool } = await openActing(t, { ...node, config });
	await assert.rejects(run(), /resource default \(files\) of the plugin acts is .*Continue without/);
	await mkdir(join(folder, "data"));
	assert.equal((await run()).trim(), join(folder, "data"));
	assert.match((await tool.permission?.({}))?.title ?? "", / in data$/);
	const out = await openActing(t, { ...node, config });
	await symlink(tmpdir(), join(out.folder, "data"));
	await assert.rejects(out.run(), /is not available: data is outside/);
});

test("a call with an unavailable resource fails with an explanation, and the next call tries again", async (t) => {
	const { asked, host } = await serve(t);
	const { run } = await openActing(t, {
		executor: "{ kind: http, resource: http, url: /x }",
		hosts: [host],
		config: `{ resources: [{ type: http, config: { url: "http://${host}", health: /sick } }] }`,
	});
	for (const _ of [1, 2])
		await assert.rejects(run(), /is not available: it answers with 503\. Continue without this command/);
	assert.deepEqual(asked, ["GET /sick ", "GET /sick "]);
	const never = createResources(() => new Promise(() => undefined), { startMs: 20 });
	await assert.rejects(never.use(resource("a"), plugin("p"), { signal }), /did not start within 0\.02 s/);
	assert.match(JSON.stringify(never.stateOf(resource("a"), plugin("p"))), /failed.*did not start/);
});

function resource(name: string): PluginResource {
	return { type: "http", id: name, name: "", url: `http://${name}.example`, headers: {} };
}

function plugin(name: string, ...resources: readonly PluginResource[]): PluginDefinition {
	const source = { uri: `file:///${name}/plugin.yaml`, level: "user" };
	return { name, isDisabled: false, resources, source } as never;
}

test("resources start at the first call, are shared by plugins, and close in reverse order", async () => {
	const told: string[] = [];
	const held = createResources(async ({ id }) => {
		told.push(`start ${id}`);
		return { close: async () => void told.push(`close ${id}`) };
	});
	const [a, b] = [resource("a"), resource("b")];
	const [one, two] = [plugin("one", a, b), plugin("two", { ...a, id: "mine", name: "Mine" })];
	assert.deepEqual(held.stateOf(a, one), { kind: "unused" });
	await Promise.all([held.use(a, one, { signal }), held.use(a, one, { signal })]);
	await held.use(b, one, { signal });
	const [mine] = two.resources;
	assert.ok(mine);
	await held.use(mine, two, { signal });
	assert.deepEqual(held.stateOf(mine, two), { kind: "ready" });
	await held.keep([one, two]);
	assert.deepEqual(told, ["start a", "start b"]);
	await held.keep([{ ...one, isDisabled: true }, two]);
	assert.deepEqual(told.slice(2), ["close b"]);
	await held.use(b, one, { signal });
	await held.close();
	assert.deepEqual(told.slice(3), ["start b", "close b", "close a"]);
});

test("a resource is found by id, name or type; a mistake in a resource is reported at its line", () => {
	const [first, called, mine] = [resource("default"), { ...resource("x"), name: "http" }, resource("mine")];
	const lookUp = (word: string) => resourceNamed([first, called, mine], word);
	const found = ["mine", "x", "http", "default", "files"].map(lookUp);
	assert.deepEqual(found, [mine, called, called, undefined, undefined]);
	assert.equal(resourceNamed([first, mine], "http"), first);
	const one = "    - { type: http, id: a, config: { url: 'https://a.example' } }\n";
	const go = "{ kind: http, resource: http, url: /x }";
	for (const [resources, executor, problem] of [
		[one, go, /^$/],
		[one + one, go, /^12 There is another resource with the id “a”/m],
		["    - { type: mysql }\n", go, /^12 The type .* must be one of http, sparql, files, index, mcp, model/m],
		[one.replace("a.example", "b.example"), go, /^12 “b\.example” is not one of the plugin's hosts/m],
		[one.replace("example'", "example/{{x}}'"), go, /^12 The address of a resource has no placeholders/m],
		["    - { type: files, config: { folder: ../x } }\n", go, /^12 “folder” must be a path/m],
		[one, go.replace("http, url", "none, url"), /^9 There is no resource “none”\. Available: a \(http\)/m],
		[one, "{ kind: sparql, resource: a, query: 'ASK {}' }", /^9 .* sparql needs .* of .* sparql, not http/m],
		[one, "{ kind: http, resource: a, url: '@evil.example/' }", /^9 .*begins with \//m],
	] as const) {
		const text = `${pluginHead("a", "title: A, description: A.")}hosts: [a.example]\ncommands:\n  - { command_name: go, description: Goes., executor: ${executor} }\nconfig:\n  resources:\n${resources}`;
		const { problems } = foundPlugin("a", text);
		assert.match(problems.map(({ line, message }) => `${line} ${message}`).join("\n"), problem);
	}
});

test("an MCP server's tool is called over HTTP with the approved input and configured headers", async (t) => {
	const calls: unknown[] = [];
	const tool = scriptedTool("forecast", async (input) => {
		calls.push(input);
		if (JSON.stringify(input).includes("nowhere")) throw new Failure("NOT_FOUND", "There is no such place.");
		return { text: "12 °C [a.md:1]", structured: { answer: "" } };
	});
	const { endpoint, url } = await openEndpoint(t, () => [tool]);
	const key = endpoint.tokenFor("plugin");
	const mcp = (config: string) =>
		openActing(t, {
			executor: `{ kind: tool, resource: mcp, tool: forecast, input: { place: "{{place}}", days: 1 } }`,
			parameters: "{ place: { type: string } }",
			hosts: [new URL(url).host],
			config: `{ key: "${key}", resources: [{ type: mcp, config: ${config} }] }`,
		});
	const { run, tool: command } = await mcp(`{ url: "${url}", headers: { authorization: "Bearer {{key}}" } }`);
	const nature = await command.permission?.({ place: "Skagen" });
	assert.deepEqual(nature?.uses, ["plugin_acts_go", "fetch", "forecast"]);
	assert.match(nature?.title ?? "", /Call the tool forecast of 127\S+ with “\{"place":"Skagen","days":1\}”/);
	assert.doesNotMatch(await run({ place: "Skagen" }), /\[a\.md:1\]/);
	assert.deepEqual(calls, [{ place: "Skagen", days: 1 }]);
	// The oldest of too many connections ends; the next call starts a new one.
	const clientInfo = { name: "other", version: "1" };
	const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
	const accept = "application/json, text/event-stream";
	const headers = { "content-type": "application/json", accept, authorization: `Bearer ${key}` };
	for (let others = 0; others < 8; others++)
		await (await fetch(url, { method: "POST", headers, body })).text();
	assert.match(await run({ place: "Skagen" }), /12 °C/);
	assert.equal(calls.length, 2);
	await assert.rejects(run({ place: "nowhere" }), /The tool forecast failed: There is no such place/);
	const { run: unknown } = await mcp(`{ url: "${url}" }`);
	await assert.rejects(unknown({ place: "x" }), /is not available: .* answers with 401/);
	assert.equal(calls.length, 3);
});

function openReading(config: string, executor: string, models: readonly string[]) {
	const text = `${pluginHead("reads", "title: Reads, description: Reads.")}commands:
  - { command_name: go, description: Goes., parameter: { type: { q: { type: string } } }, executor: ${executor} }
config: { resources: ${config} }
`;
	const opened: ReturnType<typeof openCommands> = openCommands([foundPlugin("reads", text)], {
		openRunner: async (_, { model = "any" } = {}) => {
			if (!models.includes(model)) throw new Failure("NO_MODEL", `There is no language model ${model}.`);
			return async function* (request) {
				opened.asked.push([model, request.question]);
				yield { kind: "ended", reason: "done" };
			};
		},
	});
	return { ...opened, run: async (q: string) => (await opened.list())[0]?.run({ q }, { signal }) };
}

test("a search uses the index, and a prompt the model, of the plugin's resource", async () => {
	const index = openReading(
		"[{ type: index, id: manuals, config: { sources: [docs/manuals], types: [Manual] } }]",
		'{ kind: retrieval, resource: manuals, query: "{{q}}", types: [Page] }',
		[],
	);
	assert.deepEqual(index.registry.problems, []);
	for (const q of ["lamp", "oil"]) await index.run(q);
	const [ofTheIndex, lamp] = index.asked;
	assert.partialDeepStrictEqual(ofTheIndex, { query: "Reads", sources: ["docs/manuals"], types: ["Manual"] });
	assert.partialDeepStrictEqual(lamp, { query: "lamp", sources: ["docs/manuals"], types: ["Page"] });
	assert.equal(index.asked.length, 3, "the index is checked once");
	const model = "[{ type: model, id: small, config: { name: tiny } }]";
	const prompt = '{ kind: prompt, resource: small, template: "Say {{q}}" }';
	const there = openReading(model, prompt, ["tiny"]);
	await there.run("hello");
	assert.deepEqual(there.asked, [["tiny", "Say hello"]]);
	const absent = openReading(model, prompt, ["any"]);
	const why =
		/resource small \(model\) of the plugin reads is not available: There is no language model tiny\./;
	await assert.rejects(absent.run("hello"), why);
	assert.deepEqual(absent.asked, []);
	const wrong = openReading(model, '{ kind: retrieval, resource: small, query: "{{q}}" }', []);
	assert.match(wrong.registry.problems.map(({ message }) => message).join(), /of the type index, not model/);
});
