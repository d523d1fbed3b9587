import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import { isCancellation } from "../cancellation.ts";
import { registerEach, watched } from "../registerEach.ts";
import type { Asker, TestDeps, Tests } from "./tests.ts";

const TESTS_GLOB = "**/.copilot-ld/tests.yaml";

/** Includes the folder, because VS Code may report only the folder if both are created at once. */
const WATCHED_GLOB = "**/{.copilot-ld,.copilot-ld/tests.yaml}";

/** Shows the folders' tests, if any, in the Test Explorer. The test runner is loaded when the view opens. */
export function registerTestExplorer(deps: TestDeps): vscode.Disposable {
	const report = (thrown: unknown) => {
		if (!isCancellation(thrown)) deps.log.error(`Tests of the knowledge: ${messageOf(thrown)}`);
	};
	const tests = once(async () => {
		const { createTests } = await import("./tests.ts");
		return createTests(deps, show(), TESTS_GLOB);
	});
	const read = async () => (await tests.get()).read().catch(report);
	const run = (asker: Asker) => async (request: vscode.TestRunRequest, token: vscode.CancellationToken) =>
		(await tests.get()).run(asker, request, token).catch(report);
	let controller: vscode.TestController | undefined;
	const show = () => {
		if (controller) return controller;
		const opened = vscode.tests.createTestController("copilot-ld.knowledge", vscode.l10n.t("Knowledge"));
		opened.resolveHandler = async (item) => {
			if (item === undefined) await read();
		};
		opened.refreshHandler = read;
		const { Run } = vscode.TestRunProfileKind;
		opened.createRunProfile(vscode.l10n.t("Run"), Run, run("passages"), true);
		opened.createRunProfile(vscode.l10n.t("Run with Language Model"), Run, run("model"));
		controller = opened;
		return opened;
	};
	const look = async () => {
		const [found] = await vscode.workspace.findFiles(TESTS_GLOB, null, 1);
		if (found) show();
		// Nothing needs an update until the view is opened.
		if (tests.peek() !== undefined) void read();
	};
	const update = () => void look().catch(report);
	update();
	return vscode.Disposable.from(
		{ dispose: () => controller?.dispose() },
		registerEach({
			"copilot-ld.updateExpectedSources": async (chosen: Parameters<Tests["updateExpectedSources"]>[0]) =>
				(await tests.get()).updateExpectedSources(chosen),
		}),
		watched(WATCHED_GLOB, update),
	);
}
