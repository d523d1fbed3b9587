import type { TestContext } from "node:test";
import { createPortsClient } from "../../../src/protocol/portsClient.ts";
import type { WorkerOptions } from "../../../src/protocol/worker.ts";
import { MODEL_FOLDER, never, startWorker, unheard } from "../workerProcess.ts";
import { type Files, makeWorkspace } from "../workspace.ts";

export const CONFIG = ".copilot-ld/config.yaml";

/** A worker behind a pipe, with these files indexed and this configuration. */
export async function openPolicy(
	t: TestContext,
	config: string,
	files: Files,
	options: Pick<WorkerOptions, "embedding"> = {},
) {
	const workspace = await makeWorkspace(t, { ...files, [CONFIG]: config });
	const { dataFolder, folder } = workspace;
	const worker = await startWorker(t, {
		dataFolder,
		modelFolder: MODEL_FOLDER,
		folders: [folder],
		...options,
	});
	await worker.knowledge.index({ rebuild: false }, unheard, never);
	const graph = createPortsClient(worker.connection).graph;
	return { ...worker, workspace, graph, catalog: createPortsClient(worker.connection).catalog };
}
