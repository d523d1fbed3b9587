import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { createSources } from "../../../src/worker/files/sources.ts";
import { type Files, makeWorkspace, never, type Workspace } from "../workspace.ts";

function sourcesOf({ root, dataFolder }: Workspace, { inside = ".", agentInstructions = false } = {}) {
	const folder = join(root, inside);
	const folders = [{ uri: pathToFileURL(folder).href, name: basename(folder) }];
	const sources = createSources({ dataFolder, folders, excludes: [], agentInstructions });
	return {
		...sources,
		names: async (scope?: readonly string[]) => {
			const files = await sources.list(scope, never);
			return files.filter(({ refused }) => !refused).map(({ path }) => relative(folder, path));
		},
	};
}

async function namesAmong(t: TestContext, names: readonly string[], options = {}): Promise<string[]> {
	const files: Files = Object.fromEntries(names.map((name) => [name, "# Text\n"]));
	return sourcesOf(await makeWorkspace(t, files), options).names();
}

const INSTRUCTIONS = [
	...[".github/agents/reviewer.md", ".github/prompts/deep/fix.md", ".github/instructions/style.md"],
	...[".github/skills/x/notes.txt", ".github/chatmodes/plan.md", ".github/hooks/sub/x.json"],
	...[".github/copilot-instructions.md", ".github/copilot/settings.json", ".claude/commands/x.md"],
	...[".claude/CLAUDE.md", ".agents/skills/x.md", ".cursor/rules/a.mdc", ".cursorrules", ".windsurfrules"],
	...["AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "docs/SKILL.md", "docs/x.agent.md"],
	...["docs/x.prompt.md", "docs/x.instructions.md", "docs/x.chatmode.md", ".clinerules"],
	...["packages/a/AGENTS.md", "packages/a/.github/agents/x.md", "packages/a/.claude/rules/x.md"],
	// As file systems that ignore case, and invisible characters, would find them.
	...["1/agents.MD", "2/.GitHub/Agents/x.md", "3/AGENTſ.md", "4/.claude\u200b/x.md", "5/ClaudE.md"],
];

const KNOWLEDGE = [
	...[".github/ISSUE_TEMPLATE/bug.md", ".github/agents.md.txt", "docs/agents/x.md", "docs/about-AGENTS.md"],
	...["claude/x.md", "docs/prompt.md", "docs/reprompt.md", "docs/skills/x.md", "docs/instructions.md"],
];

test("files that tell agents what to do are not indexed", async (t) => {
	assert.deepEqual((await namesAmong(t, [...INSTRUCTIONS, ...KNOWLEDGE])).sort(), [...KNOWLEDGE].sort());
});

test("files that tell agents what to do are indexed where a person wants that, and the configuration never is", async (t) => {
	const own = [".copilot-ld/config.yaml", ".copilot-ld/notes.md", "in/.copilot-ld/a.md", ".Copilot-LD/b.md"];
	const names = await namesAmong(t, [...INSTRUCTIONS, ...own], { agentInstructions: true });
	assert.deepEqual(names.sort(), [...INSTRUCTIONS].sort());
});

test("no folder takes back what is reserved", async (t) => {
	const back = ["!AGENTS.md", "!.claude/", "!.copilot-ld/", "!/.copilot-ld/**"];
	const workspace = await makeWorkspace(t, {
		".copilot-ld/config.yaml": `include: ['**', AGENTS.md]\nexclude: ${JSON.stringify(back)}\n`,
		".gitignore": back.join("\n"),
		...Object.fromEntries(["AGENTS.md", ".claude/x.md", "a.md"].map((name) => [name, ""])),
	});
	assert.deepEqual(await sourcesOf(workspace).names(), [".gitignore", "a.md"]);
	assert.deepEqual(await sourcesOf(workspace).names([workspace.path("AGENTS.md")]), []);
});

for (const [inside, kept] of [
	[".github", ["ISSUE_TEMPLATE/bug.md"]],
	[".github/agents", []],
	[".claude", []],
	[".claude/worktrees/mine", ["a.md"]],
] as const)
	test(`with ${inside} as the folder, its place still counts`, async (t) => {
		const names = [".github/agents/x.md", ".github/ISSUE_TEMPLATE/bug.md", ".claude/commands/x.md"];
		assert.deepEqual(await namesAmong(t, [...names, ".claude/worktrees/mine/a.md"], { inside }), kept);
	});

test("what a link of such a name leads to is what agents read", async (t) => {
	const names = ["docs/guide.md", "gh/agents/x.md", "gh/bug.md", "a.md", "team/x.md", "conf/notes.md"];
	const workspace = await makeWorkspace(t, Object.fromEntries(names.map((name) => [name, ""])));
	await mkdir(workspace.path("z/.github"), { recursive: true });
	for (const [target, name] of [
		["docs/guide.md", "AGENTS.md"],
		["gh", ".github"],
		["team", "z/.github/agents"],
		["conf", ".copilot-ld"],
		["a.md", "b.md"],
		["gone.md", "CLAUDE.md"],
	] as const)
		await symlink(workspace.path(target), workspace.path(name));
	const sources = sourcesOf(workspace);
	assert.deepEqual(await sources.names(), ["a.md", "gh/bug.md"]);
	assert.deepEqual(await sources.names([workspace.path("docs/guide.md")]), []);
	assert.match(sources.explain(workspace.uri("docs/guide.md")), /instructions for agents/);
	await workspace.remove("AGENTS.md");
	assert.deepEqual(await sources.names(), ["a.md", "docs/guide.md", "gh/bug.md"]);
});

test("a folder that is opened through a link is the folder that it leads to", async (t) => {
	const workspace = await makeWorkspace(t, { ".github/agents/x.md": "", ".github/a.md": "" });
	await symlink(workspace.path(".github"), workspace.path("open"));
	assert.deepEqual(await sourcesOf(workspace, { inside: "open" }).names(), ["a.md"]);
});

for (const [path, told] of [
	["AGENTS.md", /: agents\.md holds instructions for agents, and the setting .*agentInstructions is off\.$/],
	["docs/x.prompt.md", /: \*\.prompt\.md holds/],
	[".github/agents/x.md", /: \.github\/agents\/ holds/],
	[".copilot-ld/config.yaml", /: files in \.copilot-ld\/ configure Copilot-LD and are never indexed\.$/],
] as const)
	test(`the explanation names the rule that keeps ${path} out`, async (t) => {
		const workspace = await makeWorkspace(t, { [path]: "" });
		assert.match(sourcesOf(workspace).explain(workspace.uri(path)), told);
	});
