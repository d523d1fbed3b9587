import assert from "node:assert/strict";
import { resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { formatMcpArguments } from "../../src/protocol/mcpOptions.ts";
import { MCP_CONFIGURATION_FORMATS } from "../../src/vscode/mcp/launch.ts";
import { writeIn } from "../acp/loads/writeIn.ts";
import { answerOf, askOn, startRealCli } from "../acp/realCli.ts";
import { called } from "../acp/scriptedModelServer.ts";
import { type Answer, answerWell, serveEmbeddings } from "../embed/http/fakeEmbeddings.ts";
import { agreeToAll, exampleFiles, serveWeather } from "../plugins/examples.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { untilIt } from "../support/untilIt.ts";
import { endpointSettings } from "../worker/embedding/embeddingWorker.ts";
import { serveObjects } from "../worker/objectStore.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { KEEPER, LIGHTHOUSE, startMcp, textOf } from "./mcpProgram.ts";

const KEY = { COPILOT_LD_EMBEDDING_KEY: "the-key" };

const PEOPLE = String(KEEPER["people.ttl"]).replace(
	/ \.\n$/,
	" ; s:worksFor <https://example.org/skagen> .\n",
);

const CALLS = Object.entries({
	search_knowledge: { query: "When is the lamp lit?" },
	plugin_people_with_job: { word: "keeper", most: 3 },
	plugin_people_about: { name: "Anna Holm" },
	plugin_people_job_of: { name: "Anna Holm" },
	plugin_weather_forecast: { place: "Gannet Rock" },
	plugin_example_command_2: { param: "Who keeps the lamp?" },
}).map(([name, input]) => called(`copilot-ld-${name}`, input));

/** Starts the real CLI with a configuration and makes it run the calls; returns results and requests. */
async function callAll(t: TestContext, root: string, configuration: unknown) {
	const cli = await startRealCli(
		t,
		({ results }) =>
			CALLS[results.length] ?? { text: [results.map((one) => JSON.stringify(one)).join("\n")] },
		KEY,
		{ hasHooks: false },
	);
	await writeIn(cli.env["COPILOT_HOME"] ?? "", "mcp-config.json", configuration);
	const session = await cli.open(root);
	const asked: string[] = [];
	const events = await askOn(cli, session, "When is it lit?", {
		answer: ({ request }) => {
			asked.push(request.tool);
			return "once";
		},
	});
	return { results: answerOf(events).split("\n"), asked: asked.join("\n") };
}

test("the real Copilot CLI reads the copied configuration, searches, and runs the example commands", async (t) => {
	const weather = await serveWeather(t);
	const fake = await serveEmbeddings(t);
	const files = { ...LIGHTHOUSE, "people.ttl": PEOPLE, ...exampleFiles(weather.host) };
	const { root, dataFolder, ...workspace } = await makeWorkspace(t, files);
	await agreeToAll({ root, dataFolder, ...workspace });
	const places = { workspaces: [root], data: dataFolder, excludes: [], isTextOnly: true };
	const settings = formatMcpArguments({ ...endpointSettings(fake.endpoint), ...places });
	const args = [...settings, "--allow", "weather:forecast"];
	const format = MCP_CONFIGURATION_FORMATS.find(({ id }) => id === "copilot-cli");
	const variables = [{ name: "COPILOT_LD_EMBEDDING_KEY", description: "API key" }];
	const configuration = format?.configure({ program: resolve(MCP_PROGRAM), args, variables });
	// On a slow machine, the first answers cover only the files read so far.
	const { call, close } = await startMcp(t, { root, dataFolder, env: KEY }, ...args);
	await untilIt(
		async () => textOf(await call("search_knowledge", { query: "lamp" })),
		(said) => said.includes("lighthouses.md:3") && !said.includes("still being built"),
	);
	await close();
	const before = fake.asked.length;
	const { results, asked } = await callAll(t, root, configuration);
	for (const [at, words] of [
		/\[lighthouses\.md:3\].*lit at dusk/,
		/^"1 rows.*Anna Holm/,
		/people\.ttl:2\].*Keeper of the lamp/,
		/Keeper of the lamp.*people\.ttl:2/,
		/sky.*clear/,
		/Anna Holm/,
	].entries())
		assert.match(results[at] ?? "", words);
	const keys = fake.asked.slice(before).map(({ headers }) => headers.authorization);
	assert.deepEqual([...new Set(keys)], ["Bearer the-key"]);
	assert.deepEqual(weather.seen, ["GET /forecast/Gannet%20Rock?days=1"]);
	assert.match(asked, /forecast/);
	assert.doesNotMatch(asked, /job_of|command_2/);
});

const withKey: Answer = (asked, response) => {
	if (asked.headers.authorization === "Bearer the-key") answerWell(asked, response);
	else response.writeHead(401).end("{}");
};

test("a program without its secrets names the missing variable", async (t) => {
	const { storage, secrets } = await serveObjects(t);
	const { endpoint } = await serveEmbeddings(t, withKey);
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const settings = { storage, ...endpointSettings(endpoint) };
	const args = formatMcpArguments({ workspaces: [], excludes: [], ...settings });
	const start = (COPILOT_LD_STORAGE_CREDENTIALS: string) =>
		startMcp(t, { ...workspace, env: { COPILOT_LD_STORAGE_CREDENTIALS } }, ...args);
	const denied = await start("access_key_id=nobody secret_access_key=nothing");
	const refusal = await denied.call("search_knowledge", { query: "lamp" });
	assert.equal(refusal.isError, true);
	assert.match(textOf(refusal), /denied access.*COPILOT_LD_STORAGE_CREDENTIALS/s);
	await denied.close();
	const program = await start(secrets());
	const notices = async () => (await program.search("lamp")).notices.join();
	await untilIt(notices, (text) => text.includes("COPILOT_LD_EMBEDDING_KEY"));
});
