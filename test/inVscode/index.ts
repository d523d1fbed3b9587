import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Mocha from "mocha";
import { sendReport } from "../../scripts/vscode/report.ts";
import type { TestReport } from "./testReport.ts";

/** A turn takes about a second; the first one also loads the model and builds the index. */
const TIMEOUT_MS = 120_000;

/** The suites of each window, in order: the first ones see VS Code as it started. */
const windows = {
	first: {
		activation: () => import("./activation.suite.ts"),
		// Runs before other suites change plugins, whose changes a call would have to read first.
		worker: () => import("./worker.suite.ts"),
		chat: () => import("./chat.suite.ts"),
		sessions: () => import("./sessions.suite.ts"),
		permissions: () => import("./permissions.suite.ts"),
		knowledge: () => import("./knowledge.suite.ts"),
		language: () => import("./language.suite.ts"),
		notes: () => import("./notes.suite.ts"),
		queries: () => import("./queries.suite.ts"),
		knowledgeTests: () => import("./knowledgeTests.suite.ts"),
		agents: () => import("./agents.suite.ts"),
		plugins: () => import("./plugins.suite.ts"),
	},
	second: {
		describe: () => import("./describe.suite.ts"),
		serverModels: () => import("./serverModels.suite.ts"),
		passages: () => import("./passages.suite.ts"),
		documents: () => import("./documents.suite.ts"),
		orchestrator: () => import("./orchestrator.suite.ts"),
		questions: () => import("./questions.suite.ts"),
		mcp: () => import("./mcp.suite.ts"),
		keyboard: () => import("./keyboard.suite.ts"),
	},
	/** In Restricted Mode. */
	restricted: { restricted: () => import("./restricted.suite.ts") },
};

/** Runs the tests inside VS Code; rejects if one fails. */
export async function run(): Promise<void> {
	process.setSourceMapsEnabled(true);
	// Keeps the developer's own sessions of the Copilot CLI out of the tests.
	const cliHome = await mkdtemp(join(tmpdir(), "cli-"));
	process.env["COPILOT_HOME"] = cliHome;
	let reported: Promise<unknown> = Promise.resolve();
	const report = (entry: TestReport) => {
		reported = reported.then(() => sendReport(entry));
	};
	const mocha = new Mocha({ ui: "tdd", timeout: TIMEOUT_MS });
	mocha.suite.emit("pre-require", globalThis, "", mocha);
	for (const load of wantedSuites()) await load();
	const failures = await new Promise<number>((resolve) => relay(mocha.run(resolve), report));
	await reported;
	// A CLI that was stopped may still write for a moment.
	await rm(cliHome, { recursive: true, maxRetries: 5, retryDelay: 100 });
	if (failures > 0) throw new Error(`${failures} tests failed.`);
}

function wantedSuites(): readonly (() => Promise<unknown>)[] {
	const named = process.env["COPILOT_LD_SUITES"]?.split(" ");
	const all = Object.entries(windows).flatMap(([window, suites]) =>
		Object.entries(suites).map(([name, load]) => ({ window, name, load })),
	);
	const isWanted = (window: string, name: string) =>
		named ? named.includes(name) : window === process.env["COPILOT_LD_WINDOW"];
	return all.filter(({ window, name }) => isWanted(window, name)).map(({ load }) => load);
}

function relay(runner: Mocha.Runner, report: (entry: TestReport) => void): void {
	runner.on("pass", (test) =>
		report({ kind: "passed", title: test.fullTitle(), durationMs: test.duration ?? 0 }),
	);
	runner.on("fail", (test, error) =>
		report({ kind: "failed", title: test.fullTitle(), message: error.stack ?? error.message }),
	);
}
