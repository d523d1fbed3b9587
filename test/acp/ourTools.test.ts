import assert from "node:assert/strict";
import { test } from "node:test";
import { createCallsAtWork } from "../../src/base/jobs/callsAtWork.ts";
import { MCP_SERVER } from "../../src/core/agent/ourTools.ts";
import type { KnowledgeGraph } from "../../src/core/knowledge/graph.ts";
import type { Knowledge } from "../../src/core/knowledge/knowledge.ts";
import { openCliTools } from "../../src/mcp/endpoint/cliTools.ts";
import { createConsents } from "../../src/permissions/consents.ts";
import { assemble } from "../../src/plugins/manifest/assemble.ts";
import { createCommandTools } from "../../src/tools/toolset.ts";
import { openEndpoint } from "../mcp/endpoint/openEndpoint.ts";
import { foundPlugin } from "../plugins/example.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { wholeFile } from "../support/wholeFile.ts";
import { answerOf, askOn, type RunnerOptions, startRealCli } from "./realCli.ts";
import type { ScriptedReply, SeenRequest } from "./scriptedModelServer.ts";

function reply({ question, results }: SeenRequest): ScriptedReply {
	if (results.length > 0) return { text: [`It said: ${results.join(" | ")}`] };
	const [, name] = /Call (\w+)/.exec(question) ?? [];
	if (name === undefined) return { text: ["All well."] };
	return { calls: [{ name: `${MCP_SERVER}-${name}`, input: INPUTS[name] ?? {} }] };
}

const INPUTS: Readonly<Record<string, object>> = {
	plugin_lights_find: { name: "Rock" },
	plugin_lights_go: { words: "a; b" },
};

const cli = await startRealCli(wholeFile(), reply);

const LIGHTS = `commands:
  - { name: find, parameters: { name: string }, query: "ASK { ?light <urn:name> $name }" }
  - { name: go, parameters: { words: string }, run: "node -p process.argv.length {{words}}" }
`;

test("plugin commands are tools of the CLI; a step gets only the commands that its agent names", async (t) => {
	const permissions = createFakePermissions();
	const shown: string[] = [];
	const registry = assemble([foundPlugin("lights", LIGHTS)], []);
	const graph = {
		query: async () => ({ answer: { kind: "boolean", value: true }, sources: [], notices: [] }),
		check: async () => [],
	} as unknown as KnowledgeGraph;
	const placeOf = () => ({ folder: cli.work, own: cli.work });
	const calls = createCallsAtWork();
	const plugins = { registry: async () => registry, requireRun: () => undefined, placeOf, calls };
	const knowledge = {} as Knowledge;
	const endpoint = openCliTools({
		...{ version: "1", permissions, consents: createConsents(), workspace: () => "", tools: () => [] },
		ask: async ({ request }) => {
			shown.push(request.title);
			return { kind: "once" };
		},
		commands: () => createCommandTools({ knowledge, graph, plugins, channel: "cli" }).list,
		onError: assert.fail,
	});
	t.after(() => endpoint.close());
	const asked: string[] = [];
	const answer: RunnerOptions["answer"] = ({ request: { tool } }) => {
		asked.push(tool);
		return "once";
	};
	const mcpServers = await endpoint.access("chat-2");
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers });
	const options = { permissions, chat: "chat-2", answer };
	const ask = async (tool: string) => answerOf(await askOn(cli, session, `Call ${tool}`, options));
	assert.match(await ask("plugin_lights_find"), /It said: true/);
	assert.deepEqual([asked, shown], [[], []]);
	assert.match(await ask("plugin_lights_go"), /It said: 2/);
	const title = "lights:go: Run the program “node -p process.argv.length 'a; b'”";
	assert.deepEqual([asked, shown], [["lights:go"], [title]]);
	const names = ["copilot-ld-plugin_lights_go", "copilot-ld-plugin_lights_g", "x-plugin_lights_go"];
	assert.deepEqual(names.map(session.hasCommand), [true, false, false]);

	const limits = { depth: 1, tokens: 1, time: 1, concurrency: 1 };
	const scope = { limits, tools: ["view", "copilot-ld/plugin_lights_find"] };
	const step = { chain: "chain", agent: "reader", scope };
	const own = await cli.sessions.create({ cwd: cli.work, mcpServers: await endpoint.access("step-1", step) });
	await askOn(cli, own, "Call plugin_lights_find", { permissions });
	const offered = cli.model.requests.at(-1)?.tools.filter((name) => name.startsWith(MCP_SERVER));
	assert.deepEqual(offered, ["copilot-ld-plugin_lights_find"]);
});

test("a token for our tools is revoked when its CLI session ends or fails to open", async (t) => {
	const { endpoint, url } = await openEndpoint(t, () => []);
	const settingFor = (owner: string) => {
		const token = endpoint.tokenFor(owner);
		const server = { name: MCP_SERVER, url, token, end: () => endpoint.end(token) };
		return { token, setting: { cwd: cli.work, mcpServers: [server], owner } };
	};
	/** Whether the endpoint accepts a token, tested by a request without effect. */
	const holds = async (token: string) => {
		const headers = { authorization: `Bearer ${token}` };
		return (await fetch(url, { method: "DELETE", headers })).status !== 401;
	};

	const first = settingFor("anna");
	const session = await cli.sessions.create(first.setting);
	await askOn(cli, session, "Hello");
	const load = async (owner: string, id = session.id) => {
		const { token, setting } = settingFor(owner);
		return { token, loaded: await cli.sessions.load(id, setting).catch(() => undefined) };
	};
	const again = await load("anna");
	assert.equal(again.loaded, session);
	assert.deepEqual([await holds(first.token), await holds(again.token)], [true, false]);
	const other = await load("bo");
	assert.ok(other.loaded);
	assert.deepEqual([await holds(first.token), await holds(other.token)], [false, true]);
	assert.equal(answerOf(await askOn(cli, other.loaded, "And now?")), "All well.");
	await cli.client.stop();
	const missing = await load("carl", "00000000-0000-4000-8000-000000000000");
	assert.deepEqual(
		[await holds(other.token), missing.loaded, await holds(missing.token)],
		[false, undefined, false],
	);
	const last = await load("bo");
	assert.equal(await holds(last.token), true);
	await cli.sessions.delete(session.id);
	assert.equal(await holds(last.token), false);
});
