import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createCallsAtWork } from "../../src/base/jobs/callsAtWork.ts";
import type { KnowledgeGraph } from "../../src/core/knowledge/graph.ts";
import type { Knowledge } from "../../src/core/knowledge/knowledge.ts";
import { createQueryTool } from "../../src/tools/knowledge/graphTools.ts";
import { createCommandTools } from "../../src/tools/toolset.ts";
import { createPluginFiles } from "../../src/worker/plugins/pluginFiles.ts";
import type { PluginsMeasurement } from "./measurement.ts";
import { reportToParent } from "./program.ts";
import { latencyOf, timed } from "./timing.ts";

const COUNT = 100;
const ROUNDS = 20;
const CALLS = 500;

const never = new AbortController().signal;

/** Finds, reads and checks plugin files, each time as in a new process; then calls a command and its query. */
async function measurePlugins(): Promise<PluginsMeasurement> {
	const home = await mkdtemp(join(tmpdir(), "bench-"));
	try {
		await writePlugins(home);
		const first = await timed(() => pluginsIn(home));
		const times: number[] = [];
		const again: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const files = openFiles(home);
			times.push((await timed(() => files.registry(never))).ms);
			again.push((await timed(() => files.registry(never))).ms);
		}
		const load = { load: latencyOf(times), again: latencyOf(again) };
		return { count: COUNT, firstMs: first.ms, ...load, call: await measureCalls(first.result) };
	} finally {
		await rm(home, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** Measures the overhead of a command over the tool that runs its query. */
async function measureCalls(registry: Awaited<ReturnType<typeof pluginsIn>>) {
	const graph = {
		query: async () => ({ answer: { kind: "boolean", value: true }, sources: [], notices: [] }),
		check: async () => [],
	} as unknown as KnowledgeGraph;
	const plugins = {
		registry: async () => registry,
		requireRun: () => undefined,
		placeOf: () => undefined,
		calls: createCallsAtWork(),
	};
	const tools = createCommandTools({ knowledge: {} as Knowledge, graph, plugins, channel: "tools" });
	const own = createQueryTool(graph, "tools");
	const over: number[] = [];
	for (let index = 0; index < CALLS; index++) {
		const name = `Light ${index} of the isles`;
		const call = async () => {
			const found = (await tools.list(never)).find((tool) => tool.name === "plugin_p7_find");
			await found?.permission?.({ name });
			await found?.run({ name }, { signal: never });
		};
		const bare = await timed(() => own.run({ sparql: queryFor(`"${name}"`) }, { signal: never }));
		over.push(Math.max(0, (await timed(call)).ms - bare.ms));
	}
	return latencyOf(over);
}

function openFiles(home: string) {
	const folders = [{ uri: pathToFileURL(home).href, name: "home" }];
	return createPluginFiles({ folders, home: join(home, "person") });
}

async function pluginsIn(home: string) {
	const registry = await openFiles(home).registry(never);
	if (registry.plugins.length === COUNT && registry.problems.length === 0) return registry;
	throw new Error(`${registry.plugins.length} plugins, ${registry.problems[0]?.message}`);
}

async function writePlugins(home: string): Promise<void> {
	for (let index = 0; index < COUNT; index++) {
		const folder = join(home, ".copilot-ld/plugins", `p${index}`);
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, "plugin.yaml"), fileOf(index));
	}
}

function queryFor(name: string): string {
	return `PREFIX schema: <https://schema.org/> SELECT ?light ?height { ?light a schema:Place ; schema:name ${name} ; schema:height ?height } LIMIT 20`;
}

function fileOf(index: number): string {
	return `group_id: org.example
artifact_id: lights-${index}
version: 1.0.0
type: plugin
as_plugin: true
info:
  title: Lights ${index}
  description: Asks about the lights of district ${index}.
commands:
  - command_name: find
    description: The light with a name, and its height.
    parameter: { type: { name: { type: string, description: The full name, example: Gannet Rock Light } } }
    response: { type: { light: { type: iri }, height: { type: float, optional: true } } }
    executor:
      kind: sparql
      query: ${JSON.stringify(queryFor("$name"))}
  - command_name: about
    description: Passages about a light.
    parameter:
      type:
        name: { type: string, description: The full name }
        kinds: { type: "List[string]", required: false }
    executor: { kind: retrieval, query: "light {{name}} {{kinds}}", limit: 5, sources: [lights/] }
config: { kinds: [] }
`;
}

await reportToParent(measurePlugins());
