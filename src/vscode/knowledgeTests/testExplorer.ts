import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import { isCancellation } from "../cancellation.ts";
import { registerEach } from "../registerEach.ts";
import type { Asker, TestDeps } from "./testDeps.ts";
import type { Tests } from "./tests.ts";

const TESTS_GLOB = "**/.copilot-ld/tests.yaml";

/** The folders' tests in VS Code's Test Explorer. What reads and runs them is loaded when the view is opened. */
export function registerTestExplorer(deps: TestDeps): vscode.Disposable {
	const controller = vscode.tests.createTestController("copilot-ld.knowledge", vscode.l10n.t("Knowledge"));
	const report = (thrown: unknown) => {
		if (!isCancellation(thrown)) deps.log.error(`Tests of the knowledge: ${messageOf(thrown)}`);
	};
	const tests = once(async () =>
		(await import("./tests.ts")).createTests({ ...deps, controller, glob: TESTS_GLOB }),
	);
	const read = async () => (await tests.get()).read().catch(report);
	controller.resolveHandler = async (item) => {
		if (item === undefined) await read();
	};
	controller.refreshHandler = read;
	const run = (asker: Asker) => async (request: vscode.TestRunRequest, token: vscode.CancellationToken) =>
		(await tests.get()).run(asker, request, token).catch(report);
	const { Run } = vscode.TestRunProfileKind;
	const profiles = [
		controller.createRunProfile(vscode.l10n.t("Run"), Run, run("passages"), true, undefined, true),
		controller.createRunProfile(vscode.l10n.t("Run with Language Model"), Run, run("model"), false),
	];
	const watcher = vscode.workspace.createFileSystemWatcher(TESTS_GLOB);
	const update = () => {
		// Before the view was opened there is nothing to keep in step.
		if (tests.peek() !== undefined) void read();
	};
	const commands = registerEach({
		"copilot-ld.updateExpectedSources": async (chosen: Parameters<Tests["updateExpectedSources"]>[0]) =>
			(await tests.get()).updateExpectedSources(chosen),
	});
	return vscode.Disposable.from(
		controller,
		commands,
		...profiles,
		watcher,
		watcher.onDidCreate(update),
		watcher.onDidChange(update),
		watcher.onDidDelete(update),
	);
}
