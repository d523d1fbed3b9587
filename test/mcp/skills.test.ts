import assert from "node:assert/strict";
import { realpath, symlink, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { assertMapped } from "../support/assertMapped.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { type McpProgram, startMcp, textOf } from "./mcpProgram.ts";

const skill = (name: string, description: string, body = "Do it.", more = "") =>
	`---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}\n`;

const FILES = {
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
	const workspace = await makeWorkspace(t, FILES);
	await writeFile(workspace.path("secret.txt"), "secret");
	await symlink(workspace.path("secret.txt"), workspace.path(".github/skills/lamp-report/out.md"));
	const env = { HOME: workspace.path("home"), COPILOT_HOME: "" };
	return { workspace, ...(await startMcp(t, { ...workspace, env }, ...more)) };
}

test("skills and prompts of files and plugins are offered, and scripts run only if they are allowed", async (t) => {
	const { client, call } = await open(t);
	await t.test("skills are read when used, and their files on demand", () => useSkills(client, call));
	await t.test("all that a person may ask for are prompts, with their arguments", () => usePrompts(client));
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
		assert.match(await read({ file }), /is no text file of at most 256 kB in the folder of the skill/, file);
	assert.match(textOf(await call("plugin_skills_use", { skill: "own-way" })), /no skill “own-way”/);
}

/** Skills, prompts of files, Claude's commands and prompts of plugins. */
async function usePrompts(client: Client): Promise<void> {
	const { prompts } = await client.listPrompts();
	assertMapped(prompts, ({ name, arguments: args }) => [name, args?.map((one) => one.name).join()], [
		["lamp-report", "arguments"],
		["own-way", "arguments"],
		["git:commit", "arguments"],
		["ask", "who"],
		["mine", "arguments"],
		["people:greet", "name"],
	]);
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
