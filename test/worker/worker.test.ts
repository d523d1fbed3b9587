import assert from "node:assert/strict";
import { test } from "node:test";
import { ignore, MODEL_FOLDER, never, startWorker } from "./workerProcess.ts";
import { makeWorkspace } from "./workspace.ts";

test("x", async (t) => {
	const ws = await makeWorkspace(t, { "a.md": "# Lighthouses\n\nThe lamp of Skagen is lit at dusk.\n\n## Keepers\n\nAnna Holm keeps it.\n", "b.txt": "Bread is baked at night.\n" });
	const w = await startWorker(t, { dataFolder: ws.dataFolder, modelFolder: MODEL_FOLDER, folders: [ws.folder] });
	console.time("index");
	console.log(await w.knowledge.index({ rebuild: false }, (p) => console.log(p), never));
	console.timeEnd("index");
	console.log(JSON.stringify(await w.knowledge.search({ query: "who keeps the lamp" }, never), undefined, 1));
	console.log(await w.knowledge.status(never));
	console.log(await w.knowledge.index({ rebuild: false }, (p) => console.log(p), never));
	console.log(await w.knowledge.read({ target: "a.md:3-5" }, never));
	console.log(await w.knowledge.read({ target: "a.mdd:3-5" }, never));
	await w.stop();
});
