import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentRequest } from "../../../src/core/agent/agentEvent.ts";
import type { RunnerWish, ToolContext } from "../../../src/core/agent/tool.ts";
import { readManifest } from "../../../src/plugins/manifest/readManifest.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { pluginHead } from "../../support/pluginHead.ts";
import { openCommands, signal } from "./actingPlugin.ts";

const LIGHTS = `${pluginHead("lights", "title: Lights, description: Asks about lights.")}commands:
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

test("a copilot is one tool whose model has the commands of the named plugins", async () => {
	const { asked, said, registry, list } = openCopilots({
		keeper: copilot("keeper", ["lights"]),
		lights: LIGHTS,
		other: LIGHTS.replace("artifact_id: lights", "artifact_id: other"),
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

test("copilots in a circle or nested too deeply get an error and continue", async () => {
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

test("invalid fields of a copilot are reported at their lines", () => {
	for (const [text, problem] of [
		[copilot("a", ["a"]), "7 error: A copilot cannot be one of its own plugins"],
		[copilot("a", ["none"]), "7 warning: There is no plugin “none”"],
		[`${copilot("a", [])}commands: []\n`, "8 error: A copilot is a single tool and has no commands"],
		[`${LIGHTS}plugins: [b]\n`, "12 error: Only a copilot can have plugins of its own"],
	] as const) {
		const { problems } = openCopilots({ a: text }).registry;
		const all = problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`);
		assert.ok(all.join().startsWith(problem), all.join());
	}
});

test("only the copilot can call the plugins in its folder", async () => {
	const { said, asked, registry, list } = openCopilots({
		keeper: copilot("keeper", []),
		"keeper-lights": LIGHTS,
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
