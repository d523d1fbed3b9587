import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import type { Files } from "../workspace.ts";
import { agent, agentsIn, never, open, registryOf } from "./agentWorkspace.ts";

async function namesOf(t: TestContext, files: Files): Promise<string[]> {
	return (await registryOf(t, files)).agents.map(({ name }) => name);
}

test("agents are found in each place, the CLI's home first and Claude's last", async (t) => {
	const places = ["work/.github/agents/c.md", "work/.github/agents/sub/d.agent.md", ".github/agents/e.md"];
	const claude = ["work/.claude/agents/f.md", ".claude/agents/g.md", "home/.claude/agents/z.md"];
	const all = ["home/.copilot/agents/a.md", ...places, ...claude];
	const nameOf = (path: string) => path.replaceAll(/\W/g, "-");
	const files = Object.fromEntries(all.map((path) => [path, agent(nameOf(path))]));
	assert.deepEqual(await namesOf(t, files), all.map(nameOf));
});

test("of a name the first file counts, and of a path of one session, too", async (t) => {
	const { agents, problems } = await registryOf(t, {
		"home/.copilot/agents/x.md": agent("one"),
		"work/.github/agents/x.md": agent("two"),
		"work/.github/agents/y.md": agent("one"),
		"work/.github/agents/z.md": agent("three"),
		".claude/agents/z.agent.md": agent("four"),
	});
	assertMapped(agents, ({ name }) => name, ["one", "three"]);
	assertMapped(problems, ({ message }) => message, [
		"The path “z” belongs to another file, z.md, which takes precedence. This one is not offered.",
		"The path “x” belongs to another file, x.md, which takes precedence. This one is not offered.",
		"The name “one” belongs to another file, x.md, which takes precedence. This one is not offered.",
	]);
});

test("each folder of the workspace brings its agents, and a shared root only once", async (t) => {
	const { workspace } = await open(t, {
		".github/agents/root.md": agent("root"),
		"work/.github/agents/a.md": agent("first"),
		"other/.github/agents/a.md": agent("second"),
	});
	const { agents, problems } = await agentsIn(workspace, ["work", "other"]).registry(never);
	assert.deepEqual([agents.map(({ name }) => name), problems], [["first", "root", "second"], []]);
});

test("a folder that was only added to the knowledge brings no agents", async (t) => {
	const { workspace } = await open(t, { "work/.github/agents/a.md": agent("a") });
	const agents = agentsIn(workspace, []);
	agents.setFolders([{ uri: workspace.uri("work"), name: "work", isExtra: true }]);
	assert.deepEqual((await agents.registry(never)).agents, []);
});

test("a folder that is called as a file is one", async (t) => {
	assert.deepEqual(await namesOf(t, { "work/.github/agents/x.agent.md/y.md": agent("y") }), ["y"]);
});

test("a link within the repository is followed, and one out of it is not", async (t) => {
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

test("of very many files the first are read, and that is said", async (t) => {
	const names = Array.from({ length: 5000 }, (_, index) => `a${String(index).padStart(4, "0")}`);
	const files = Object.fromEntries(names.map((name) => [`work/.github/agents/${name}.md`, agent(name)]));
	const { agents, problems } = await registryOf(t, files);
	assert.equal(agents.length, 1000);
	assertMapped(problems, ({ message }) => message, [
		"This folder contains more than is read.",
		"Only the first 1000 files are read; this one and those after it are not.",
	]);
});

test("a file that changed is read again", async (t) => {
	const { workspace, agents } = await open(t, { "work/.github/agents/a.md": agent("a") });
	const [before] = (await agents.registry(never)).agents;
	await workspace.write({ "work/.github/agents/a.md": agent("b") });
	const [after] = (await agents.registry(never)).agents;
	assert.deepEqual([before?.name, after?.name], ["a", "b"]);
	assert.notEqual(before?.source.hash, after?.source.hash);
});

test("a watch hears of files and folders of agents, of nothing else, and only until it ends", async (t) => {
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
