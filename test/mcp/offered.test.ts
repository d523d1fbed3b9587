import assert from "node:assert/strict";
import { readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { says, scriptedServer } from "../models/scriptedServer.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { untilIt } from "../support/untilIt.ts";
import { makeWorkspace, type Workspace } from "../worker/workspace.ts";
import { KEEPER, LIGHTHOUSE, type McpProgram, runOn, startMcp, textOf } from "./mcpProgram.ts";

const FILES = { ...LIGHTHOUSE, ...KEEPER };

async function resourceText(client: Client, uri: string): Promise<string> {
	const { contents } = await client.readResource({ uri });
	return contents.map((one) => ("text" in one ? one.text : "")).join("");
}

async function completed(client: Client, template: string, value: string): Promise<string[]> {
	const ref = { type: "ref/resource", uri: `copilot-ld://${template}` } as const;
	return (await client.complete({ ref, argument: { name: "any", value } })).completion.values;
}

/** Describes the ontology of the whole folder; on a slow machine, first answers cover only the files read so far. */
function onceIndexed(call: McpProgram["call"]) {
	const describe = () => call("describe_ontology", { refresh: true });
	return untilIt(describe, (described) => textOf(described).includes("index is ready:"));
}

test("documents, things and the ontology are resources, with completions and the index's state", async (t) => {
	const workspace = await makeWorkspace(t, FILES);
	const { client, call } = await startMcp(t, workspace);
	await onceIndexed(call);
	const { resources } = await client.listResources();
	const at = "copilot-ld://document/";
	assertMapped(resources, ({ name }) => name, ["ontology", "lighthouses.md", "people.ttl"]);
	assert.equal(resources[1]?.uri, `${at}lighthouses.md`);
	assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
	for (const [uri, words] of [
		["copilot-ld://ontology", /Person/],
		[`${at}lighthouses.md`, /^\[lighthouses\.md:1-4\] .*lit at dusk/s],
		[`${at}lighthouses.md:3`, /^\[lighthouses\.md:3\] /],
		[`copilot-ld://thing/${encodeURIComponent("https://example.org/anna")}`, /Keeper of the lamp/],
		["copilot-ld://thing/Anna%20Holm", /Keeper of the lamp/],
	] as const)
		assert.match(await resourceText(client, uri), words);
	for (const uri of [`${at}none.md`, "copilot-ld://thing/", "file:///etc/passwd"])
		await assert.rejects(client.readResource({ uri }), { code: -32002 });
	for (const [template, value, expected] of [
		["document/{+path}", "Light", "lighthouses.md"],
		["thing/{name}", "ho", "Anna Holm"],
		["thing/{name}", "https:", "https://example.org/anna"],
	] as const)
		assert.deepEqual(await completed(client, template, value), [expected]);
	const ask = { ref: { type: "ref/prompt", name: "any" }, argument: { name: "any", value: "x" } } as const;
	assert.deepEqual((await client.complete(ask)).completion.values, []);
	await workspace.write({ "more.md": "# More\n\nWords.\n" });
	const described = await call("describe_ontology", { refresh: true });
	const index = { state: "ready", documents: 3, unindexed: 0 };
	assert.deepEqual(described.structuredContent?.["index"], index);
	assert.match(textOf(described), /The index is ready: 3 documents, 0 files not indexed\./);
});

test("a hidden file or property is in no answer, resource, list or completion", async (t) => {
	const denied = ["paths: ['secret/**']", "properties: [jobTitle]"];
	const rules = denied.map((what) => `{ deny: { ${what} }, channels: [mcp] }`);
	const workspace = await makeWorkspace(t, {
		...FILES,
		"secret/plan.md": "# Plan\n\nThe lamp will be sold.\n",
		".copilot-ld/config.yaml": `policy: [${rules}]\n`,
	});
	const { client, call } = await startMcp(t, workspace);
	const { structuredContent } = await onceIndexed(call);
	const asked = await call("query_graph", { sparql: 'SELECT ?s { ?s ?p "Keeper of the lamp" }' });
	assert.match(textOf(asked), /^0 rows/);
	assert.deepEqual(structuredContent?.["index"], { state: "ready", documents: 2, unindexed: 0 });
	const { resources } = await client.listResources();
	assert.ok(resources.every(({ uri }) => !uri.includes("secret")));
	assert.deepEqual(await completed(client, "document/{+path}", "plan"), []);
	assert.deepEqual(await completed(client, "thing/{name}", "Anna"), ["Anna Holm"]);
	for (const uri of ["document/secret/plan.md", "thing/Plan"])
		await assert.rejects(client.readResource({ uri: `copilot-ld://${uri}` }), { code: -32002 });
	for (const uri of ["thing/Anna%20Holm", "document/people.ttl", "ontology"])
		assert.doesNotMatch(await resourceText(client, `copilot-ld://${uri}`), /Keeper|jobTitle/);
	assert.match(await resourceText(client, "copilot-ld://thing/Anna%20Holm"), /Anna Holm/);
});

const skill = (name: string, description: string, body = "Do it.", more = "") =>
	`---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}\n`;

const OFFERED = {
	".git/HEAD": "",
	"notes.md": "# Notes\n\nThe lamp burns.\n",
	".github/skills/lamp-report/SKILL.md": skill(
		"lamp-report",
		"Writes reports about lamps. Use when: the user wants a report",
		"Follow [the form](references/FORM.md). Then run scripts/count.mjs.",
	),
	".github/skills/lamp-report/references/FORM.md": "Title, then the lamps.\n",
	".github/skills/lamp-report/scripts/count.mjs":
		"console.log(process.cwd(), process.argv.slice(2).join());\n",
	".claude/skills/own-way/SKILL.md": skill("own-way", "Mine.", "Mine.", "disable-model-invocation: true\n"),
	".agents/skills/broken/SKILL.md": "---\nname: broken\n---\nNo description.\n",
	".agents/skills/lamp-report/SKILL.md": skill("lamp-report", "A second one of that name."),
	".agents/skills/README.md": "Not a skill.",
	// biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code itself fills in ${input:…} of a prompt file.
	".github/prompts/ask.prompt.md": "---\nmode: agent\n---\nAsk ${input:who:whom} about lamps.\n",
	".claude/commands/git/commit.md": "---\nargument-hint: what changed\n---\nCommit $ARGUMENTS in one line.\n",
	".copilot-ld/plugins/people/plugin.yaml":
		"commands:\n  - { name: greet, description: Greets., parameters: { name: string }, prompt: 'Greet {{name}}.' }\n",
	"home/.copilot/skills/mine/SKILL.md": skill("mine", "My own."),
	"home/.claude/skills/lamp-report/SKILL.md": skill("lamp-report", "The user's, hidden by the folder's."),
};

async function open(t: TestContext, ...more: string[]) {
	const workspace = await makeWorkspace(t, OFFERED);
	await writeFile(workspace.path("secret.txt"), "secret");
	await symlink(workspace.path("secret.txt"), workspace.path(".github/skills/lamp-report/out.md"));
	const env = { HOME: workspace.path("home"), COPILOT_HOME: "" };
	return { workspace, ...(await startMcp(t, { ...workspace, env }, ...more)) };
}

test("skills and prompts of files and plugins are offered, and scripts run only if allowed", async (t) => {
	const { client, call } = await open(t);
	await useSkills(client, call);
	await usePrompts(client);
	assert.match(textOf(await call("plugin_skills_run", SCRIPT)), /Not allowed/);
	const allowed = await open(t, "--allow", "skills:run");
	const folder = await realpath(allowed.workspace.root);
	assert.equal(textOf(await allowed.call("plugin_skills_run", SCRIPT)), `${folder} a b,-x\n`);
	for (const script of ["../../../notes.md", "scripts/none.sh", ""]) {
		const refused = await allowed.call("plugin_skills_run", { ...SCRIPT, script });
		assert.match(textOf(refused), /There is no “/);
	}
});

const SCRIPT = { skill: "lamp-report", script: "scripts/count.mjs", arguments: ["a b", "-x"] };

async function useSkills(client: Client, call: McpProgram["call"]): Promise<void> {
	const { tools } = await client.listTools();
	const use = tools.find(({ name }) => name === "plugin_skills_use");
	assert.deepEqual(use?.inputSchema.properties?.["skill"], { type: "string", enum: ["lamp-report", "mine"] });
	assert.match(use?.description ?? "", /- lamp-report: Writes reports about lamps. Use when: the user/);
	assert.doesNotMatch(JSON.stringify(tools), /Follow \[the form|The user's, hidden/);
	assert.deepEqual(use?.annotations?.readOnlyHint, true);
	const read = async (input: object) =>
		textOf(await call("plugin_skills_use", { skill: "lamp-report", ...input }));
	const body = await read({});
	assert.match(body, /<skill_content name="lamp-report">\nFollow \[the form\]\(references\/FORM\.md\)/);
	assert.match(body, /\nreferences\/FORM\.md\nscripts\/count\.mjs\n/);
	assert.equal(await read({ file: "references/FORM.md" }), "Title, then the lamps.\n");
	assert.equal(await read({ file: "./References/form.md" }), "Title, then the lamps.\n");
	for (const file of ["../../../notes.md", "/etc/hosts", "out.md", "references", "none.md", "x\0"])
		assert.match(await read({ file }), /no text file “.*” of at most 256 kB/, file);
	assert.match(textOf(await call("plugin_skills_use", { skill: "own-way" })), /no skill “own-way”/);
}
async function usePrompts(client: Client): Promise<void> {
	const { prompts } = await client.listPrompts();
	const named = prompts.map(({ name, arguments: args }) => `${name} ${args?.map((one) => one.name)}`);
	const own = ["lamp-report arguments", "own-way arguments", "git:commit arguments", "ask who"];
	assert.deepEqual(named, [...own, "mine arguments", "people:greet name"]);
	const textFor = async (name: string, values: Record<string, string>) => {
		const { messages } = await client.getPrompt({ name, arguments: values });
		return messages.map(({ content }) => (content.type === "text" ? content.text : "")).join();
	};
	assert.equal(await textFor("ask", { who: "Anna" }), "Ask Anna about lamps.");
	assert.equal(await textFor("git:commit", { arguments: "the $1 lamp" }), "Commit the $1 lamp in one line.");
	assert.equal(await textFor("own-way", { arguments: "please" }), "Mine.\n\nplease");
	assert.match(await textFor("people:greet", { name: "Anna" }), /Greet Anna\.$/);
	await assert.rejects(textFor("people:greet", {}), /“name” is missing/);
	await assert.rejects(textFor("none", {}), /There is no prompt none/);
}

const LIGHTS = `# Lights

The lamp of Skagen is lit at dusk.

The lamp of Ringhals is tested every ninety days.
`;

const TESTS = `tests:
  - ask: When is the lamp of Skagen lit?
    says: dusk
    cites: lights.md:3
  - search: How often is the lamp of Ringhals tested?
    finds: ninety days
    says: every ninety days
`;

/** Added from line 9 on: a failing test, and a test that needs a model. */
const MIXED = `${TESTS}  - search: Skagen
    says: at noon
  - ask: When is the lamp of Skagen lit at night?
    criteria:
      - The answer names a time of day.
      - The answer names a keeper.
`;

const files = (tests: string) => ({ "lights.md": LIGHTS, ".copilot-ld/tests.yaml": tests });

async function checkReport(workspace: Workspace): Promise<void> {
	const file = join(workspace.dataFolder, "..", "report.json");
	const { code, printed } = await runOn(workspace, "--problem-report", file);
	assert.equal(code, 0, printed);
	const text = await readFile(file, "utf8");
	const { contents, index, settings, worker } = JSON.parse(text);
	assert.deepEqual([contents, index.documents, settings.data], [false, 1, "(set)"]);
	assert.ok(worker.entries.some(({ event }: { event: string }) => event === "copilot-ld/knowledge/index"));
	for (const name of ["lights.md", workspace.root]) assert.ok(!text.includes(name));
}

test("--test exits with 0, with 1 after a failure, or with 2 without tests; a named model judges criteria", async (t) => {
	const workspace = await makeWorkspace(t, files(TESTS));
	const passed = await runOn(workspace, "--test");
	assert.equal(passed.code, 0, passed.printed);
	assert.match(passed.printed, /2 passed, 0 failed/);
	await checkReport(workspace);
	await workspace.write(files(MIXED));
	const junit = join(workspace.dataFolder, "..", "outcomes.xml");
	const first = await runOn(workspace, "--test", "--junit", junit);
	assert.equal(first.code, 1, first.printed);
	assert.match(first.printed, /tests\.yaml:9: The answer does not say "at noon"/);
	assert.match(first.printed, /– When is the lamp of Skagen lit at night\?/);
	assert.match(first.printed, /2 passed, 1 failed, 1 skipped/);
	assert.match(await readFile(junit, "utf8"), /failures="\d".*tests\.yaml:9/s);
	const server = await scriptedServer(t, { id: "tiny" });
	server.play(says('{"meets": true}'), says('{"meets": false, "why": "Nobody is named."}'));
	const model = ["--model-endpoint", server.origin, "--model"];
	const judged = await runOn(workspace, "--test", ...model, "tiny");
	assert.match(judged.printed, /tests\.yaml:13: The answer names a keeper\.: Nobody is named\./);
	assert.match(JSON.stringify(server.asked.at(-1)?.body), /lit at dusk/);
	const other = await runOn(workspace, "--test", ...model, "huge");
	assert.equal(other.code, 2);
	assert.match(other.printed, /no model "huge"\. It has: tiny\./);
	await workspace.remove(".copilot-ld/tests.yaml");
	const none = await runOn(workspace, "--test");
	assert.equal(none.code, 2, none.printed);
	assert.match(none.printed, /\.copilot-ld\/tests\.yaml/);
});
