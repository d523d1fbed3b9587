import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import type { CallToolResult, ElicitRequestFormParams } from "@modelcontextprotocol/sdk/types.js";
import { READING_TOOLS } from "../../src/core/agent/ourTools.ts";
import type { PermissionRule } from "../../src/core/permission/permission.ts";
import { createPermissions } from "../../src/permissions/openPermissions.ts";
import { called, type ScriptedReply, startModelServer } from "../acp/scriptedModelServer.ts";
import { makeHome, never, openIn } from "../sessions/temporarySessions.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { assertNone } from "../support/assertNone.ts";
import { makeFolder } from "../support/folder.ts";
import { untilIt } from "../support/untilIt.ts";
import { type Files, makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE, startMcp, textOf } from "./mcpProgram.ts";

const agentFile = (name: string, fields = "") =>
	`---\nname: ${name}\ndescription: Does what a ${name} does\n${fields}---\nYou are PERSONA-${name}.`;

const FILES: Files = {
	...LIGHTHOUSE,
	".github/agents/reader.md": agentFile("reader", "keywords: [lighthouse]\n"),
	".github/agents/writer.md": agentFile("writer"),
};

type Rule = Pick<PermissionRule, "tool" | "argument"> & Partial<Pick<PermissionRule, "channel" | "effect">>;

const MAY_RUN = ["run_agent", "run_with_orchestrator"].map((tool) => ({ channel: "mcp", tool }) as const);

interface Scene {
	readonly files?: Files;
	readonly rules?: readonly Rule[];
	readonly args?: readonly string[];
	readonly elicit?: (asked: ElicitRequestFormParams) => boolean;
	/** Replies of each agent, in order. */
	readonly script?: Readonly<Record<string, ScriptedReply[]>>;
}

/** Creates a workspace with rules, the real CLI on the PATH, and a scripted model. */
async function makeScene(t: TestContext, { files = {}, rules = MAY_RUN, ...scene }: Scene) {
	const model = await startModelServer(t, ({ whole }) => {
		const name = Object.keys(scene.script ?? {}).find((one) => whole.includes(`PERSONA-${one}`)) ?? "";
		return scene.script?.[name]?.shift() ?? { text: [`${name} is done.`] };
	});
	const workspace = await makeWorkspace(t, { ...FILES, ...files });
	const folder = join(workspace.dataFolder, "permissions");
	const permissions = createPermissions({ folder, now: Date.now, managedRules: () => [], ignoreCase: false });
	for (const rule of rules) await permissions.add({ effect: "allow", scope: "always", ...rule });
	const home = await makeFolder(t);
	const homes = { HOME: home, COPILOT_HOME: join(home, "copilot") };
	const own = [dirname(process.execPath), resolve("node_modules/.bin")];
	const PATH = [...own, "/usr/bin", "/bin"].join(delimiter);
	const env = { ...model.env, ...homes, COPILOT_LD_MODEL_KEY: "sk-hidden", PATH };
	return { workspace, home, model, permissions, env };
}

async function openScene(t: TestContext, scene: Scene = {}) {
	const made = await makeScene(t, scene);
	const { workspace, env } = made;
	const client = scene.elicit && { elicit: scene.elicit };
	const program = await startMcp(t, { ...workspace, env, ...client }, ...(scene.args ?? []));
	return { ...program, ...made, has: (name: string) => existsSync(workspace.path(name)) };
}

const create = (path: string) => called("create", { path, file_text: "made" });
const run = (name: string) => ({ agent: name, prompt: "Look after the lighthouse." });

/** The data of a successful result, whose shape the client has validated. */
function dataOf<Data = Record<string, string>>(result: CallToolResult) {
	assert.ok(!result.isError, textOf(result));
	return (result.structuredContent as { data: Data }).data;
}

interface Results extends Record<"run" | "record" | "finalOutput", string> {
	readonly agentResults: readonly Record<"agent" | "output" | "outcome", string>[];
}

const CLAIM = "The lamp of Skagen is 99 metres high [lighthouses.md:3].";

test("agents run only if a rule allows them; then a chain runs its agents in sequence", async (t) => {
	const sessionsFolder = await makeHome(t);
	const look = called("copilot-ld-search_knowledge", { query: "lamp" });
	const startReader = called("copilot-ld-run_agent", run("reader"));
	const { call, client, model, permissions, home, workspace } = await openScene(t, {
		rules: [],
		args: ["--sessions", sessionsFolder],
		script: { reader: [look, { text: [CLAIM] }, look], writer: [startReader] },
	});
	const { tools } = await client.listTools();
	const described = tools.find(({ name }) => name === "run_agent")?.description ?? "";
	assert.match(described, /refused unless a rule .* \(elicitation\)/);
	const refusal = /NOT_ALLOWED.*nobody can be asked.*by starting the program with --allow run_agent/s;
	assert.match(textOf(await call("run_agent", run("reader"))), refusal);
	assert.equal(model.requests.length, 0);
	for (const rule of [...MAY_RUN, { channel: "cli", tool: "run_agent" } as const])
		await permissions.add({ effect: "allow", scope: "always", ...rule });
	const environment = await serverOfTheCli(home);
	const chain = { prompt: "Look after the lighthouse.", agentChain: ["reader", "writer"] };
	const { agentResults, finalOutput } = dataOf<Results>(await call("run_with_orchestrator", chain));
	const outcomes = agentResults.map(({ agent, outcome }) => `${agent} ${outcome}`);
	assert.deepEqual(outcomes, ["reader succeeded", "writer succeeded"]);
	assert.match(model.requests.at(-1)?.whole ?? "", /99 metres high/);
	// The output has notes on claims that the cited lines do not support.
	const [noted, plain] = agentResults.map(({ output }) => output);
	assert.match(noted ?? "", /99 metres high \[lighthouses\.md:3\]\.\n\nNote: .*\n\nNote: .*99/s);
	assert.equal(plain, "writer is done.");
	assert.match(finalOutput, /Note: .*99/s);

	// The client's turn includes the calls of steps and of nested chains.
	const reader = [{ source: "system", id: userInfo().username, label: "" }] as const;
	const { sessions } = openIn(t, sessionsFolder, { reader });
	const known = (await sessions.list({ limit: 9 }, never)).sessions;
	assertMapped(known, (one) => [one.engine, one.workspace], [["mcp", workspace.folder.uri]]);
	const { turns } = await sessions.read(known[0]?.id ?? "", never);
	const turn = turns.find(({ command }) => command === "run_with_orchestrator");
	assert.equal(turn?.outcome, "done");
	// The CLI reports only the kind of a call: running a command is `shell`.
	assertMapped(turn?.messages ?? [], ({ sender, receiver }) => `${sender.id} > ${receiver.id}`, [
		"test > run_with_orchestrator",
		"reader > search_knowledge",
		"search_knowledge > reader",
		"writer > shell",
		"writer/reader > search_knowledge",
		"search_knowledge > writer/reader",
		"shell > writer",
		"run_with_orchestrator > test",
	]);

	// A server started by a step offers no agents, so that nested chains cannot evade the depth limit.
	const [, mark = ""] = /^COPILOT_LD_LINK=(.+)$/m.exec(await readFile(environment, "utf8")) ?? [];
	assert.notEqual(mark, "");
	assert.doesNotMatch(await readFile(environment, "utf8"), /sk-hidden/, "the CLI has no secret of ours");
	const below = await startMcp(t, { ...(await makeWorkspace(t, FILES)), env: { COPILOT_LD_LINK: mark } });
	const offered = (await below.client.listTools()).tools.map(({ name }) => name);
	assertNone(offered.filter((name) => /agent|orchestrator/.test(name)));
});

async function serverOfTheCli(home: string): Promise<string> {
	const seen = join(home, "environment.txt");
	const server = { type: "local", command: "/bin/sh", args: ["-c", `env > ${seen}`], tools: ["*"] };
	await mkdir(join(home, "copilot"), { recursive: true });
	const configuration = JSON.stringify({ mcpServers: { again: server } });
	await writeFile(join(home, "copilot", "mcp-config.json"), configuration);
	return seen;
}

test("agents of a saved chain run in the folders of their files; a refused call is reported in the answer", async (t) => {
	const { root } = await makeWorkspace(t, { ".github/agents/second.md": agentFile("second") });
	const chain = "stages:\n  - steps: [writer]\n  - steps: [{ agent: second, tools: [view] }]\n";
	const script = { writer: [create("made.txt")] };
	const { call, has, permissions, model } = await openScene(t, {
		...{ script, args: ["--workspace", root], files: { ".copilot-ld/chains/two.yaml": chain } },
	});
	const refused = dataOf(await call("run_with_orchestrator", { prompt: "Write it down.", chain: "two" }));
	const second = model.requests.find(({ whole }) => whole.includes("PERSONA-second"));
	assert.ok(second?.whole.includes(root), "the CLI works in the second folder");
	assert.equal(has("made.txt"), false);
	assert.match(String(refused["finalOutput"]), /Status: ✓ Success, but .*refused \(.*made\.txt/);
	assert.match(JSON.stringify(refused["agentResults"]), /"refused":\["[^"]*made\.txt/);
	const [denied] = await permissions.decisions({ limit: 1 });
	assert.deepEqual([denied?.effect, denied?.request.agent, denied?.request.tool], ["deny", "writer", "edit"]);
	await permissions.add({ effect: "allow", scope: "always", channel: "cli", tool: "edit" });
	script.writer.push(create("made.txt"));
	await call("run_agent", run("writer"));
	assert.equal(has("made.txt"), true);
});

test("a client that supports elicitation asks its user about every call, and denied calls do not run", async (t) => {
	const asked: string[] = [];
	const { call, has } = await openScene(t, {
		rules: [],
		script: { writer: [create("yes.txt"), create("no.txt")] },
		elicit: ({ message }) => {
			asked.push(message);
			return !message.includes("no.txt");
		},
	});
	dataOf(await call("run_agent", run("writer")));
	assert.deepEqual([has("yes.txt"), has("no.txt")], [true, false]);
	assert.match(asked[0] ?? "", /^Copilot-LD wants to use run_agent: Run the agent writer/);
	assert.match(asked[1] ?? "", /^The agent writer wants to use edit.*yes\.txt/s);
	assert.equal(asked.length, 3);
});

test("agents run in a folder whose files make the CLI start programs only if a rule allows that", async (t) => {
	const hook = { type: "command", bash: "touch hooked.txt", timeoutSec: 5 };
	const hooks = JSON.stringify({ version: 1, hooks: { sessionStart: [hook], preToolUse: [hook] } });
	const { call, has, permissions, model } = await openScene(t, { files: { ".github/hooks/h.json": hooks } });
	const refused = await call("run_agent", run("reader"));
	assert.match(textOf(refused), /make the Copilot CLI run programs.*hooks\/h\.json: sessionStart runs touch/);
	assert.deepEqual([has("hooked.txt"), model.requests.length], [false, 0]);
	await permissions.add({ effect: "allow", scope: "always", channel: "mcp", tool: "start_cli" });
	dataOf(await call("run_agent", run("reader")));
});

const SERVER = "mcp-servers:\n  s: { command: 'true', args: [], tools: ['*'] }\n";

test("a published agent runs by name or short name with our reading tools, in spite of broken files", async (t) => {
	const { call, home, model } = await openScene(t, {
		files: {
			".github/agents/api.agent.md": agentFile("API Architect", "tools: ['search/codebase', edit]\n"),
			".github/agents/broken.md": "---\nname: [x\n---\nmcp",
			".copilot-ld/plugins/bad/plugin.yaml": "comands: []\n",
			".github/skills/bad/SKILL.md": "---\nname: bad\n---\n",
			".github/agents/served.md": agentFile("served", SERVER),
			".vscode/mcp.json": '{ // ordinary\n"servers": { "a": { "command": "true" } } }',
		},
	});
	await mkdir(join(home, ".claude/agents"), { recursive: true });
	await writeFile(join(home, ".claude/agents/own.md"), agentFile("own"));
	const listed = dataOf<Record<"agents" | "skipped", { name: string }[]>>(await call("list_agents", {}));
	const { agents, skipped } = listed;
	assertMapped(agents, ({ name }) => name, ["API Architect", "reader", "served", "writer", "own"]);
	assert.match(JSON.stringify(skipped), /^\[\{"uri":".*broken\.md","line":2,"reason":"The front matter/);
	assert.match(JSON.stringify(skipped), /bad\/plugin\.yaml","line":1,"reason":"“commands” is missing/);
	assert.match(JSON.stringify(skipped), /bad\/SKILL\.md","line":1,"reason":"The skill has no description/);
	for (const name of ["api", "own"]) dataOf(await call("run_agent", run(name)));
	const [asked] = model.requests;
	assert.match(asked?.whole ?? "", /PERSONA-API Architect/);
	const ours = asked?.tools.filter((tool) => tool.startsWith("copilot-ld"));
	assert.deepEqual(
		ours,
		[...READING_TOOLS].map((tool) => `copilot-ld-${tool}`),
	);
	assert.match(textOf(await call("run_agent", run("served"))), /served\.md starts MCP server “s”: true/);
});

test("a chain spends at most the tokens on the command line", async (t) => {
	const { call } = await openScene(t, { args: ["--agents-max-tokens=1000"] });
	assert.match(textOf(await call("run_agent", run("reader"))), /The 1,000 tokens of the run are spent/);
});

test("a killed chain resumes after the last saved step, and repeats steps with effects only on request", async (t) => {
	const { workspace, env, model } = await makeScene(t, {
		files: { ".github/agents/closer.md": agentFile("closer", "tools: [view]\n") },
		script: { reader: [], writer: [{ text: ["Half"], wait: true }], closer: [] },
	});
	const asked = (name: string) =>
		model.requests.filter(({ whole }) => whole.includes(`PERSONA-${name}`)).length;
	const killed = await startMcp(t, { ...workspace, env });
	const chain = { prompt: "Look after the lighthouse.", agentChain: ["reader", "writer", "closer"] };
	const cut = killed.call("run_with_orchestrator", chain);
	cut.catch(() => undefined);
	await untilIt(async () => asked("writer") > 0, Boolean);
	process.kill(killed.pid, "SIGKILL");
	await assert.rejects(cut);

	const before = asked("reader");
	const { call } = await startMcp(t, { ...workspace, env });
	const resume = async (input: object) => call("run_with_orchestrator", { ...input });
	const refused = await resume({ resume: "last" });
	assert.match(textOf(refused), /writer may already have changed files.*repeat: \[\\"writer\\"\]/);
	const repeated = await resume({ resume: "last", repeat: ["writer"] });
	const { agentResults, run, record } = dataOf<Results>(repeated);
	const done = ["reader", "writer", "closer"].map((name) => `succeeded: ${name} is done.`);
	assertMapped(agentResults, ({ outcome, output }) => `${outcome}: ${output}`, done);
	assert.equal(asked("reader"), before, "a finished step does not run again");
	assert.match(await readFile(record, "utf8"), /"stepStarted".*Look after the lighthouse.*writer is done\./);
	const closed = asked("closer");
	await resume({ resume: run, from: "closer" });
	assert.deepEqual([asked("closer") > closed, asked("reader")], [true, before]);
	for (const wrong of [{ resume: "../x" }, { resume: "none" }, { resume: run, from: "nobody" }])
		assert.match(textOf(await resume(wrong)), /"code": "AGENT_NOT_FOUND"/);
	assert.match(textOf(await resume({})), /"code": "INVALID_PROMPT"/);
});
