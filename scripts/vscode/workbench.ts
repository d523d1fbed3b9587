import { createWriteStream } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import type { Server } from "./server.ts";

export interface WorkbenchOptions {
	/** Absolute path of the folder to open. */
	readonly folder: string;
	/** Absolute path of an extension under development, without which VS Code does not run bundles. */
	readonly extension: string;
	/** Absolute path of a bundle that exports `run()`. */
	readonly bundle: string;
	/** Absolute path of the browser's program. */
	readonly chromium: string;
	readonly logFile: string;
}

export interface Workbench {
	readonly page: Page;
	/** The exit code: 0 if `run()` resolved. Rejects if the page closes before. */
	readonly exitCode: Promise<number>;
	close(): Promise<void>;
}

/** Flags for Chromium as root, in a container, without display and network. */
export const FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-dev-shm-usage",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

/** Opens the web workbench of a server in a Chromium without a window, and lets it run a bundle. */
export async function openWorkbench(server: Server, options: WorkbenchOptions): Promise<Workbench> {
	const browser = await chromium.launch({ executablePath: options.chromium, args: FLAGS });
	const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
	const log = createWriteStream(options.logFile);
	const write = (type: string, text: string) => log.write(`${type}: ${text}\n`);
	page.on("console", (message) => write(message.type(), message.text()));
	await page.exposeFunction("codeAutomationLog", (type: string, words: unknown[]) =>
		write(type, words.join(" ")),
	);
	const exit = Promise.withResolvers<number>();
	page.once("close", () => exit.reject(new Error("The page of the VS Code workbench was closed.")));
	page.once("crash", () => exit.reject(new Error("The page of the VS Code workbench crashed.")));
	await page.exposeFunction("codeAutomationExit", exit.resolve);
	// The caller has its own time limit; that of the page is too short for a busy machine.
	await page.goto(addressOf(server, options), { waitUntil: "commit" });
	return { page, exitCode: exit.promise, close: () => browser.close() };
}

/** The address of the workbench; its payload has the role of command-line arguments. */
function addressOf(server: Server, { folder, extension, bundle }: WorkbenchOptions): string {
	const remote = (path: string) => `vscode-remote://${server.authority}${pathToFileURL(path).pathname}`;
	const payload = [
		["extensionDevelopmentPath", remote(extension)],
		["extensionTestsPath", remote(bundle)],
		["skipWelcome", "true"],
	];
	return server.addressFor(folder, { payload: JSON.stringify(payload) });
}
