import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { createCallsAtWork } from "../../../src/base/jobs/callsAtWork.ts";
import { workPlaceOf } from "../../../src/base/program/runProgram.ts";
import type { Channel } from "../../../src/core/permission/permission.ts";
import type { PluginRegistry } from "../../../src/core/plugin/plugin.ts";
import type { Orchestrator } from "../../../src/orchestrator/orchestrator.ts";
import { requestFor } from "../../../src/permissions/admission.ts";
import { assemble, type FoundManifest } from "../../../src/plugins/manifest/assemble.ts";
import { readConfigFile } from "../../../src/plugins/manifest/configFile.ts";
import { readManifest } from "../../../src/plugins/manifest/readManifest.ts";
import { createResources, createStartResource } from "../../../src/plugins/resources/resources.ts";
import type { HostActions } from "../../../src/tools/plugins/doDeed.ts";
import type { PluginPlace } from "../../../src/tools/plugins/pluginTools.ts";
import { createCommandTools, createToolset } from "../../../src/tools/toolset.ts";
import { makeFolder } from "../../support/folder.ts";
import { pluginHead } from "../../support/pluginHead.ts";

export const signal = new AbortController().signal;

interface Written {
	readonly executor: string;
	readonly parameters?: string;
	readonly hosts?: readonly string[];
	readonly config?: string;
}

export async function openActing(
	t: TestContext,
	written: Written,
	host?: HostActions,
	orchestrator?: Orchestrator,
) {
	const folder = await makeFolder(t);
	const own = join(folder, ".copilot-ld/plugins/acts");
	await mkdir(own, { recursive: true });
	const uri = pathToFileURL(join(own, "plugin.yaml")).href;
	let registry = registryOf(written, uri);
	assert.deepEqual(registry.problems, []);
	const never = () => assert.fail("our own tools are not asked");
	const place = () => workPlaceOf(uri, [folder]);
	const plugins = { ...placeOver(() => registry, place), ...(host && { host }) };
	const knowledge = { search: never, read: never, query: never, check: never, ontology: never } as never;
	const orchestrated = orchestrator && { orchestrator };
	const deps = { knowledge, graph: knowledge, channel: "mcp", plugins, ...orchestrated } as const;
	const [tool] = await createCommandTools(deps).list(signal);
	const plugin = createToolset(deps).find(({ name }) => name === "plugin");
	assert.ok(tool && plugin);
	const change = (now: Written) => {
		registry = registryOf(now, uri);
	};
	const run = async (input: object = {}) => (await tool.run(input, { signal })).text;
	const request = (input: object, channel: Channel = "mcp") =>
		requestFor(tool, input, { channel, workspace: "file:///kb" });
	return { folder, own, tool, plugin, run, change, request };
}

/** The place of commands that need no consent. */
function placeOver(registry: () => PluginRegistry, placeOf: PluginPlace["placeOf"] = () => undefined) {
	const work = { placeOf, calls: createCallsAtWork() };
	const resources = createResources(createStartResource(placeOf));
	return { registry: async () => registry(), requireRun: () => undefined, ...work, resources };
}

interface Commands {
	/** Text of the configuration file of the plugins. */
	readonly config?: string;
	readonly openRunner?: Parameters<typeof createCommandTools>[0]["openRunner"];
	/** Overrides of `placeOver`. */
	readonly plugins?: object;
}

/** Commands of plugins over empty knowledge; also returns the queries. */
export function openCommands(
	found: readonly FoundManifest[],
	{ config = "", openRunner, plugins = {} }: Commands = {},
) {
	const asked: unknown[] = [];
	const registry = assemble(found, [readConfigFile(config, { uri: "file:///c", level: "user" })]);
	const search = async (query: object) => {
		asked.push(query);
		return { hits: [], total: 0, truncated: false, notices: [] };
	};
	const query = async ({ sparql, limit, channel }: Readonly<Record<string, unknown>>) => {
		asked.push({ sparql, limit, channel });
		return { answer: { kind: "boolean", value: true }, sources: [], notices: [] };
	};
	const graph = { check: async () => [], query };
	const place = { ...placeOver(() => registry), ...plugins };
	const deps = { knowledge: { search }, graph, plugins: place, channel: "mcp", openRunner } as never;
	const plugin = createToolset(deps).find(({ name }) => name === "plugin") ?? assert.fail();
	return { asked, registry, plugin, list: () => createCommandTools(deps).list(signal) };
}

function registryOf({ executor, parameters = "{}", hosts = [], config = "{}" }: Written, uri: string) {
	const text = `${pluginHead("acts", "title: Acts, description: Acts.")}hosts: ${JSON.stringify(hosts)}
commands:
  - { command_name: go, description: Goes., parameter: { type: ${parameters} }, executor: ${executor} }
config: ${config}
`;
	const source = { uri, level: "workspace" } as const;
	return assemble([{ ...readManifest(text, { uri, name: "acts" }), source }], []);
}
