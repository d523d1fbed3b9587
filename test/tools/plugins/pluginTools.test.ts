import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentRequest } from "../../../src/core/agent/agentEvent.ts";
import type { RunnerWish, ToolContext } from "../../../src/core/agent/tool.ts";
import type { PermissionRule } from "../../../src/core/permission/permission.ts";
import { requestFor } from "../../../src/permissions/admission.ts";
import { verdictOf } from "../../../src/permissions/permissionRules.ts";
import { readManifest } from "../../../src/plugins/manifest/readManifest.ts";
import { foundPlugin } from "../../plugins/example.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { oneRule } from "../../support/fakePermissions.ts";
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

test("a new plugin command is found although the cached list lacks the command", async () => {
	const { plugin, kept } = open();
	kept.isOld = true;
	const asked = { plugin: "lights", command: "height_of", param: { name: "x" } };
	assert.equal((await plugin.run(asked, { signal })).text, "true");
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
	const queries = [sparql('"the \\"Rock\\""', 5), sparql('"x"', 2), sparql('"x"', 2)];
	const calls = queries.map((query) => ({ sparql: query, limit: 7, channel: "mcp" }));
	assert.deepEqual(asked, calls);
	for (const [input, words] of [
		[{}, /“name” is missing/],
		[{ name: 1 }, /“name” must be a text/],
		[{ name: "x", max: -1 }, /is a count/],
		[{ name: "x", max: "0x2" }, /“max” must be a whole number/],
		[{ name: "x", channel: "chat" }, /There is no “channel”. Available: name, max/],
		[{ name: "x", type: "y" }, /There is no “type”/],
		[[], /must be an object/],
	] as const)
		await assert.rejects(tool.run(input, { signal }), { name: "Failure", message: words });
	assert.equal(asked.length, 3);
});

test("a search and a prompt are tools with the limits of the plugin's file, and failures are reported", async () => {
	const { asked, runs, command } = open();
	const about = await command("plugin_lights_about");
	await about.run({ name: "{{max}}" }, { signal });
	await assert.rejects(about.run({}, { signal }));
	assert.deepEqual(runs, [
		["lights:about", undefined],
		["lights:about", "Wrong input. “name” is missing."],
	]);
	const query = { query: "light {{max}}", limit: 2, sources: ["lights/"], mostWords: 120 };
	assert.deepEqual(asked, [{ ...query, channel: "mcp", wantsAnswer: true }]);
	const { text } = await (await command("plugin_lights_explain")).run({ name: "Rock" }, { signal });
	assert.equal(text, "It is high.");
	assert.deepEqual(asked[1], {
		question: "Explain Rock in one sentence.",
		history: [],
		attachments: [],
		agent: { name: "lights:explain", persona: "You keep lights.", tools: ["search_knowledge"] },
	});
});

test("the tool `plugin` lists and runs all commands, and still lists commands that may not run", async () => {
	const { asked, plugin, refusals } = open();
	const { text } = await plugin.run({}, { signal });
	assert.match(text, /^lights:height_of\n.*[\s\S]*lights:about[\s\S]*lights:explain/);
	await plugin.run({ plugin: "lights", command: "about", param: { name: "Rock" } }, { signal });
	assert.equal(asked.length, 1);
	const unknown = { lights: "none", lights_height: "of", "": "", constructor: "x" };
	for (const [name, command] of Object.entries(unknown))
		await assert.rejects(plugin.run({ plugin: name, command }, { signal }), /There is no command/);
	refusals.push("not trusted");
	await assert.rejects(plugin.run({ plugin: "lights", command: "about", param: {} }, { signal }), /trusted/);
	assert.match((await plugin.run({ plugin: "lights" }, { signal })).text, /lights:about/);
	assert.match((await plugin.run({ plugin: "other" }, { signal })).text, /No plugin/);
});

const rule = (tool: string, effect: PermissionRule["effect"]) => oneRule(tool, { tool, effect });

test("rules match a command by name and by the tool that the command uses", async () => {
	const { plugin, command } = open();
	const input = { plugin: "lights", command: "height_of", param: { name: "x" } };
	const from = { channel: "tools", workspace: "" } as const;
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

const IS_THERE = `${pluginHead("lights", "title: Lights, description: Asks about lights.")}commands:
  - command_name: is_there
    description: Whether there is a light.
    parameter: { type: { name: { type: string } } }
    executor: { kind: sparql, query: "ASK { ?light <urn:name> $name }" }
`;

function copilot(name: string, plugins: readonly string[]): string {
	return `${pluginHead(name, `title: ${name}, description: Knows lights., prompt: You keep ${name}.`, "copilot")}plugins: ${JSON.stringify(plugins)}
`;
}

function openCopilots(texts: Readonly<Record<string, string>>) {
	const asked: AgentRequest[] = [];
	const said: string[] = [];
	const openRunner = async (context: ToolContext, { commands = [] }: RunnerWish = {}) =>
		async function* (request: AgentRequest) {
			asked.push(request);
			for (const tool of commands) {
				const now = (await tool.pinned?.({}, context.signal)) ?? tool;
				const input = tool.name.endsWith("_ask") ? { question: "And you?" } : { name: "x" };
				// Like a real loop, reports failed calls to the model, and passes on only the signal.
				const result = now.run(input, { signal });
				said.push(await result.then(({ text }) => text).catch(({ message }) => message));
			}
			yield { kind: "text", text: "So it is." } as const;
			yield { kind: "ended", reason: "done" } as const;
		};
	const files = Object.entries(texts).map(([name, text]) => {
		const [copilotName = "", inner] = name.split("-");
		const folder = inner ? `${copilotName}/plugins/${inner}` : name;
		const uri = `file:///kb/.copilot-ld/plugins/${folder}/plugin.yaml`;
		const outer = { name: copilotName, hosts: [], resources: [] };
		const where = { uri, name, ...(inner && { outer }) };
		return { ...readManifest(text, where), source: { uri, level: "workspace" } as const };
	});
	return { ...openCommands(files, { openRunner }), asked, said };
}

test("a copilot is a single tool whose model has the commands of the named plugins", async () => {
	const { asked, said, registry, list } = openCopilots({
		keeper: copilot("keeper", ["lights"]),
		lights: IS_THERE,
		other: IS_THERE.replace("artifact_id: lights", "artifact_id: other"),
	});
	assert.deepEqual(registry.problems, []);
	const keeper = (await list()).find(({ name }) => name === "plugin_keeper_ask");
	assert.equal(keeper?.isReadOnly, false);
	assert.equal((await keeper?.run({ question: "How high?" }, { signal }))?.text, "So it is.");
	assert.deepEqual(said, ["true"]);
	assert.deepEqual(asked[0]?.agent, {
		name: "keeper:ask",
		persona: "You keep keeper.",
		tools: [
			...["search_knowledge", "read_resource", "query_graph", "describe_ontology"],
			"plugin_lights_is_there",
		],
	});
});

test("a copilot gets an error instead of an answer from a circular or too deeply nested copilot", async () => {
	const circle = openCopilots({ a: copilot("a", ["b"]), b: copilot("b", ["a"]) });
	const [a] = await circle.list();
	await a?.run({ question: "?" }, { signal });
	assert.deepEqual(circle.said, [
		"a, which asks b, which asks a: it would ask itself without end. Go on without it.",
		"So it is.",
	]);
	const deep = openCopilots({
		...{ a: copilot("a", ["b"]), b: copilot("b", ["c"]), c: copilot("c", ["d"]), d: copilot("d", []) },
	});
	await (await deep.list())[0]?.run({ question: "?" }, { signal });
	assert.match(deep.said[0] ?? "", /^a, which asks b, which asks c, which asks d: .* 3 deep/);
	assert.equal(deep.asked.length, 3);
});

test("an invalid field of a copilot is reported at its line", () => {
	for (const [text, problem] of [
		[copilot("a", ["a"]), "7 error: A copilot cannot be one of its own plugins"],
		[copilot("a", ["none"]), "7 warning: There is no plugin “none”"],
		[`${copilot("a", [])}commands: []\n`, "8 error: A copilot is a single tool and has no commands"],
		[`${IS_THERE}plugins: [b]\n`, "12 error: Only a copilot can have plugins of its own"],
	] as const) {
		const { problems } = openCopilots({ a: text }).registry;
		const all = problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`);
		assert.ok(all.join().startsWith(problem), all.join());
	}
});

test("the plugins in a copilot's folder can be called only by that copilot", async () => {
	const { said, asked, registry, list } = openCopilots({
		keeper: copilot("keeper", []),
		"keeper-lights": IS_THERE,
		other: copilot("other", ["keeper-lights"]),
	});
	assertMapped(registry.problems, ({ message }) => message, [
		"There is no plugin “keeper-lights”, or it has errors. The copilot works without it.",
	]);
	const offered = await list();
	assertMapped(offered, ({ name }) => name, ["plugin_keeper_ask", "plugin_other_ask"]);
	await offered[0]?.run({ question: "?" }, { signal });
	assert.deepEqual(said, ["true"]);
	assert.ok(asked[0]?.agent?.tools?.includes("plugin_keeper-lights_is_there"));
	await offered[1]?.run({ question: "?" }, { signal });
	assert.equal(said.length, 1);
});
