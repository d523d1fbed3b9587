import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { endsWithin } from "../../base/jobs/untilAborted.ts";
import { killGroup } from "../../base/program/runProgram.ts";
import type { AgentLink } from "./acpClient.ts";
import { killMarked, MARK } from "./processTree.ts";

export interface CliProcessOptions {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** Milliseconds to wait after each of the three ways to stop the process. */
	readonly graceMs?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** While a tool runs, the CLI takes two seconds to end its shells. */
const GRACE_MS = 4000;

/** Maximum length of a line, which is large because each update repeats the whole output of a call. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const STDERR_CHARACTERS = 2000;

/** Variables for this process and its debugger, which would also affect the CLI. */
const NOT_INHERITED = ["NODE_OPTIONS", "NODE_DEBUG", "ELECTRON_RUN_AS_NODE", "VSCODE_INSPECTOR_OPTIONS"];

export function startCli(options: CliProcessOptions): AgentLink {
	const mark = randomUUID();
	const child = spawnChild(options, mark);
	const exited = whenExited(child);
	// A process that exits by itself may leave shells behind, which inherit the process's mark.
	void exited.then(() => killMarked(mark));
	return {
		stream: ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout), {
			maxMessageBytes: MAX_LINE_BYTES,
		}),
		closed: exited,
		...(child.pid !== undefined && { pid: child.pid }),
		stop: () => stop(child, exited, options.graceMs ?? GRACE_MS),
	};
}

function spawnChild({ command, args, cwd, env }: CliProcessOptions, mark: string): Child {
	const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_INHERITED.includes(name)));
	return spawn(command, args, {
		cwd,
		env: { ...inherited, [MARK]: mark },
		stdio: ["pipe", "pipe", "pipe"],
		// The CLI gets its own process group, so that one signal also reaches its child processes.
		detached: process.platform !== "win32",
		windowsHide: true,
	});
}

function whenExited(child: Child): Promise<string> {
	let stderr = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		stderr = (stderr + text).slice(-STDERR_CHARACTERS);
	});
	child.stdin.on("error", () => undefined);
	const { promise, resolve } = Promise.withResolvers<string>();
	child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
	child.once("exit", (code, signal) => {
		const words = stderr.trim();
		resolve(`it ended with ${signal ?? `exit code ${code}`}${words && `: ${words}`}`);
	});
	return promise;
}

/** Closes the process's input, which asks the process to exit, and sends signals if that does not help. */
async function stop(child: Child, exited: Promise<string>, graceMs: number): Promise<void> {
	child.stdin.end();
	if (await endsWithin(exited, graceMs)) return;
	killGroup(child, "SIGTERM");
	if (await endsWithin(exited, graceMs)) return;
	killGroup(child, "SIGKILL");
	await endsWithin(exited, graceMs);
}
