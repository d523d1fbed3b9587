import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./paths.ts";
import { type ProgramOptions, runProgram } from "./runProgram.ts";
import { step } from "./step.ts";

/** The npm that runs this script, so that only one npm is used. */
const { npm_execpath: startedWith } = process.env;
const [program, ...leading] = startedWith ? [process.execPath, startedWith] : ["npm"];

export function runNpm(args: readonly string[], options: ProgramOptions = {}): Promise<void> {
	return runProgram(program, [...leading, ...args], options);
}

/**
 * Returns the folder of a registry package that is not a dependency; downloads it if missing.
 * The folder is renamed after `finish`, so an interrupted download is never mistaken for a complete one.
 */
export async function obtainPackage(
	name: string,
	finish: (folder: string) => Promise<void> = async () => undefined,
): Promise<string> {
	const folder = join(cacheFolder, name.replace(/^@/, "").replaceAll(/[@/]/g, "-"));
	if (existsSync(folder)) return folder;
	const partial = `${folder}.partial`;
	await rm(partial, { recursive: true, force: true });
	await mkdir(partial, { recursive: true });
	await step(`Downloading ${name}`, () => unpack(name, partial));
	await finish(partial);
	await rename(partial, folder);
	return folder;
}

async function unpack(name: string, folder: string): Promise<void> {
	const download = await mkdtemp(join(folder, "download-"));
	await runNpm(["pack", name, "--loglevel", "error"], { cwd: download }).catch((cause: unknown) => {
		throw new Error(`npm could not download ${name}; its lines above say why.`, { cause });
	});
	for (const tarball of await readdir(download)) {
		await runProgram("tar", ["-xzf", tarball, "-C", "..", "--strip-components=1"], { cwd: download });
	}
	await rm(download, { recursive: true });
}
