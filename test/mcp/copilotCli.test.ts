import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { MCP_SERVER } from "../../src/core/agent/ourTools.ts";
import { createPermissions } from "../../src/permissions/openPermissions.ts";
import { formatMcpArguments } from "../../src/protocol/mcpOptions.ts";
import { MCP_CONFIGURATION_FORMATS } from "../../src/vscode/mcp/launch.ts";
import { writeIn } from "../acp/loads/writeIn.ts";
import { answerOf, askOn, type RealCli, type RunnerOptions, startRealCli } from "../acp/realCli.ts";
import type { ScriptedReply, SeenRequest } from "../acp/scriptedModelServer.ts";
import { serveEmbeddings } from "../embed/http/fakeEmbeddings.ts";
import { agreeToAll, exampleFiles, serveWeather } from "../plugins/examples.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { endpointSettings } from "../worker/embedding/embeddingWorker.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE } from "./mcpProgram.ts";

const SEARCH = { name: "copilot-ld-search_knowledge", input: { query: "When is the lamp lit?" } as object };

interface Asking {
	readonly calls?: readonly (typeof SEARCH)[];
	readonly mcpServers?: Parameters<RealCli["sessions"]["create"]>[0]["mcpServers"];
	/** That of the CLI's own servers. */
	readonly configuration?: unknown;
	readonly env?: NodeJS.ProcessEnv;
}

/** What the results of the calls were, and which of them the CLI asked about. */
async function askCli(t: TestContext, root: string, { calls = [SEARCH], ...given }: Asking) {
	const reply = ({ results }: SeenRequest): ScriptedReply => {
		const call = calls[results.length];
		return call ? { calls: [call] } : { text: [results.map((one) => JSON.stringify(one)).join("\n")] };
	};
	const cli = await startRealCli(t, reply, given.env, { hasHooks: false });
	const { configuration = {}, mcpServers = [] } = given;
	await writeIn(cli.env["COPILOT_HOME"] ?? "", "mcp-config.json", configuration);
	const session = await cli.sessions.create({ cwd: root, mcpServers });
	const asked: string[] = [];
	const answer: RunnerOptions["answer"] = ({ request }) => {
		asked.push(request.tool);
		return "once";
	};
	return { answer: answerOf(await askOn(cli, session, "When is it lit?", { answer })), asked };
}

test("the real Copilot CLI reads the configuration that is copied for it, and fills in the secrets", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const fake = await serveEmbeddings(t);
	const indexed = { workspaces: [workspace.root], data: join(workspace.dataFolder, "index"), excludes: [] };
	const args = formatMcpArguments({ ...endpointSettings(fake.endpoint), ...indexed, isTextOnly: true });
	const format = MCP_CONFIGURATION_FORMATS.find(({ id }) => id === "copilot-cli");
	const variables = [{ name: "COPILOT_LD_EMBEDDING_KEY", description: "API key" }];
	const configuration = format?.configure({ program: resolve(MCP_PROGRAM), args, variables });
	const env = { COPILOT_LD_EMBEDDING_KEY: "the-key" };
	const { answer } = await askCli(t, workspace.root, { configuration, env });
	assert.match(answer, /\[lighthouses\.md:3\].*lit at dusk/s);
	assert.deepEqual([...new Set(fake.asked.map(({ headers }) => headers.authorization))], ["Bearer the-key"]);
});

const PEOPLE = `@prefix s: <https://schema.org/> .
<https://example.org/anna> a s:Person ; s:name "Anna Holm" ; s:jobTitle "Keeper of the lamp" ; s:worksFor <https://example.org/skagen> .
<https://example.org/skagen> a s:Organization ; s:name "Skagen Light" .
`;

test("the real Copilot CLI runs the commands of the seed's example and of ours, over a graph and a server of this machine", async (t) => {
	const weather = await serveWeather(t);
	const workspace = await makeWorkspace(t, { "people.ttl": PEOPLE, ...exampleFiles(weather.host) });
	await agreeToAll(workspace);
	const folder = join(workspace.dataFolder, "permissions");
	const permissions = createPermissions({ folder, now: Date.now, managedRules: () => [], ignoreCase: false });
	await permissions.add({ effect: "allow", scope: "always", door: "mcp", tool: "weather:forecast" });
	const args = ["--workspace", workspace.root, "--data", workspace.dataFolder, "--text-only"];
	const program = { type: "stdio", command: process.execPath, tools: ["*"] };
	const { answer, asked } = await askCli(t, workspace.root, {
		configuration: { mcpServers: { [MCP_SERVER]: { ...program, args: [resolve(MCP_PROGRAM), ...args] } } },
		calls: [
			{ name: "copilot-ld-plugin_people_with_job", input: { word: "keeper", most: 3 } },
			{ name: "copilot-ld-plugin_people_about", input: { name: "Anna Holm" } },
			{ name: "copilot-ld-plugin_people_job_of", input: { name: "Anna Holm" } },
			{ name: "copilot-ld-plugin_weather_forecast", input: { place: "Gannet Rock" } },
			{ name: "copilot-ld-plugin_example_command_2", input: { param: "Who keeps the lamp?" } },
		],
	});
	const [withJob = "", about = "", jobOf = ""] = answer.split("\n");
	assert.match(withJob, /^"1 rows.*Anna Holm/);
	assert.match(about, /people\.ttl:2\].*Keeper of the lamp/);
	assert.match(jobOf, /Keeper of the lamp.*people\.ttl:2/);
	assert.match(answer, /sky.*clear/);
	assert.match(answer.split("\n").at(-1) ?? "", /Anna Holm/);
	assert.deepEqual(weather.seen, ["GET /forecast/Gannet%20Rock?days=1"]);
	assert.match(asked.join("\n"), /forecast/);
	assert.doesNotMatch(asked.join("\n"), /job_of|command_2/);
});
