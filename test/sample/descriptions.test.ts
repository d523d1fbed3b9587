import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Descriptor } from "../../src/core/knowledge/descriptor.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { MODEL_FOLDER, never, startWorker, unheard } from "../worker/workerProcess.ts";
import { makeWorkspace } from "../worker/workspace.ts";

const SAMPLE = resolve("media/sample");
const descriptions: Readonly<Record<string, Descriptor>> = read("descriptions.json");
const questions: readonly { readonly question: string; readonly path: string }[] = read("otherWords.json");

test("more documents that are asked for in other words stand in front with descriptions than without", async (t) => {
	const { dataFolder } = await makeWorkspace(t);
	const folders = [{ uri: pathToFileURL(SAMPLE).href, name: "sample" }];
	const { knowledge, connection } = await startWorker(t, { dataFolder, modelFolder: MODEL_FOLDER, folders });
	await knowledge.index({ rebuild: false }, unheard, never);
	const inFront = async () => {
		let found = 0;
		for (const { question, path } of questions) {
			const { hits } = await knowledge.search({ query: question, limit: 20, door: "chat" }, never);
			if ([...new Set(hits.map((hit) => hit.path))].slice(0, 3).includes(path)) found++;
		}
		return found;
	};
	const before = await inFront();
	const client = createPortsClient(connection).descriptions;
	for (const [path, descriptor] of Object.entries(descriptions)) {
		const hash = createHash("sha256")
			.update(readFileSync(join(SAMPLE, path)))
			.digest("hex");
		await client.describe(hash, descriptor, never);
	}
	assert.equal((await client.undescribed(1, never)).total, 0);
	const after = await inFront();
	assert.ok(after > before, `${before} → ${after} of ${questions.length}`);
});

function read(name: string) {
	return JSON.parse(readFileSync(join("test/sample", name), "utf8"));
}
