import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, lstat, realpath, stat } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure, isFailure, messageOf } from "../failure.ts";
import { codeOf } from "../files/file.ts";
import { isInside } from "../files/paths.ts";

export interface ProgramRun {
	/** Absolute path; started without a shell. */
	readonly program: string;
	readonly args: readonly string[];
	readonly folder: string;
	readonly input: string;
	/** Environment to select from: the program receives only the variables that programs usually need. */
	readonly env: NodeJS.ProcessEnv;
	readonly timeoutMs: number;
	readonly maxBytes: number;
}

/** Maximum number of bytes of `stderr` quoted in a failure. */
const COMPLAINT = 500;

/** Variables for paths and locales; none is secret. */
const PASSED_ON =
	/^(?:PATH|PATHEXT|HOME|USER|LOGNAME|USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|SHELL|TERM|TZ|LANG|LANGUAGE|LC_\w+|TMP|TEMP|TMPDIR|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES)$/i;

/**
 * Resolves to the output. Rejects with a `Failure` if the program fails or times out.
 * Kills the program's process group on abort, timeout or too much output.
 */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<string> {
	signal.throwIfAborted();
	const { program, args, folder, env, timeoutMs, maxBytes } = run;
	const passedOn = Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));
	const child = spawn(program, args, {
		cwd: folder,
		env: passedOn,
		stdio: ["pipe", "pipe", "pipe"],
		// In a separate process group, one signal also reaches the program's children.
		detached: process.platform !== "win32",
		windowsHide: true,
	});
	const late = AbortSignal.timeout(timeoutMs);
	const either = AbortSignal.any([signal, late]);
	const end = () => {
		killGroup(child, "SIGKILL");
		// Processes that left the group could keep the output open forever.
		child.stdout.destroy();
		child.stderr.destroy();
	};
	either.addEventListener("abort", end);
	const complaint = bounded(COMPLAINT);
	const output = bounded(maxBytes, end);
	child.stderr.on("data", complaint.add);
	child.stdout.on("data", output.add);
	// A program may ignore its input: the exit code tells whether a broken pipe matters.
	child.stdin.on("error", () => undefined).end(run.input);
	try {
		const [code, ended] = await once(child, "close");
		signal.throwIfAborted();
		if (output.isFull())
			return `${output.text()}\n(The program wrote more than ${maxBytes / 1000} kB and was stopped.)`;
		if (late.aborted) throw failed(program, `it took longer than ${timeoutMs / 1000} s`);
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

export function killGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL", platform = process.platform) {
	if (child.pid === undefined) return;
	if (platform === "win32") {
		const killer = spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
		// If `taskkill` is missing, end at least the process itself.
		killer.on("error", () => child.kill(signal)).unref();
		return;
	}
	kill(-child.pid, signal);
}

export function kill(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
	try {
		process.kill(pid, signal);
	} catch {
		// The process has already ended.
	}
}

/** Absolute paths of folders. */
export interface WorkPlace {
	readonly folder: string;
	readonly own: string;
}

/** The file's own folder, and the workspace folder that contains the file, otherwise the first workspace folder. */
export function workPlaceOf(uri: string, folders: readonly string[]): WorkPlace | undefined {
	const own = dirname(fileURLToPath(uri));
	const folder = folders.find((one) => isInside(own, one)) ?? folders[0];
	return folder === undefined ? undefined : { folder, own };
}

/** Absolute path of a program: `./name` in `folder`, any other name in the folders of PATH. `undefined` if missing. */
export async function findProgram(
	name: string,
	{ folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
	const paths = name.startsWith("./") ? [await ownPath(folder, name)] : pathsFor(name, env);
	for (const path of paths) if (await isProgram(path)) return realpath(path);
	return undefined;
}

export async function whyNoProgram(name: string, folder: string): Promise<string> {
	const path = name.startsWith("./") ? await ownPath(folder, name) : "";
	const found = await stat(path).catch(() => undefined);
	return found?.isFile()
		? `The program ${name} is not executable. Tell the user to run: chmod +x ${name}`
		: `The program ${name} was not found. Tell the user to install it.`;
}

/** Empty if the path leads out of the folder. */
function ownPath(folder: string, name: string): Promise<string> {
	return pathWithin(folder, name).catch(() => "");
}

function pathsFor(name: string, env: NodeJS.ProcessEnv): string[] {
	const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
	return folders.flatMap((folder) => ENDINGS.map((ending) => join(folder, name + ending)));
}

/** Extensions that Windows starts without a shell. Scripts are excluded: a shell would parse their arguments. */
const ENDINGS = process.platform === "win32" ? [".exe", ".com"] : [""];

async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile() && !/\.(?:cmd|bat)[. ]*$/i.test(path);
	} catch {
		return false;
	}
}

/** Real path of an existing or future path in a folder. Rejects if the real path is outside the folder. */
export async function pathWithin(folder: string, path: string): Promise<string> {
	const root = await realpath(folder);
	const real = await realOf(resolve(root, path));
	if (!isInside(real, root)) throw new TypeError(`${path} is outside.`);
	return real;
}

async function realOf(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (thrown) {
		// A broken link also fails with ENOENT, and could lead anywhere once its target exists.
		const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink();
		if (codeOf(thrown) !== "ENOENT" || dirname(path) === path || isLink) throw thrown;
	}
	return join(await realOf(dirname(path)), basename(path));
}

/** Rejects if a path is outside of `folder` or not a folder. */
export async function requireFolderWithin(folder: string, path: string): Promise<void> {
	const real = await pathWithin(folder, path);
	if (!(await stat(real)).isDirectory()) throw new TypeError(`${path} is not a folder.`);
}
