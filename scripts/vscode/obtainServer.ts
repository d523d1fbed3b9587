import { join } from "node:path";
import { obtainPackage, runNpm } from "../npm.ts";
import { step } from "../step.ts";

/** The package with the server and web workbench of VS Code 1.139.1. */
const PACKAGE = "code-server@4.139.1";

/** Path of the VS Code server, downloaded from the npm registry if missing. */
export async function obtainServer(): Promise<string> {
	const folder = await obtainPackage(PACKAGE, installDependencies);
	return join(folder, "lib", "vscode", "out", "server-main.js");
}

/** Skips scripts, which compile native modules for minutes; the server runs without these modules. */
async function installDependencies(folder: string): Promise<void> {
	const install = ["install", "--omit=dev", "--ignore-scripts", "--loglevel", "error"];
	await step("Installing the VS Code server", async () => {
		await runNpm(install, { cwd: join(folder, "lib", "vscode") });
		await runNpm(install, { cwd: join(folder, "lib", "vscode", "extensions") });
	});
}
