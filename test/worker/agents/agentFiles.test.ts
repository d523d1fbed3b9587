import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { agentsAt } from "../../../src/core/agent/agentNames.ts";
import { shareStaticEmbedder } from "../../../src/embed/builtIn/staticEmbedder.ts";
import { selectAgents } from "../../../src/orchestrator/select/selectAgents.ts";
import { partsOfTask } from "../../../src/orchestrator/select/taskParts.ts";
import { createAgentFits } from "../../../src/worker/agents/agentFits.ts";
import { readAgent } from "../../../src/worker/agents/readAgent.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { times } from "../../support/times.ts";
import { never } from "../workspace.ts";
import { agent, agentsIn, open, registryOf } from "./agentWorkspace.ts";

test("of several agent files with a common name or path, only the first is listed", async (t) => {
	const { agents, problems } = await registryOf(t, {
		"home/.copilot/agents/x.md": agent("one"),
		"work/.github/agents/x.md": agent("two"),
		"work/.github/agents/y.md": agent("one"),
		"work/.github/agents/z.md": agent("three"),
		".claude/agents/z.agent.md": agent("four"),
	});
	assertMapped(agents, ({ name }) => name, ["one", "three"]);
	assertMapped(problems, ({ message }) => message, [
		"The path “z” belongs to another file, z.md, which takes precedence. The agent in this file is not offered.",
		"The path “x” belongs to another file, x.md, which takes precedence. The agent in this file is not offered.",
		"The name “one” belongs to another file, x.md, which takes precedence. The agent in this file is not offered.",
	]);
});

test("every workspace folder has agents, but not a folder that is only added to the knowledge", async (t) => {
	const { workspace } = await open(t, {
		".github/agents/root.md": agent("root"),
		"work/.github/agents/a.md": agent("first"),
		"other/.github/agents/a.md": agent("second"),
	});
	const files = agentsIn(workspace, ["work", "other"]);
	const { agents, problems } = await files.registry(never);
	assert.deepEqual([agents.map(({ name }) => name), problems], [["first", "root", "second"], []]);
	files.setFolders([{ uri: workspace.uri("work"), name: "work", isExtra: true }]);
	assert.deepEqual((await files.registry(never)).agents, []);
});

test("agent files are read through links within the repository, but not through links out of the repository", async (t) => {
	const { workspace, agents } = await open(t, {
		"work/.github/agents/a.md": agent("a"),
		"shared/b.md": agent("b"),
		"../secret/c.md": agent("c"),
		"../secret/d.md": agent("d"),
	});
	const at = (name: string) => workspace.path(`work/.github/agents/${name}`);
	await symlink(workspace.path("shared/b.md"), at("b.md"));
	await symlink(join(workspace.root, "../secret/c.md"), at("c.md"));
	await symlink(join(workspace.root, "../secret"), at("linked"));
	await symlink(at("."), at("circle"));
	const registry = await agents.registry(never);
	assertMapped(registry.agents, ({ name }) => name, ["a", "b"]);
	const messages = new Set(registry.problems.map(({ message }) => message));
	assert.deepEqual([...messages], ["A link leads out of the folder and is not followed."]);
});

test("only the first 1,000 agent files are read, and a problem states the limit", async (t) => {
	const names = times(5000, (at) => `a${String(at).padStart(4, "0")}`);
	const files = Object.fromEntries(names.map((name) => [`work/.github/agents/${name}.md`, agent(name)]));
	const { agents, problems } = await registryOf(t, files);
	assert.equal(agents.length, 1000);
	assertMapped(problems, ({ message }) => message, [
		"This folder contains more than is read.",
		"Only the first 1000 files are read; this one and those after it are not.",
	]);
});

test("a watch reports only files and folders of agents, until the watch is aborted", async (t) => {
	const { workspace, agents } = await open(t, {});
	const ending = new AbortController();
	let heard = 0;
	const watching = agents.watch(() => void heard++, ending.signal);
	const changed = (name: string) => agents.filesChanged([workspace.uri(name)]);
	const paths = "work/.github/agents/a.md work/.github work/.claude/agents home/.copilot/agents/x.md";
	for (const path of paths.split(" ")) changed(path);
	assert.equal(heard, 4);
	for (const name of ["work/agents/a.md", "work/.github/workflows/a.yml", "home/agents"]) changed(name);
	assert.equal(heard, 4);
	ending.abort();
	await watching;
	changed("work/.github/agents/a.md");
	assert.equal(heard, 4);
});

test("all fields of an agent are read in the forms of the CLI and of VS Code", async (t) => {
	const text = `\uFEFF---
name: reviewer
description: >
  Reviews
  code
keywords:
  - review
  - "quality"
tools: [read, 'github/*']
model: [large, small]
mcp-servers: { notes: { command: npx, args: [], tools: ['*'] } }
handoffs: [{ label: Fix, agent: fixer, prompt: Fix the problems., send: false }]
argument-hint: What to review
infer: false
user-invocable: false
target: vscode
---
You review.
`.replaceAll("\n", "\r\n");
	const files = { "work/.github/agents/r.agent.md": text, "work/.github/agents/f.md": agent("fixer") };
	const { agents, problems } = await registryOf(t, files);
	assert.deepEqual(problems, []);
	const { source, ...rest } = agents.find(({ name }) => name === "reviewer") ?? assert.fail("not found");
	assert.match(source.hash, /^[0-9a-f]{64}$/);
	assert.deepEqual(rest, {
		...{ name: "reviewer", description: "Reviews code", keywords: ["review", "quality"] },
		...{ tools: ["read", "github/*"], model: "large", handoffs: ["fixer"], servers: ["notes"] },
		...{ mayBeChosen: false, mayBeAsked: false, persona: "You review.\r\n" },
	});
});

test("the tools of an agent may be a text with commas, an empty list, a star, or missing", async (t) => {
	for (const [tools, expected] of [
		["tools: Read, Grep\n", ["Read", "Grep"]],
		["tools: []\n", []],
		['tools: ["*"]\n', undefined],
		["", undefined],
	] as const) {
		const { agents } = await registryOf(t, { "work/.github/agents/a.md": agent("a", tools) });
		assert.deepEqual(agents[0]?.tools, expected, tools);
	}
});

/** Tools of servers and extensions cannot be checked. */
const TOOLS = "tools:\n  - read\n  - search/codebase\n  - github/*\n  - notes-search\n  - serach\n  - Bash\n";
const HANDOFFS = "handoffs:\n  - agent: Plan\n    label: Go\n  - agent: a\n  - agent: nobody\n";
const BOMB = [..."abcdefghij"].map((name, index, all) =>
	index === 0 ? "a: &a [x]" : `${name}: &${name} [${Array(9).fill(`*${all[index - 1]}`)}]`,
);

for (const [what, text, expected] of [
	["without front matter", "Just text", /^error 1: The file does not begin with front matter/],
	["without an end of its front matter", "---\nname: a\n", /^error 1: The file does not begin/],
	["without a description", "---\nname: a\n---\n", /^error 2: The agent has no description/],
	["without a name", "---\ndescription: x\n---\n", /^warning 2: .*the name of its file is used, “a”\.$/],
	["with a name of words", agent("C#/.NET Janitor"), /^undefined$/],
	["with a long name", agent("x".repeat(101)), /^error 2: A name is one line/],
	["with a name of two lines", agent('"a\\nb"'), /^error 2: A name is one line/],
	["with a name of hidden characters", agent('"a\\u202eb"'), /^error 2: A name is one line/],
	["with a list as its name", "---\ndescription: x\nname: [a]\n---\n", /^error 3: “name” must be a text/],
	["with broken YAML", "---\nname: a\ntools: [x\n---\n", /^error 3: The front matter cannot be read: Flow/],
	["with a key twice", "---\nname: a\nname: b\n---\n", /^error 3: .*Map keys must be unique/],
	["with a tag of a language", agent("a", "x: !!js/function x\n"), /^warning 4: The field “x” is not used/],
	["with a list for its front matter", "---\n- a\n---\n", /^error 2: .*has no fields/],
	["with invalid tools", agent("a", "tools: 5\n"), /^error 4: “tools” must be/],
	["with an invalid flag", agent("a", "infer: maybe\n"), /^error 4: “infer” must be true or/],
	["with an unknown target", agent("a", "target: moon\n"), /^warning 4: “target” is/],
	["with an unknown field", agent("a", "tols: x\n"), /^warning 4: The field “tols” is not used/],
	["with very deep nesting", agent("a", `x: ${"[".repeat(20_000)}\n`), /^error 1: .*nested too deep/],
	["with 10 MB of front matter", agent("x".repeat(1e7)), /^error 1: .*larger than/],
	["with 100 KB of front matter", agent("a", `x: ${"x".repeat(1e5)}\n`), /^error 1: .*longer than 32 KB/],
	["with invalid UTF-8", Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe), /^error 1: .*cannot be/],
	["with an alias of itself", agent("a", "color: &a [*a]\n"), /^(?:undefined|\w+ \d: .*)$/],
	["with a bomb of aliases", agent("a", `${BOMB.join("\n")}\n`), /^error \d: .*Excessive alias count/],
	["with an unknown tool", agent("a", TOOLS), /^warning 9: Neither .* nor VS Code has a tool “serach”/],
	["with an unknown handoff", agent("a", HANDOFFS), /^warning 8: There is no agent “nobody” to hand/],
] as const)
	test(`an agent file ${what} has the expected problem at its line`, async (t) => {
		const { problems } = await registryOf(t, { "work/.github/agents/a.md": text });
		const told = problems.map(({ severity, line, message }) => `${severity} ${line}: ${message}`);
		assert.match(`${told[0]}`, expected);
	});

test("hidden characters of an agent's description are made visible, and the lines are joined", async (t) => {
	const text = '---\nname: a\ndescription: "x\\u202ey\\n\\n[z](command:evil)"\n---\n';
	const { agents } = await registryOf(t, { "work/.github/agents/a.md": text });
	assert.equal(agents[0]?.description, "x⟨U+202E⟩y [z⟨]⟩(command:evil)");
});

const data = process.env["COPILOT_LD_DATA"] ?? join(import.meta.dirname, "../../../../shared/data");
const folder = join(data, "agents");
const skip = !existsSync(folder) && `There is no folder ${folder}.`;

const linesOf = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");

/** Chooses among the published agents, or among those with these file names. */
function choosing(names?: readonly string[]) {
	const agents = readdirSync(join(folder, "agents")).flatMap((file) => {
		const text = readFileSync(join(folder, "agents", file), "utf8");
		const id = file.replace(".agent.md", "");
		const source = { uri: `file:///${file}`, level: "user", hash: id } as const;
		const { definition } = readAgent({ source, text, id });
		return definition && (names?.includes(id) ?? true) ? definition : [];
	});
	const files = { registry: async () => ({ agents, problems: [] }) };
	const { fits } = createAgentFits(files, () => shareStaticEmbedder("media/model"));
	return async (task: string) => {
		const { chosen, rationale } = selectAgents(await fits([task, ...partsOfTask(task)], never), agents, task);
		return { chosen: chosen[0]?.agent.source.hash ?? null, rationale };
	};
}

test("of 224 published agents, 219 are found by name, and the others have an error", { skip }, async (t) => {
	const files = readdirSync(join(folder, "agents")).map((file) => {
		return [`.github/agents/${file}`, readFileSync(join(folder, "agents", file), "utf8")] as const;
	});
	const { agents, problems } = await registryOf(t, Object.fromEntries(files));
	const skipped = new Set(problems.filter(({ severity }) => severity === "error").map(({ uri }) => uri));
	assert.deepEqual([agents.length, agents.length + skipped.size], [219, 224]);
	assert.ok(agents.every(({ name }) => agentsAt(name, agents).length === 1));
});

for (const [what, names, least] of [
	["forty agents", "forty.txt", 14],
	["all agents", undefined, 13],
] as const)
	test(`${least} of 15 tasks get the right agent of ${what}, and five other tasks no agent`, {
		skip,
	}, async () => {
		const choose = choosing(names && linesOf(names));
		const tasks = linesOf("tasks.jsonl").map((line) => JSON.parse(line));
		const choices = await Promise.all(tasks.map(({ task }) => choose(task)));
		const chosen = choices.map((choice) => choice.chosen);
		const right = tasks.filter(({ agent }, index) => agent !== null && chosen[index] === agent);
		assert.ok(right.length >= least, `${right.length}: ${chosen}`);
		assert.deepEqual(chosen.slice(15), [null, null, null, null, null]);
	});

const GERMAN: readonly (readonly [task: string, agent: string | null])[] = [
	["Nutzer von Screenreadern können den Datepicker nicht bedienen; beachte WCAG 2.2", "accessibility"],
	["Der CloudWatch-Alarm HighLatency hat um 03:12 ausgelöst; finde die Ursache", "aws-incident-triage"],
	["Räume den alten C#-Code in src/Billing auf und benutze neuere Sprachmittel", "csharp-dotnet-janitor"],
	["Kündige unser neues Release auf LinkedIn an", "linkedin-post-writer"],
	["Beschreibe die Anforderungen an ein Treueprogramm mit User Stories und Akzeptanzkriterien", "prd"],
	["Schreibe Terraform für einen S3-Bucket und eine Lambda", "terraform-aws-implement"],
	["Dokumentiere die Entscheidung für Postgres als ADR", "adr-generator"],
	["Schreibe eine KQL-Abfrage, die fehlgeschlagene Anfragen pro Stunde zählt", null],
	["Was gibt es heute zum Abendessen?", null],
	["Finde ein Rezept für Gulasch", null],
	["Reise nach Azure an der Küste planen", null],
];

test("a German task gets an English agent only if the task has terms of the agent", { skip }, async () => {
	const choose = choosing(linesOf("forty.txt"));
	for (const [task, agent] of GERMAN) {
		const { chosen, rationale } = await choose(task);
		assert.equal(chosen, agent, task);
		if (task.includes("KQL")) assert.match(rationale, /in another language than the task/);
	}
});
