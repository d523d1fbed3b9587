import { spawn } from "node:child_process";
import { once } from "node:events";
import { Failure, isFailure, messageOf } from "../failure.ts";
import { killGroup } from "./killGroup.ts";

export interface ProgramRun {
	/** Absolute path; started without a shell. */
	readonly program: string;
	readonly args: readonly string[];
	/** Absolute path of the folder that it starts in. */
	readonly folder: string;
	readonly input: string;
	/** Where it comes from; only what programs need to work is passed on. */
	readonly env: NodeJS.ProcessEnv;
	readonly timeoutMs: number;
	readonly maxBytes: number;
}

/** Characters of what it complains. */
const COMPLAINT = 500;

/** What says where things are and how texts are written, and no secrets. */
const PASSED_ON =
	/^(?:PATH|PATHEXT|HOME|USER|LOGNAME|USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|SHELL|TERM|TZ|LANG|LANGUAGE|LC_\w+|TMP|TEMP|TMPDIR|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES)$/i;

/** Output of a program. Rejects with a `Failure` if it fails, times out or writes too much; then its process group is ended. */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<string> {
	signal.throwIfAborted();
	const { program, args, folder, env, timeoutMs, maxBytes } = run;
	const passedOn = Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));
	const child = spawn(program, args, {
		cwd: folder,
		env: passedOn,
		stdio: ["pipe", "pipe", "pipe"],
		// In its own process group, so that one signal also reaches what it started.
		detached: process.platform !== "win32",
		windowsHide: true,
	});
	const late = AbortSignal.timeout(timeoutMs);
	const either = AbortSignal.any([signal, late]);
	const end = () => {
		killGroup(child, "SIGKILL");
		// What left the group could hold its output open for ever.
		child.stdout.destroy();
		child.stderr.destroy();
	};
	either.addEventListener("abort", end);
	const complaint = bounded(COMPLAINT);
	const output = bounded(maxBytes, end);
	child.stderr.on("data", complaint.add);
	child.stdout.on("data", output.add);
	// One that reads nothing is no mistake; a broken pipe shows as the exit.
	child.stdin.on("error", () => undefined).end(run.input);
	try {
		const [code, ended] = await once(child, "close");
		signal.throwIfAborted();
		if (late.aborted) throw failed(program, `it took longer than ${timeoutMs / 1000} s`);
		if (output.isFull()) throw failed(program, `it wrote more than ${maxBytes / 1000} kB`);
		if (code !== 0) throw failed(program, `it ended with ${ended ?? `exit code ${code}`}`, complaint.text());
		return output.text();
	} catch (thrown) {
		if (isFailure(thrown) || signal.aborted) throw thrown;
		throw failed(program, `it could not be started: ${messageOf(thrown)}`);
	} finally {
		either.removeEventListener("abort", end);
	}
}

function bounded(maxBytes: number, onFull: () => void = () => undefined) {
	const pieces: Buffer[] = [];
	let size = 0;
	return {
		add: (piece: Buffer) => {
			if (size <= maxBytes) pieces.push(piece);
			size += piece.length;
			if (size > maxBytes) onFull();
		},
		isFull: () => size > maxBytes,
		text: () => new TextDecoder().decode(Buffer.concat(pieces).subarray(0, maxBytes)),
	};
}

function failed(program: string, why: string, complaint = ""): Failure {
	const words = complaint.trim();
	return new Failure("BAD_INPUT", `The program ${program} failed: ${why}${words && `. It says: ${words}`}`);
}
