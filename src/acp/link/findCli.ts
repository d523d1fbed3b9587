import { execFile } from "node:child_process";
import { access, constants, realpath } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { Failure } from "../../base/failure.ts";

export interface FoundCli {
	readonly command: string;
	readonly version: string;
}

export interface CliPlaces {
	/** Path from the user's settings, or empty. If set, no other place is tried. */
	readonly setting: string;
	readonly env: NodeJS.ProcessEnv;
	/** Folders with a `node_modules`, which are tried after the PATH and before `programs`. */
	readonly packageFolders?: readonly string[];
	readonly programs?: readonly string[];
}

const OLDEST = "1.0.0";
const INSTALL = "npm install -g @github/copilot";
const VERSION_MS = 15_000;

const run = promisify(execFile);

export async function findCli(places: CliPlaces): Promise<FoundCli> {
	const { setting, env } = places;
	if (setting !== "" && !isAbsolute(setting))
		throw new Failure("CLI_MISSING", `copilot-LD.cli.path must be an absolute path; it is “${setting}”.`);
	let tooOld: FoundCli | undefined;
	for (const candidate of setting === "" ? candidatesIn(places) : [setting]) {
		const found = await tryProgram(candidate, env);
		if (found && found.version.localeCompare(OLDEST, undefined, { numeric: true }) >= 0) return found;
		tooOld ??= found;
	}
	if (tooOld) {
		const message = `The GitHub Copilot CLI at ${tooOld.command} is version ${tooOld.version}; Copilot-LD needs ${OLDEST} or newer. Update it with “copilot update” or “${INSTALL}”.`;
		throw new Failure("CLI_OLD", message);
	}
	const message =
		setting === ""
			? `The GitHub Copilot CLI was not found. Install it with “${INSTALL}”, or set copilot-LD.cli.path to its path.`
			: `“${setting}” is not the GitHub Copilot CLI, or cannot be started. Correct copilot-LD.cli.path, or clear it to find the CLI automatically.`;
	throw new Failure("CLI_MISSING", message);
}

function* candidatesIn({ env, packageFolders = [], programs = [] }: CliPlaces): Generator<string> {
	const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
	for (const folder of folders) for (const name of programNames) yield join(folder, name);
	for (const folder of packageFolders) yield* nativeProgramsIn(join(folder, "node_modules"));
	yield* programs;
}

/** A `.cmd` file, which would need a shell to start, is used only to find the package. */
const programNames = process.platform === "win32" ? ["copilot.exe", "copilot.cmd"] : ["copilot"];

async function tryProgram(path: string, env: NodeJS.ProcessEnv): Promise<FoundCli | undefined> {
	for (const command of await programsOf(path)) {
		const version = await versionOf(command, env);
		if (version) return { command, version };
	}
	return undefined;
}

/** Prefers the program itself to npm's loader, which would run the program as a child process. */
async function programsOf(path: string): Promise<string[]> {
	const real = await realpath(path).catch(() => undefined);
	if (!real) return [];
	const isLoader = real.endsWith("npm-loader.js");
	if (!isLoader && !real.endsWith(".cmd")) return [real];
	const modules = isLoader ? join(dirname(real), "..", "..") : join(dirname(real), "node_modules");
	const inside = join(modules, "@github", "copilot", "node_modules");
	const natives = [...nativeProgramsIn(inside), ...nativeProgramsIn(modules)];
	return isLoader ? [...natives, real] : natives;
}

function nativeProgramsIn(modules: string): string[] {
	const name = process.platform === "win32" ? "copilot.exe" : "copilot";
	const platforms = process.platform === "linux" ? ["linux", "linuxmusl"] : [process.platform];
	return platforms.map((platform) => join(modules, "@github", `copilot-${platform}-${process.arch}`, name));
}

async function versionOf(command: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
	try {
		await access(command, constants.X_OK);
		const { stdout } = await run(command, ["--version"], { env, timeout: VERSION_MS, windowsHide: true });
		// Other programs are also called `copilot`.
		return /^(?:GitHub Copilot CLI )?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
	} catch {
		return undefined;
	}
}
