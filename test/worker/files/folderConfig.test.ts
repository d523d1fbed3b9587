import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readFolderConfig } from "../../../src/worker/files/folderConfig.ts";
import { createSources } from "../../../src/worker/files/sources.ts";
import { emptyFiles, makeWorkspace, never, type Workspace } from "../workspace.ts";

async function configOf(t: TestContext, text: string | Uint8Array) {
	const { root } = await makeWorkspace(t, { ".copilot-ld/config.yaml": text });
	return readFolderConfig(root);
}

test("patterns and names of a policy are normalized", async (t) => {
	const types = "['schema:Person', '<https://schema.org/Place>', 'https://schema.org/Thing']";
	const deny = `{paths: [./hr/**, ' pay.md ', hr//a/, ., /top.md, ./], types: ${types}, properties: [':salary']}`;
	const text = `policy:\n  - deny: ${deny}\n    doors: [mcp]\n  - deny: {paths: [x.md]}\n`;
	const first = {
		paths: ["/hr/**", "pay.md", "hr/a/", "**", "/top.md", "**"],
		types: ["Person", "https://schema.org/Place", "https://schema.org/Thing"],
		...{ properties: ["salary"], channels: ["mcp"] },
	};
	const policy = [first, { paths: ["x.md"] }];
	assert.deepEqual(await configOf(t, text), { include: [], exclude: [], policy });
});

test("a configuration without rules and an editor's backup of a configuration hide nothing", async (t) => {
	const copies = emptyFiles(".copilot-ld/config.yaml.bak .copilot-ld/config.yaml~");
	const { root, write } = await makeWorkspace(t, copies);
	for (const text of ["", "# nothing\n", "include: [docs/]\n", "policy:\n", "policy: []\n"]) {
		await write({ ".copilot-ld/config.yaml": text });
		assert.deepEqual(readFolderConfig(root).policy, [], text);
	}
});

const CHANNELS =
	"door: [mcp]|doors: [web]|doors: [MCP]|doors: []|channels: [web]|channels: []|channels: [mcp], doors: [mcp]";
const PATHS = "{hr,pay}/**|hr\\**|../hr/**|~/hr/**|C:/hr/**|file:///hr/**|#hr| ";

/** Invalid configurations, and the lines of their errors. */
const MISTAKES: readonly (readonly [string | Uint8Array, number])[] = [
	[Buffer.from("policy: [{deny: {paths: ['L\u00f6hne/**']}}]", "latin1"), 1],
	["policy:\n  - deny:\n      path: [a]\n", 3],
	["policy:\n  - deny: {paths: [a]}\n  - deny: {paths: b}\n", 3],
	["policy: [{deny: {paths: []}}]", 1],
	["policy: [{deny: {}}]", 1],
	["policy: [{allow: {paths: [a]}}]", 1],
	["include: [docs/]\npolicies: [{deny: {paths: [a]}}]", 2],
	["include: [docs/]\n\nPolicy:\n  - deny: {paths: [a]}\n", 3],
	["policy: [{deny: {paths: [a]}}]\npolicy: []\n", 2],
	["policy:\n  - deny: {paths: [a], paths: [b]}\n", 2],
	["policy: !rules [{deny: {paths: [a]}}]", 1],
	["include: []\n---\npolicy: [{deny: {paths: [a]}}]", 2],
	["base: &base {paths: [a]}\npolicy: [{deny: *base}]", 1],
	["policy: [{deny: {<<: {paths: [a]}}}]", 1],
	["policy:\n  - deny:\n      paths:\n        - '!hr/**'\n", 4],
	["include: docs\n", 1],
	["include:\n", 1],
	["policy:\n  - deny:\n      paths: [a]\n      __proto__: {}\n", 4],
	["policy: [{deny: {paths: [a], types: }}]", 1],
	["just words", 1],
	...CHANNELS.split("|").map((channels) => [`policy: [{deny: {paths: [a]}, ${channels}}]`, 1] as const),
	...PATHS.split("|").map((path) => [`policy: [{deny: {paths: ['${path}']}}]`, 1] as const),
];

const SAYS = /^Nothing in this folder is shown, because the policy in its .* cannot be read: ./;

for (const [text, line] of MISTAKES)
	test(`an invalid configuration hides everything and is reported at its line: ${JSON.stringify(String(text))}`, async (t) => {
		const { policy, problem } = await configOf(t, text);
		assert.deepEqual(policy, [{}]);
		assert.match(problem?.message ?? "", SAYS);
		assert.deepEqual([problem?.path, problem?.lines.start], [".copilot-ld/config.yaml", line]);
	});

const MISNAMED = "config.yml Config.yaml config.yaml.txt config.json policy.yaml policies.yml";

for (const name of MISNAMED.split(" "))
	test(`a misnamed configuration ${name} hides everything, with or without a config.yaml`, async (t) => {
		const { root, write } = await makeWorkspace(t, { [`.copilot-ld/${name}`]: "policy: []\n" });
		for (const files of [{}, { ".copilot-ld/config.yaml": "policy: []\n" }]) {
			await write(files);
			const { policy, problem } = readFolderConfig(root);
			assert.deepEqual([policy, problem?.path], [[{}], `.copilot-ld/${name}`]);
		}
	});

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

const INSTRUCTIONS = [
	...[".github/agents/reviewer.md", ".github/prompts/deep/fix.md", ".github/instructions/style.md"],
	...[".github/skills/x/notes.txt", ".github/chatmodes/plan.md", ".github/hooks/sub/x.json"],
	...[".github/copilot-instructions.md", ".github/copilot/settings.json", ".claude/commands/x.md"],
	...[".claude/CLAUDE.md", ".agents/skills/x.md", ".cursor/rules/a.mdc", ".cursorrules", ".windsurfrules"],
	...["AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "docs/SKILL.md", "docs/x.agent.md"],
	...["docs/x.prompt.md", "docs/x.instructions.md", "docs/x.chatmode.md", ".clinerules"],
	...["packages/a/AGENTS.md", "packages/a/.github/agents/x.md", "packages/a/.claude/rules/x.md"],
	// Names that file systems find if they ignore case or invisible characters.
	...["1/agents.MD", "2/.GitHub/Agents/x.md", "3/AGENTſ.md", "4/.claude\u200b/x.md", "5/ClaudE.md"],
];

const KNOWLEDGE = [
	...[".github/ISSUE_TEMPLATE/bug.md", ".github/agents.md.txt", "docs/agents/x.md", "docs/about-AGENTS.md"],
	...["claude/x.md", "docs/prompt.md", "docs/reprompt.md", "docs/skills/x.md", "docs/instructions.md"],
];

test("agent instructions are indexed only if the setting is on, and the configuration never", async (t) => {
	const own = [".copilot-ld/config.yaml", ".copilot-ld/notes.md", "in/.copilot-ld/a.md", ".Copilot-LD/b.md"];
	const names = [...INSTRUCTIONS, ...KNOWLEDGE, ...own];
	const workspace = await makeWorkspace(t, emptyFiles(names));
	const indexed = async (options = {}) => (await sourcesOf(workspace, options).names()).sort();
	assert.deepEqual(await indexed(), [...KNOWLEDGE].sort());
	assert.deepEqual(await indexed({ agentInstructions: true }), [...INSTRUCTIONS, ...KNOWLEDGE].sort());
});

test("a folder's rules cannot include reserved files", async (t) => {
	const back = ["!AGENTS.md", "!.claude/", "!.copilot-ld/", "!/.copilot-ld/**"];
	const workspace = await makeWorkspace(t, {
		".copilot-ld/config.yaml": `include: ['**', AGENTS.md]\nexclude: ${JSON.stringify(back)}\n`,
		".gitignore": back.join("\n"),
		...emptyFiles(["AGENTS.md", ".claude/x.md", "a.md"]),
	});
	assert.deepEqual(await sourcesOf(workspace).names(), [".gitignore", "a.md"]);
	assert.deepEqual(await sourcesOf(workspace).names([workspace.path("AGENTS.md")]), []);
});

test("files in an opened agent folder are reserved, even if a link opens the folder", async (t) => {
	const names = "x/agents/a.md .github/agents/x.md .github/bug.md .claude/x.md .claude/worktrees/mine/a.md";
	const workspace = await makeWorkspace(t, emptyFiles(names));
	await symlink(workspace.path(".github"), workspace.path("open"));
	for (const [inside, ...kept] of [
		[".github", "bug.md"],
		[".github/agents"],
		[".claude"],
		[".claude/worktrees/mine", "a.md"],
		["open", "bug.md"],
	] as const)
		assert.deepEqual(await sourcesOf(workspace, { inside }).names(), kept, inside);
});

test("the target of a link with a reserved name is reserved", async (t) => {
	const names = ["docs/guide.md", "gh/agents/x.md", "gh/bug.md", "a.md", "team/x.md", "conf/notes.md"];
	const workspace = await makeWorkspace(t, emptyFiles(names));
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

test("the explanation names the rule that excludes a file", async (t) => {
	const explain = async (path: string) => {
		const workspace = await makeWorkspace(t, { [path]: "" });
		return sourcesOf(workspace).explain(workspace.uri(path));
	};
	const setting = "holds instructions for agents, and the setting copilot-LD.index.agentInstructions is off.";
	assert.ok((await explain("AGENTS.md")).endsWith(`: agents.md ${setting}`));
	assert.match(await explain("docs/x.prompt.md"), /: \*\.prompt\.md holds/);
	assert.match(await explain(".github/agents/x.md"), /: \.github\/agents\/ holds/);
	const never = /: files in \.copilot-ld\/ configure .* never indexed\.$/;
	assert.match(await explain(".copilot-ld/config.yaml"), never);
});
