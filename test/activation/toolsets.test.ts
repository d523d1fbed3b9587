import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createToolsets } from "../../src/activation/services.ts";
import type { ConsentState } from "../../src/core/plugin/plugin.ts";
import { assemble } from "../../src/plugins/manifest/assemble.ts";
import { createLivePlugins } from "../../src/vscode/plugins/livePlugins.ts";
import { createLiveTurns } from "../../src/vscode/turn/turnRecord.ts";
import { foundPlugin } from "../plugins/foundPlugin.ts";
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
	const consents = {
		consentStateOf: async (): Promise<ConsentState> => "agreed",
		agree: async () => undefined,
	};
	const plugins = createLivePlugins(files, consents);
	t.after(() => plugins.dispose());
	const worker = { agents: { rank: async () => [] } };
	const calls = {
		plugins,
		live: createLiveTurns(),
		knowledge: {},
		graph: {},
		memory: {},
		permissions: {},
		worker,
	};
	const { stepTools } = createToolsets(calls as never, async () => assert.fail("nobody runs a chain"));
	return (await stepTools("step")).map(({ name }) => name);
}

test("a step in our own loop may call our tools and the commands of plugins", async (t) => {
	const names = await namesForSteps(t);
	assert.ok(names.includes("run_with_orchestrator"));
	assert.deepEqual(names.slice(-2), ["evaluate_prompt", "plugin_lights_about"]);
});

test("in a folder that is not trusted, a step has no commands of plugins", async (t) => {
	workspace.isTrusted = false;
	t.after(() => {
		workspace.isTrusted = true;
	});
	const names = await namesForSteps(t);
	assert.equal(names.at(-1), "evaluate_prompt");
});
