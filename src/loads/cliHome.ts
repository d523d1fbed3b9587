import { homedir } from "node:os";
import { join } from "node:path";

/** Folder of the CLI's data, found as the CLI finds it. */
export function cliHome(env: NodeJS.ProcessEnv): string {
	return env["COPILOT_HOME"] || join(personHome(env), ".copilot");
}

export function personHome(env: NodeJS.ProcessEnv): string {
	return env["HOME"] || homedir();
}
