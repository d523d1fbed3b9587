import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { filesChanged, foldersChanged } from "../../src/protocol/worker.ts";
import { never, startIn } from "./workerProcess.ts";
import { makeWorkspace } from "./workspace.ts";

const agent = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\nBe ${name}.\n`;

test("the worker finds agents, tells of changes, and follows the folders", async (t) => {
	const workspace = await makeWorkspace(t, { ".github/agents/a.md": agent("a") });
	const { connection, agents } = await startIn(t, workspace);
	const names = async () => {
		const registry = await agents.registry(never);
		return registry.agents.filter(({ source }) => source.level === "workspace").map(({ name }) => name);
	};
	assert.deepEqual(await names(), ["a"]);
	const ending = new AbortController();
	const changes: (() => void)[] = [];
	const watching = agents.watch(() => changes.shift()?.(), ending.signal);
	const changed = new Promise<void>((resolve) => void changes.push(resolve));
	await workspace.write({ ".github/agents/b.md": agent("b") });
	await connection.sendNotification(filesChanged, { uris: [workspace.uri(".github/agents/b.md")] });
	await changed;
	assert.deepEqual(await names(), ["a", "b"]);
	const left = new Promise<void>((resolve) => void changes.push(resolve));
	await workspace.write({ "other/.github/agents/c.md": agent("c") });
	const other = { uri: pathToFileURL(workspace.path("other")).href, name: "other", isExtra: true };
	await connection.sendNotification(foldersChanged, [other]);
	await left;
	assert.deepEqual(await names(), []);
	ending.abort();
	await assert.rejects(watching, { name: "AbortError" });
});

test("agents are ranked for tasks by their files, by words and meaning, without an index", async (t) => {
	const described = (name: string, does: string, persona: string) =>
		`---\nname: ${name}\ndescription: ${does}\n---\n${persona}\n`;
	const workspace = await makeWorkspace(t, {
		".github/agents/a.md": described("poet", "Translates poems into French", "You love Rilke."),
		".github/agents/b.md": described("Test Writer", "Writes unit tests", "Use the mocha runner."),
	});
	const { agents } = await startIn(t, workspace);
	const tasks = ["Increase the test coverage with mocha", "Übersetze ein Gedicht von Rilke"];
	const [tests = [], poems = []] = await agents.fits(tasks, never);
	const order = (fits: typeof tests) => fits.map(({ agent }) => agent).join();
	assert.deepEqual([tests, poems].map(order), ["Test Writer,poet", "poet,Test Writer"]);
	const { aimed, instructed, score = 0, aim = 0, meaning = 0 } = tests[0] ?? {};
	assert.deepEqual([aimed, instructed, poems[0]?.instructed], [["test"], ["mocha"], ["Rilke"]]);
	assert.ok(score > 0.2 && aim > 0.2 && meaning > 0.2, `${score}, ${aim}, ${meaning}`);
	assert.deepEqual(await agents.fits(tasks, never), [tests, poems]);
	await workspace.write({ ".github/agents/a.md": described("poet", "Writes mocha tests and coverage", "") });
	assert.equal((await agents.fits(tasks, never))[0]?.[0]?.agent, "poet");
});
