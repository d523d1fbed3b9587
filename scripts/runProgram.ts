import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface ProgramOptions {
	readonly cwd?: string;
	readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end and shows what it prints on stderr. Rejects where it does not exit with 0. */
export async function runProgram(command: string, args: readonly string[], options: ProgramOptions = {}) {
	const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
	child.stdout.pipe(process.stderr, { end: false });
	await settle(once(child, "close"), command, args);
}

/** What a program prints. Its complaints go to stderr; rejects where it does not exit with 0. */
export async function outputOf(command: string, args: readonly string[], options: ProgramOptions = {}) {
	const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
	const closed = once(child, "close");
	const [output] = await Promise.all([text(child.stdout), settle(closed, command, args)]);
	return output;
}

async function settle(closed: Promise<unknown[]>, command: string, args: readonly string[]): Promise<void> {
	const [code, signal] = await closed;
	if (code !== 0) throw new Error(`"${[command, ...args].join(" ")}" ended with ${code ?? signal}.`);
}
