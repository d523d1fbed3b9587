import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Mocha from "mocha";
import { sendReport } from "../../scripts/vscode/report.ts";
import type { TestReport } from "./testReport.ts";

/** A whole turn takes about a second; the first one loads the model and makes the index. */
const TIMEOUT_MS = 60_000;

/** The tests in their order: the first ones see VS Code as it started. */
const suites = [
	() => import("./activation.suite.ts"),
	() => import("./report.suite.ts"),
	() => import("./indexing.suite.ts"),
	() => import("./chat.suite.ts"),
	() => import("./evidence.suite.ts"),
	() => import("./sessions.suite.ts"),
	() => import("./tools.suite.ts"),
	() => import("./permissions.suite.ts"),
	() => import("./graph.suite.ts"),
	() => import("./knowledge.suite.ts"),
	() => import("./knowledgeTests.suite.ts"),
	() => import("./agents.suite.ts"),
	() => import("./describe.suite.ts"),
	() => import("./serverModels.suite.ts"),
	() => import("./passages.suite.ts"),
	() => import("./cli.suite.ts"),
	() => import("./orchestrator.suite.ts"),
	() => import("./questions.suite.ts"),
	() => import("./mcp.suite.ts"),
	() => import("./sessionsView.suite.ts"),
	() => import("./worker.suite.ts"),
	() => import("./embedding.suite.ts"),
];

/** Runs the tests inside VS Code; rejects where one failed. */
export async function run(): Promise<void> {
	process.setSourceMapsEnabled(true);
	// The person's own sessions of the Copilot CLI are no matter of the tests.
	const cliHome = await mkdtemp(join(tmpdir(), "cli-"));
	process.env["COPILOT_HOME"] = cliHome;
	let reported: Promise<unknown> = Promise.resolve();
	const report = (entry: TestReport) => {
		reported = reported.then(() => sendReport(entry));
	};
	const mocha = new Mocha({ ui: "tdd", timeout: TIMEOUT_MS });
	mocha.suite.emit("pre-require", globalThis, "", mocha);
	for (const load of suites) await load();
	const failures = await new Promise<number>((resolve) => relay(mocha.run(resolve), report));
	await reported;
	// A CLI that was ended may write a moment longer.
	await rm(cliHome, { recursive: true, maxRetries: 5, retryDelay: 100 });
	if (failures > 0) throw new Error(`${failures} tests failed.`);
}

function relay(runner: Mocha.Runner, report: (entry: TestReport) => void): void {
	runner.on("pass", (test) =>
		report({ kind: "passed", title: test.fullTitle(), durationMs: test.duration ?? 0 }),
	);
	runner.on("fail", (test, error) =>
		report({ kind: "failed", title: test.fullTitle(), message: error.stack ?? error.message }),
	);
}
