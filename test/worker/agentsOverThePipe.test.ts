import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { filesChanged, foldersChanged } from "../../src/protocol/worker.ts";
import { never, startIn } from "./workerProcess.ts";
import { makeWorkspace } from "./workspace.ts";

const agent = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\nBe ${name}.\n`;

test("the worker finds agents, tells of changes, and follows the folders", async (t) => {
	const workspace = await makeWorkspace(t, { ".github/agents/a.md": agent("a") });
	const { connection } = await startIn(t, workspace);
	const { agents } = createPortsClient(connection);
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

test("texts are compared by their meaning, without an index", async (t) => {
	const { connection } = await startIn(t, await makeWorkspace(t));
	const { agents } = createPortsClient(connection);
	const others = ["writes unit tests", "translates poems into French", "writes unit tests"];
	const [tests = 0, poems = 0, again] = await agents.likeness("increase the test coverage", others, never);
	assert.ok(tests > poems, `${tests} and ${poems}`);
	assert.equal(tests, again);
	assert.deepEqual(await agents.likeness("increase the test coverage", others, never), [tests, poems, tests]);
	assert.deepEqual(await agents.likeness("xyzzy", [""], never), [0]);
});
