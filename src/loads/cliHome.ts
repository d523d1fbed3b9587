import { homedir } from "node:os";
import { join } from "node:path";

/** Finds the folder of the CLI's data as the CLI itself does. */
export function cliHome(env: NodeJS.ProcessEnv): string {
	return env["COPILOT_HOME"] || join(personHome(env), ".copilot");
}

export function personHome(env: NodeJS.ProcessEnv): string {
	return env["HOME"] || homedir();
}
