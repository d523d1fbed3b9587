import type { TestContext } from "node:test";
import { createPortsClient } from "../../../src/protocol/portsClient.ts";
import type { WorkerOptions } from "../../../src/protocol/worker.ts";
import { never, startIn, unheard } from "../workerProcess.ts";
import { type Files, makeWorkspace } from "../workspace.ts";

export const CONFIG = ".copilot-ld/config.yaml";

export async function openPolicy(
	t: TestContext,
	config: string,
	files: Files,
	options: Partial<WorkerOptions> = {},
) {
	const workspace = await makeWorkspace(t, { ...files, [CONFIG]: config });
	const worker = await startIn(t, workspace, options);
	await worker.knowledge.index({ rebuild: false }, unheard, never);
	const { graph, catalog } = createPortsClient(worker.connection);
	return { ...worker, workspace, graph, catalog };
}
