import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import { agent, registryOf } from "./agentWorkspace.ts";

async function problemsOf(t: TestContext, text: string | Uint8Array): Promise<string[]> {
	const { problems } = await registryOf(t, { "work/.github/agents/a.md": text });
	return problems.map(({ severity, line, message }) => `${severity} ${line}: ${message}`);
}

test("all fields are read, in the CLI's forms and in VS Code's", async (t) => {
	const text = `\uFEFF---\r
name: reviewer\r
description: >\r
  Reviews\r
  code\r
keywords:\r
  - review\r
  - "quality"\r
tools: [read, 'github/*']\r
model: [large, small]\r
mcp-servers:\r
  notes: { command: npx, args: [], tools: ['*'] }\r
handoffs:\r
  - label: Mend it\r
    agent: fixer\r
    prompt: Mend what was found.\r
    send: false\r
argument-hint: What to review\r
infer: false\r
user-invocable: false\r
target: vscode\r
---\r
You review.\r
`;
	const files = { "work/.github/agents/r.agent.md": text, "work/.github/agents/f.md": agent("fixer") };
	const { agents, problems } = await registryOf(t, files);
	assert.deepEqual(problems, []);
	const { source, ...rest } = agents.find(({ name }) => name === "reviewer") ?? assert.fail("not found");
	assert.match(source.hash, /^[0-9a-f]{64}$/);
	assert.deepEqual(rest, {
		name: "reviewer",
		description: "Reviews code",
		keywords: ["review", "quality"],
		tools: ["read", "github/*"],
		model: "large",
		argumentHint: "What to review",
		handoffs: [{ agent: "fixer", label: "Mend it", prompt: "Mend what was found." }],
		servers: ["notes"],
		mayBeChosen: false,
		mayBeAsked: false,
		target: "vscode",
		persona: "You review.\r\n",
	});
});

for (const [form, tools, expected] of [
	["a text with commas", "tools: Read, Grep\n", ["Read", "Grep"]],
	["a list of none", "tools: []\n", []],
	["a star", 'tools: ["*"]\n', undefined],
	["left out", "", undefined],
] as const)
	test(`tools may be ${form}`, async (t) => {
		const { agents } = await registryOf(t, { "work/.github/agents/a.md": agent("a", tools) });
		assert.deepEqual(agents[0]?.tools, expected);
	});

test("a file without a name is called by its path", async (t) => {
	const text = "---\ndescription: Does it\n---\n";
	const { agents, problems } = await registryOf(t, { "work/.github/agents/sub/my-agent.agent.md": text });
	assert.equal(agents[0]?.name, "sub--my-agent");
	assertMapped(problems, ({ message, line }) => [message, line], [
		["The agent has no name; the name of its file is used, “sub--my-agent”.", 2],
	]);
});

for (const [what, text, expected] of [
	["without front matter", "Just text", /^error 1: The file does not begin with front matter/],
	["without an end of its front matter", "---\nname: a\n", /^error 1: The file does not begin/],
	["without a description", "---\nname: a\n---\n", /^error 2: The agent has no description/],
	["with a name of words", "---\nname: C#/.NET Janitor\ndescription: x\n---\n", undefined],
	["with a long name", agent("x".repeat(101)), /^error 2: A name is one line/],
	["with a name of two lines", agent('"a\\nb"'), /^error 2: A name is one line/],
	["with a name of hidden characters", agent('"a\\u202eb"'), /^error 2: A name is one line/],
	["with a name that is no text", "---\ndescription: x\nname: [a]\n---\n", /^error 3: “name” must be a text/],
	["with broken YAML", "---\nname: a\ntools: [x\n---\n", /^error 3: The front matter cannot be read: Flow/],
	["with a key twice", "---\nname: a\nname: b\n---\n", /^error 3: .*Map keys must be unique/],
	["with a tag of a language", agent("a", "x: !!js/function x\n"), /^warning 4: The field “x” is not used/],
	["with a list for its front matter", "---\n- a\n---\n", /^error 2: .*has no fields/],
	["with tools that are none", agent("a", "tools: 5\n"), /^error 4: “tools” must be/],
	["with a maybe", agent("a", "infer: maybe\n"), /^error 4: “infer” must be true or/],
	["with a target of its own", agent("a", "target: moon\n"), /^warning 4: “target” is/],
	["with a field that nobody reads", agent("a", "tols: x\n"), /^warning 4: The field “tols” is not used/],
	["with nesting without end", agent("a", `x: ${"[".repeat(20_000)}\n`), /^error 1: .*nested too deep/],
	["with 10 MB of front matter", agent("x".repeat(1e7)), /^error 1: .*larger than/],
	["with 100 KB of front matter", agent("a", `x: ${"x".repeat(1e5)}\n`), /^error 1: .*longer than 32 KB/],
	["with bytes that are no text", Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe), /^error 1: .*cannot be/],
	["with an alias of itself", agent("a", "color: &a [*a]\n"), undefined],
] as const)
	test(`a file ${what} is named at its line`, async (t) => {
		const problems = await problemsOf(t, text);
		if (expected) assert.match(problems[0] ?? "", expected);
		else assert.ok(problems.length <= 1);
	});

test("a bomb of aliases is not unfolded", async (t) => {
	const lines = [..."abcdefghij"].map((name, index, all) =>
		index === 0 ? "a: &a [x]" : `${name}: &${name} [${Array(9).fill(`*${all[index - 1]}`)}]`,
	);
	const problems = await problemsOf(t, `---\nname: a\ndescription: x\n${lines.join("\n")}\n---\n`);
	assert.match(problems[0] ?? "", /^error 2: The front matter cannot be read: Excessive alias count/);
});

test("hidden characters of a description are seen, and its lines are one", async (t) => {
	const text = '---\nname: a\ndescription: "x\\u202ey\\n\\n[z](command:evil)"\n---\n';
	const { agents } = await registryOf(t, { "work/.github/agents/a.md": text });
	assert.equal(agents[0]?.description, "x⟨U+202E⟩y [z⟨]⟩(command:evil)");
});

test("what is hidden, ends otherwise or tells people of the folder is no agent", async (t) => {
	const files = ["README.md", ".x.md", ".x/y.md", "a.txt", "b.MD"].map((name) => [
		`work/.github/agents/${name}`,
		name === "README.md" ? "# Agents" : agent("a"),
	]);
	assert.deepEqual(await registryOf(t, Object.fromEntries(files)), { agents: [], problems: [] });
});

test("a tool that nobody has is named; those of servers and extensions cannot be known", async (t) => {
	const tools =
		"tools:\n  - read\n  - search/codebase\n  - github/*\n  - notes-search\n  - serach\n  - Bash\n";
	const [told] = await problemsOf(t, agent("a", tools));
	assert.equal(told, "warning 9: Neither the Copilot CLI nor VS Code has a tool “serach”.");
});

test("a handoff to nobody is named at its line", async (t) => {
	const to = (name: string) => `handoffs:\n  - agent: ${name}\n    label: Go\n`;
	const { problems } = await registryOf(t, {
		"work/.github/agents/a.md": agent("a", `${to("Plan")}  - agent: a\n  - agent: nobody\n`),
	});
	const [told] = problems.map(({ line, message }) => `${line}: ${message}`);
	assert.equal(told, "8: There is no agent “nobody” to hand over to.");
});
