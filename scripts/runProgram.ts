import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ProgramOptions {
	readonly cwd?: string;
	readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end, with all its output on stderr. Rejects if the exit code is not 0. */
export async function runProgram(command: string, args: readonly string[], options: ProgramOptions = {}) {
	const child = spawn(command, args, { ...options, stdio: ["ignore", process.stderr, process.stderr] });
	const [code, signal] = await once(child, "close");
	if (code !== 0) throw new Error(`"${[command, ...args].join(" ")}" ended with ${code ?? signal}.`);
}
