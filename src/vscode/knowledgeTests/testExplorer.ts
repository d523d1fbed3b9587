import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { isCancellation } from "../cancellation.ts";

/** Where a folder keeps its tests. */
const TESTS_GLOB = "**/.copilot-ld/tests.yaml";

export interface TestExplorerDeps {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	/** Answers without a language model. */
	readonly passages: Runner;
	/** Answers with one; rejects with a `Failure` where there is none. */
	openRunner(): Promise<Runner>;
	/** Fires when the index changed. */
	readonly onDidChangeIndex: vscode.Event<void>;
	readonly log: vscode.LogOutputChannel;
}

/** What asks the questions: passages of the documents, or a language model. */
export type Asker = "passages" | "model";

/** The folders' tests in VS Code's Test Explorer. What reads and runs them is loaded when the view is opened. */
export function registerTestExplorer(deps: TestExplorerDeps): vscode.Disposable {
	const controller = vscode.tests.createTestController("copilot-ld.knowledge", "Knowledge");
	const report = (thrown: unknown) => {
		if (!isCancellation(thrown)) deps.log.error(`Tests of the knowledge: ${messageOf(thrown)}`);
	};
	const tree = async () => (await import("./testTree.ts")).readTests(controller, TESTS_GLOB);
	const isShown = () => controller.items.size > 0;
	controller.resolveHandler = async (item) => {
		if (item === undefined) await tree().catch(report);
	};
	controller.refreshHandler = () => tree().catch(report);
	const run = (asker: Asker) => async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
		const { runOnce, runAgain } = await import("./testRuns.ts");
		const run = request.continuous ? runAgain : runOnce;
		await run({ ...deps, controller, asker, request }, token).catch(report);
	};
	const { Run } = vscode.TestRunProfileKind;
	const profiles = [
		controller.createRunProfile("Run", Run, run("passages"), true, undefined, true),
		controller.createRunProfile("Run With Language Model", Run, run("model"), false),
	];
	const watcher = vscode.workspace.createFileSystemWatcher(TESTS_GLOB);
	const update = () => {
		if (isShown()) void tree().catch(report);
	};
	return vscode.Disposable.from(
		controller,
		...profiles,
		watcher,
		watcher.onDidCreate(() => void tree().catch(report)),
		watcher.onDidChange(update),
		watcher.onDidDelete(update),
	);
}
