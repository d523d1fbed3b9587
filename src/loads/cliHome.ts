import { homedir } from "node:os";
import { join } from "node:path";

/** The folder of the CLI's own data, as it finds it itself. */
export function cliHome(env: NodeJS.ProcessEnv): string {
	return env["COPILOT_HOME"] || join(personHome(env), ".copilot");
}

export function personHome(env: NodeJS.ProcessEnv): string {
	return env["HOME"] || homedir();
}
