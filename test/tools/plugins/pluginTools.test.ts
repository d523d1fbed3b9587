import assert from "node:assert/strict";
import { test } from "node:test";
import type { PermissionRule } from "../../../src/core/permission/permission.ts";
import { requestFor } from "../../../src/permissions/admission.ts";
import { verdictOf } from "../../../src/permissions/permissionRules.ts";
import { foundPlugin } from "../../plugins/example.ts";
import { pluginHead } from "../../support/pluginHead.ts";
import { openCommands, signal } from "./actingPlugin.ts";

const LIGHTS = `${pluginHead("lights", "title: Lights, description: Asks about lights., prompt: You keep lights.")}commands:
  - command_name: height_of
    description: How high a light is.
    parameter: { type: { name: { type: string, description: The light's name }, max: { type: int, required: false } } }
    response: { type: { height: { type: float } } }
    executor:
      kind: sparql
      query: 'SELECT ?height { ?light <urn:name> $name ; <urn:height> ?height . ?light a $type } LIMIT $max'
      limit: 7
  - command_name: about
    description: Passages about a light.
    parameter: { type: { name: { type: string } } }
    executor: { kind: retrieval, query: "light {{name}}", sources: [lights/], limit: 2 }
  - command_name: explain
    description: Explains a light.
    parameter: { type: { name: { type: string } } }
    executor: { kind: prompt, template: "Explain {{name}} in one sentence.", tools: [search_knowledge] }
config: { max: 5, type: Light }
`;

function open(text = LIGHTS, config = "") {
	const refusals: string[] = [];
	const runs: (readonly [string, string | undefined])[] = [];
	const kept = { isOld: false };
	const opened: ReturnType<typeof openCommands> = openCommands([foundPlugin("lights", text)], {
		config,
		openRunner: async () =>
			async function* (request) {
				opened.asked.push(request);
				yield { kind: "text", text: "It is high." };
				yield { kind: "ended", reason: "done" };
			},
		plugins: {
			registry: async () => (kept.isOld ? { plugins: [], problems: [] } : opened.registry),
			forget: () => {
				kept.isOld = false;
			},
			requireRun: () => {
				if (refusals.length > 0) throw new Error(refusals[0]);
			},
			onRun: (command: string, error: string | undefined) => void runs.push([command, error]),
		},
	});
	const command = async (name: string) =>
		(await opened.list()).find((tool) => tool.name === name) ?? assert.fail(name);
	return { ...opened, command, refusals, runs, kept };
}

test("a new command is found although the cached list lacks it", async () => {
	const { plugin, kept } = open();
	kept.isOld = true;
	const asked = { plugin: "lights", command: "height_of", param: { name: "x" } };
	const { text } = await plugin.run(asked, { signal });
	assert.equal(text, "true");
});

test("a saved query is a tool with bound parameters and configured values", async () => {
	const { asked, command, registry } = open();
	assert.deepEqual(registry.problems, []);
	const tool = await command("plugin_lights_height_of");
	assert.deepEqual(tool.inputSchema, {
		type: "object",
		properties: { name: { type: "string", description: "The light's name" }, max: { type: "integer" } },
		required: ["name"],
		additionalProperties: false,
	});
	assert.match(tool.description, /^How high a light is\.\nReturns: height \(float\)\.\nPart of: Asks/);
	const { text } = await tool.run({ name: 'the "Rock"' }, { signal });
	assert.equal(text, "true");
	for (const max of [2, "2"]) await tool.run({ name: "x", max }, { signal });
	const sparql = (name: string, max: number) =>
		`SELECT ?height { ?light <urn:name> ${name} ; <urn:height> ?height . ?light a "Light" } LIMIT ${max}`;
	assert.deepEqual(asked, [
		{ sparql: sparql('"the \\"Rock\\""', 5), limit: 7, door: "mcp" },
		{ sparql: sparql('"x"', 2), limit: 7, door: "mcp" },
		{ sparql: sparql('"x"', 2), limit: 7, door: "mcp" },
	]);
	for (const [input, words] of [
		[{}, /“name” is missing/],
		[{ name: 1 }, /“name” must be a text/],
		[{ name: "x", max: -1 }, /is a count/],
		[{ name: "x", max: "0x2" }, /“max” must be a whole number/],
		[{ name: "x", door: "chat" }, /There is no “door”. Available: name, max/],
		[{ name: "x", type: "y" }, /There is no “type”/],
		[[], /must be an object/],
	] as const)
		await assert.rejects(tool.run(input, { signal }), { name: "Failure", message: words });
	assert.equal(asked.length, 3);
});

test("a search and a prompt are tools with the file's limits, and failures are reported", async () => {
	const { asked, runs, command } = open();
	const about = await command("plugin_lights_about");
	await about.run({ name: "{{max}}" }, { signal });
	await assert.rejects(about.run({}, { signal }));
	assert.deepEqual(runs, [
		["lights:about", undefined],
		["lights:about", "Wrong input. “name” is missing."],
	]);
	const query = {
		query: "light {{max}}",
		limit: 2,
		door: "mcp",
		sources: ["lights/"],
		wantsAnswer: true,
		mostWords: 120,
	};
	assert.deepEqual(asked, [query]);
	const { text } = await (await command("plugin_lights_explain")).run({ name: "Rock" }, { signal });
	assert.equal(text, "It is high.");
	assert.deepEqual(asked[1], {
		question: "Explain Rock in one sentence.",
		history: [],
		attachments: [],
		agent: { name: "lights:explain", persona: "You keep lights.", tools: ["search_knowledge"] },
	});
});

test("one static tool lists and runs the commands; if nothing may run, it only lists", async () => {
	const { asked, plugin, refusals } = open();
	const { text } = await plugin.run({}, { signal });
	assert.match(text, /^lights:height_of\n.*[\s\S]*lights:about[\s\S]*lights:explain/);
	await plugin.run({ plugin: "lights", command: "about", param: { name: "Rock" } }, { signal });
	assert.equal(asked.length, 1);
	for (const input of [
		{ plugin: "lights", command: "none" },
		{ plugin: "lights_height", command: "of" },
		{ plugin: "", command: "" },
		{ plugin: "__proto__", command: "x" },
	])
		await assert.rejects(plugin.run(input, { signal }), /There is no command/);
	refusals.push("not trusted");
	await assert.rejects(plugin.run({ plugin: "lights", command: "about", param: {} }, { signal }), /trusted/);
	assert.match((await plugin.run({ plugin: "lights" }, { signal })).text, /lights:about/);
	assert.match((await plugin.run({ plugin: "other" }, { signal })).text, /No plugin/);
});

const rule = (tool: string, effect: "allow" | "ask" | "deny"): PermissionRule => ({
	...{ id: tool, effect, scope: "always", tool, origin: "person", createdAt: 0 },
});

test("rules match a command by its own name and by the name of the tool that it uses", async () => {
	const { plugin, command } = open();
	const input = { plugin: "lights", command: "height_of", param: { name: "x" } };
	const from = { door: "tools", workspace: "" } as const;
	const viaStatic = await requestFor(plugin, input, from);
	const direct = await requestFor(await command("plugin_lights_height_of"), { name: "x" }, from);
	for (const request of [viaStatic, direct]) {
		assert.deepEqual([request.tool, request.mutates], ["lights:height_of", false]);
		const says = (...rules: PermissionRule[]) => verdictOf(request, rules, { ignoreCase: false }).effect;
		assert.equal(says(), "allow");
		assert.equal(says(rule("lights:*", "deny")), "deny");
		assert.equal(says(rule("query_graph", "deny")), "deny");
		assert.equal(says(rule("query_graph", "deny"), rule("lights:height_of", "allow")), "deny");
		assert.equal(says(rule("plugin_lights_height_of", "ask")), "ask");
		assert.equal(says(rule("lights:height_of", "ask"), rule("query_graph", "allow")), "ask");
		assert.equal(says(rule("lights:about", "deny"), rule("search_knowledge", "deny")), "allow");
	}
	assert.equal(verdictOf(viaStatic, [rule("plugin", "deny")], { ignoreCase: false }).effect, "deny");
	const none = { ...input, command: "none" };
	await assert.rejects(async () => requestFor(plugin, none, from), /There is no command/);
});
