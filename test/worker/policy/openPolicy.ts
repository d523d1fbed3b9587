import { readFile } from "node:fs/promises";
import type { TestContext } from "node:test";
import type { WorkerOptions } from "../../../src/protocol/worker.ts";
import { applyEdits } from "../../../src/worker/parsing/renameInFile.ts";
import { never, startIn } from "../workerProcess.ts";
import { type Files, makeWorkspace } from "../workspace.ts";

export const CONFIG = ".copilot-ld/config.yaml";
export const NO_RULES = "exclude: [.copilot-ld/]\n";

type Options = Partial<WorkerOptions>;

export async function openPolicy(t: TestContext, config: string, files: Files, options: Options = {}) {
	const workspace = await makeWorkspace(t, { ...files, [CONFIG]: config });
	const worker = await startIn(t, workspace, options);
	await worker.index();
	/** The changed files as the edits leave them, by their paths. */
	const rename = async (iri: string, to: string) => {
		const asked = { iri, to, open: [], door: "chat" } as const;
		const { files: edited, notice } = await worker.things.rename(asked, never);
		const texts: Record<string, string> = {};
		for (const { uri, edits } of edited) {
			const path = decodeURIComponent(uri.slice(workspace.folder.uri.length + 1));
			texts[path] = applyEdits(await readFile(new URL(uri), "utf8"), edits);
		}
		return { texts, notice };
	};
	return { ...worker, workspace, rename };
}
