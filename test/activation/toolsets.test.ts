import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createToolsets } from "../../src/activation/services.ts";
import { assemble } from "../../src/plugins/manifest/assemble.ts";
import { createLivePlugins } from "../../src/vscode/plugins/livePlugins.ts";
import { createLiveTurns } from "../../src/vscode/turn/turnRecord.ts";
import { foundPlugin } from "../plugins/example.ts";
import { workspace } from "../support/fakeVscode.ts";
import { pluginHead } from "../support/pluginHead.ts";

const LIGHTS = `${pluginHead("lights", "title: Lights, description: Asks about lights.")}commands:
  - command_name: about
    description: Passages about a light.
    parameter: { type: { name: { type: string } } }
    executor: { kind: retrieval, query: "light {{name}}" }
`;

async function namesForSteps(t: TestContext): Promise<readonly string[]> {
	const registry = assemble([foundPlugin("lights", LIGHTS)], []);
	const files = { registry: async () => registry, watch: async () => undefined };
	const agreed = async () => "agreed" as const;
	const plugins = createLivePlugins(files, { consentStateOf: agreed, agree: async () => undefined });
	t.after(() => plugins.dispose());
	const ports = { knowledge: {}, graph: {}, memory: {}, permissions: {} };
	const worker = { agents: { rank: async () => [] } };
	const calls = { ...ports, plugins, worker, live: createLiveTurns() };
	const { stepTools } = createToolsets(calls as never, async () => assert.fail("nobody runs a chain"));
	return (await stepTools("step")).map(({ name }) => name);
}

test("a step on a VS Code model can call our tools and, in a trusted folder, commands of plugins", async (t) => {
	const names = await namesForSteps(t);
	assert.ok(names.includes("run_with_orchestrator"));
	assert.deepEqual(names.slice(-2), ["evaluate_prompt", "plugin_lights_about"]);
	t.after(() => Object.assign(workspace, { isTrusted: true }));
	workspace.isTrusted = false;
	assert.deepEqual(await namesForSteps(t), names.slice(0, -1));
});
