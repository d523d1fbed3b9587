import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { pathWithin } from "./pathWithin.ts";

/** Absolute path of a program: a name on the absolute folders of PATH, or `./` within this folder. `undefined` if missing. */
export async function findProgram(
	name: string,
	{ folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
	const paths = name.startsWith("./") ? [await ownPath(folder, name)] : pathsFor(name, env);
	for (const path of paths) if (await isProgram(path)) return realpath(path);
	return undefined;
}

/** Empty if it leads out of the folder. */
function ownPath(folder: string, name: string): Promise<string> {
	return pathWithin(folder, name).catch(() => "");
}

function pathsFor(name: string, env: NodeJS.ProcessEnv): string[] {
	const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(isAbsolute);
	return folders.flatMap((folder) => ENDINGS.map((ending) => join(folder, name + ending)));
}

/** What Windows starts without a shell; a script's own reading of its arguments would be one. */
const ENDINGS = process.platform === "win32" ? [".exe", ".com"] : [""];

async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile() && !/\.(?:cmd|bat)[. ]*$/i.test(path);
	} catch {
		return false;
	}
}
