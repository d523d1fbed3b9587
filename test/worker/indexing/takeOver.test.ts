import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { filesChanged } from "../../../src/protocol/worker.ts";
import { untilIt } from "../../support/untilIt.ts";
import { openWorker } from "../embedding/embeddingWorker.ts";
import { makeWorkspace } from "../workspace.ts";

const FILES = { "lighthouses.md": "# Lighthouses\n\nThe lamp of Skagen is lit at dusk.\n" };
const STORM = { "storm.md": "# Storm\n\nThe storm of 1902.\n" };

async function open(t: TestContext) {
	const workspace = await makeWorkspace(t, FILES);
	const keeper = await openWorker(t, workspace, { name: "The MCP server of a [test](command:x)" });
	await keeper.index();
	const other = await openWorker(t, workspace);
	await other.search("lamp");
	return {
		...{ workspace, keeper, other },
		save: async (files: typeof STORM) => {
			await workspace.write(files);
			const uris = Object.keys(files).map(workspace.uri);
			await other.connection.sendNotification(filesChanged, { uris });
		},
		untilFound: (query: string, path: string) =>
			untilIt(
				() => other.search(query),
				({ hits: [best] }) => best?.path === path,
			),
	};
}

test("the refusal says which process keeps the index in step, and what to do", async (t) => {
	const { keeper, other } = await open(t);
	const who = `The MCP server of a testcommandx \\(process ${keeper.process.pid}\\) keeps this index up to date`;
	const message = new RegExp(`${who}.*search it here as usual`);
	await assert.rejects(other.index(), { code: "BUSY", message });
	await assert.rejects(other.index(true), { code: "BUSY", message: new RegExp(`${who}.*close it`) });
});

for (const end of ["kill", "stop"] as const)
	test(`a file that is saved after the keeper's end (${end}) is indexed by the other worker`, async (t) => {
		const { keeper, save, untilFound } = await open(t);
		await keeper[end]();
		await save(STORM);
		await untilFound("storm of 1902", "storm.md");
	});

test("a change that the keeper had not seen before its end is indexed by the other worker, unasked", async (t) => {
	const { keeper, other, save, untilFound } = await open(t);
	await save(STORM);
	const { hits } = await other.search("storm of 1902");
	assert.ok(hits.every(({ path }) => path !== "storm.md"));
	await keeper.kill();
	await untilFound("storm of 1902", "storm.md");
});
