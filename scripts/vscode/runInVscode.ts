import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import type { Page } from "playwright-core";
import { obtainChromium } from "./obtainChromium.ts";
import { obtainServer } from "./obtainServer.ts";
import { desktopArguments, linkExtensions, presetSettings } from "./profile.ts";
import { openReportChannel } from "./report.ts";
import { type Server, startServer } from "./server.ts";
import { openWorkbench, type WorkbenchOptions } from "./workbench.ts";

/** A bundle to run inside VS Code, with options of that VS Code. */
export interface VscodeRun<Report> {
	/** Absolute path of the folder to open. */
	readonly folder: string;
	/** Absolute paths of the extensions to load, beside those installed in the data folder. */
	readonly extensions: readonly [string, ...string[]];
	/** Absolute path of the bundle; it exports `run()`. */
	readonly bundle: string;
	/** Folder for the data and logs of VS Code. */
	readonly dataFolder: string;
	readonly env?: Readonly<Record<string, string>>;
	/** User settings, in addition to those of every run. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Receives a report of the bundle, and the page with the workbench, if there is one. */
	receive(report: Report, page: Page | undefined): unknown;
}

const SILENCE_MS = 180_000;

/** Rejects if `run()` rejects. */
export async function runOnServer<Report>(run: VscodeRun<Report>): Promise<void> {
	const program = await obtainServer();
	const chromium = await obtainChromium();
	await presetSettings(join(run.dataFolder, "data", "User"), run.settings);
	const opened = Promise.withResolvers<Page>();
	const begun = Promise.withResolvers<void>();
	const channel = await openReportChannel<Report>(async (report) => {
		begun.resolve();
		return run.receive(report, await opened.promise);
	});
	const extensionsFolder = join(run.dataFolder, "extensions");
	// The web workbench accepts only one extension under development, but any number of installed ones.
	const [extension, ...others] = run.extensions;
	await linkExtensions(others, extensionsFolder);
	const env = { ...run.env, ...channel.env };
	const server = await startServer({
		program,
		dataFolder: run.dataFolder,
		extensionsFolder,
		env,
		isTest: true,
	});
	try {
		const logFile = join(run.dataFolder, "workbench.log");
		const options = { ...run, chromium, extension, logFile };
		await runInPage(server, options, { opened: opened.resolve, begun: begun.promise });
	} finally {
		await server.stop();
		channel.close();
	}
}

interface Signs {
	opened(page: Page): void;
	/** Resolves with the first report. */
	readonly begun: Promise<void>;
}

async function runInPage(server: Server, options: WorkbenchOptions, { opened, begun }: Signs) {
	const workbench = await openWorkbench(server, options);
	opened(workbench.page);
	try {
		const code = await Promise.race([workbench.exitCode, rejectSilence(begun, options.logFile)]);
		if (code !== 0) throw new Error(`The run inside VS Code failed. See ${options.logFile}.`);
	} finally {
		await workbench.close();
	}
}

/** Rejects if the bundle does not send its first report in time; never resolves. */
function rejectSilence(begun: Promise<void>, logFile: string): Promise<never> {
	const { promise, reject } = Promise.withResolvers<never>();
	const message = `VS Code did not begin to run within ${SILENCE_MS / 1000} seconds. See ${logFile}.`;
	const timer = setTimeout(() => reject(new Error(message)), SILENCE_MS).unref();
	void begun.then(() => clearTimeout(timer));
	return promise;
}

/** Rejects if `run()` rejects. */
export async function runOnDesktop<Report>(program: string, run: VscodeRun<Report>): Promise<void> {
	await presetSettings(join(run.dataFolder, "User"), run.settings);
	const channel = await openReportChannel<Report>((report) => run.receive(report, undefined));
	try {
		await runTests({
			vscodeExecutablePath: program,
			extensionDevelopmentPath: [...run.extensions],
			extensionTestsPath: run.bundle,
			stdout: process.stderr,
			extensionTestsEnv: { ...run.env, ...channel.env },
			launchArgs: [run.folder, ...desktopArguments(run.dataFolder)],
		});
	} finally {
		channel.close();
	}
}
