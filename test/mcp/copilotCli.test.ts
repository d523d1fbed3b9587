import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import type { UserQuestion } from "../../src/core/agent/userQuestion.ts";
import { createPermissions } from "../../src/permissions/openPermissions.ts";
import { formatMcpArguments } from "../../src/protocol/mcpOptions.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { createAskUserTool } from "../../src/tools/questions/askUser.ts";
import { createToolset } from "../../src/tools/toolset.ts";
import { MCP_CONFIGURATION_FORMATS } from "../../src/vscode/mcp/launch.ts";
import { startModelServer } from "../acp/scriptedModelServer.ts";
import { serveEmbeddings } from "../embed/http/fakeEmbeddings.ts";
import { agreeToAll, exampleFiles, serveWeather } from "../plugins/examples.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { endpointSettings } from "../worker/embedding/embeddingWorker.ts";
import { never, startIn, unheard } from "../worker/workerProcess.ts";
import { makeWorkspace, type Workspace } from "../worker/workspace.ts";
import { openEndpoint } from "./endpoint/openEndpoint.ts";
import { LIGHTHOUSE } from "./mcpProgram.ts";

const CLI = join(
	dirname(createRequire(import.meta.url).resolve("@github/copilot/package.json")),
	"npm-loader.js",
);

const SEARCH = { name: "copilot-ld-search_knowledge", input: { query: "When is the lamp lit?" } as object };

const PROMPT = [{ type: "text", text: "When is the lamp lit?" }];

function allowing(
	{
		toolCall,
		options,
	}: { readonly toolCall: object; readonly options: readonly { readonly optionId: string }[] },
	asked: string[] | undefined,
): object {
	assert.ok(asked, "A tool that only reads needs no permission.");
	asked.push(JSON.stringify(toolCall));
	return { outcome: { outcome: "selected", optionId: options[0]?.optionId } };
}

function wordsIn(params?: {
	readonly update?: { readonly sessionUpdate: string; readonly content: { text: string } };
}) {
	const { sessionUpdate, content } = params?.update ?? {};
	return sessionUpdate === "agent_message_chunk" && content ? content.text : "";
}

async function askCli(
	t: TestContext,
	{ root, dataFolder }: Workspace,
	{
		home = join(dataFolder, "cli"),
		mcpServers = [] as readonly object[],
		calls = [SEARCH],
		env = {},
		asked = undefined as string[] | undefined,
	},
): Promise<string> {
	const model = await startModelServer(t, ({ results }) => {
		const call = calls[results.length];
		return call ? { calls: [call] } : { text: [results.map((one) => JSON.stringify(one)).join("\n")] };
	});
	const child = spawn(process.execPath, [CLI, "--acp", "--stdio"], {
		stdio: ["pipe", "pipe", "ignore"],
		env: {
			PATH: dirname(process.execPath),
			HOME: home,
			COPILOT_HOME: home,
			...model.env,
			...env,
		},
	});
	t.after(() => child.kill("SIGKILL"));
	const send = (id: number, method: string, params: object) =>
		child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
	const reply = (id: number, result: object) =>
		child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
	const next: Readonly<Record<number, (result: { sessionId: string }) => void>> = {
		1: () => send(2, "session/new", { cwd: root, mcpServers }),
		2: ({ sessionId }) => send(3, "session/prompt", { sessionId, prompt: PROMPT }),
	};
	send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
	let answer = "";
	for await (const line of createInterface({ input: child.stdout })) {
		const { id: own, method, params, result, error } = JSON.parse(line);
		assert.equal(error, undefined);
		const id = method === undefined ? own : undefined;
		if (method === "session/request_permission") reply(own, allowing(params, asked));
		answer += wordsIn(params);
		next[id]?.(result);
		if (id === 3) break;
	}
	const exited = once(child, "exit");
	child.kill();
	await exited;
	return answer;
}

test("the real Copilot CLI searches over HTTP, with the token of its session", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const { knowledge, connection } = await startIn(t, workspace);
	await knowledge.index({ rebuild: false }, unheard, never);
	const tools = createToolset({ knowledge, graph: createPortsClient(connection).graph, door: "cli" });
	const { endpoint, url } = await openEndpoint(t, () => tools);
	const headers = [{ name: "Authorization", value: `Bearer ${endpoint.tokenFor("one")}` }];
	const mcpServers = [{ type: "http", name: "copilot-ld", url, headers }];
	assert.match(await askCli(t, workspace, { mcpServers }), /\[lighthouses\.md:3\].*lit at dusk/s);
});

test("the real Copilot CLI asks the person, without asking first whether it may", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const asked: UserQuestion[] = [];
	const tool = createAskUserTool(async (question) => {
		asked.push(question);
		return "The white one";
	});
	const { endpoint, url } = await openEndpoint(t, () => [tool]);
	const headers = [{ name: "Authorization", value: `Bearer ${endpoint.tokenFor("one")}` }];
	const answer = await askCli(t, workspace, {
		mcpServers: [{ type: "http", name: "copilot-ld", url, headers }],
		calls: [{ name: "copilot-ld-ask_user", input: { question: "Which lamp?" } }],
	});
	assert.deepEqual(asked, [{ question: "Which lamp?", choices: [], allowFreeform: true }]);
	assert.match(answer, /The user answered: The white one/);
});

test("the real Copilot CLI reads the configuration that is copied for it, and fills in the secrets", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const home = join(workspace.dataFolder, "cli");
	const fake = await serveEmbeddings(t);
	const args = formatMcpArguments({
		...endpointSettings(fake.endpoint),
		workspaces: [workspace.root],
		data: join(workspace.dataFolder, "index"),
		excludes: [],
		isTextOnly: true,
	});
	const format = MCP_CONFIGURATION_FORMATS.find(({ id }) => id === "copilot-cli");
	const variables = [{ name: "COPILOT_LD_EMBEDDING_KEY", description: "API key" }];
	const configuration = format?.configure({ program: resolve(MCP_PROGRAM), args, variables });
	await mkdir(home, { recursive: true });
	await writeFile(join(home, "mcp-config.json"), JSON.stringify(configuration));
	const answer = await askCli(t, workspace, { home, env: { COPILOT_LD_EMBEDDING_KEY: "the-key" } });
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
	const home = join(workspace.dataFolder, "cli");
	const folder = join(workspace.dataFolder, "permissions");
	const permissions = createPermissions({ folder, now: Date.now, managedRules: () => [], ignoreCase: false });
	await permissions.add({ effect: "allow", scope: "always", door: "mcp", tool: "weather:forecast" });
	const args = ["--workspace", workspace.root, "--data", workspace.dataFolder, "--text-only"];
	const command = {
		type: "stdio",
		command: process.execPath,
		args: [resolve(MCP_PROGRAM), ...args],
		tools: ["*"],
	};
	await mkdir(home, { recursive: true });
	await writeFile(join(home, "mcp-config.json"), JSON.stringify({ mcpServers: { "copilot-ld": command } }));
	const asked: string[] = [];
	const answer = await askCli(t, workspace, {
		home,
		asked,
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
