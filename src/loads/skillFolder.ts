import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { Failure } from "../base/failure.ts";
import { readRegularFile } from "../base/files/file.ts";
import { findProgram, pathWithin, whyNoProgram } from "../base/program/runProgram.ts";
import { boundedText } from "../base/text/visibleText.ts";
import type { Skill } from "../core/agent/skill.ts";
import { MAX_BYTES } from "./walk.ts";

const MOST_FILES = 100;

/** Programs for scripts that are not executable themselves. */
const INTERPRETERS: Readonly<Record<string, string>> = {
	".py": "python3",
	".sh": "bash",
	".js": "node",
	".mjs": "node",
	".cjs": "node",
};

/** Relative paths of the files beside a skill's instructions. */
export async function filesBeside({ folder }: Skill): Promise<readonly string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => spelled(join(parentPath, name).slice(folder.length + 1)))
		.filter((path) => path !== "SKILL.md" && !/(?:^|\/)(?:\.|node_modules\/)/.test(path));
	const shown = files.sort().slice(0, MOST_FILES);
	return files.length > shown.length ? [...shown, `(${files.length - shown.length} more)`] : shown;
}

function spelled(path: string): string {
	return path.split(sep).join("/");
}

/** Skills that were written where case does not count name FORMS.md and have forms.md. */
export async function readBeside(skill: Skill, file: string): Promise<string> {
	const { folder, kind } = skill;
	try {
		if (kind !== "skill") throw new TypeError("A prompt has no files beside it.");
		const wanted = file.replace(/^\.\//, "").toLowerCase();
		const alike = (await filesBeside(skill)).find((path) => path.toLowerCase() === wanted);
		const path = existsSync(join(folder, file)) ? file : (alike ?? file);
		const { bytes } = readRegularFile(await pathWithin(folder, path), MAX_BYTES);
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		const words = `“${boundedText(file, 200)}” is no text file of at most 256 kB in the folder of the skill.`;
		throw new Failure("NOT_FOUND", words, { cause });
	}
}

/** What runs a script of a skill. Its path is real, so that rules see what runs. */
export async function scriptBeside({ folder, kind }: Skill, wanted: string) {
	const script = await pathWithin(folder, wanted).catch(() => folder);
	if (script === folder || !existsSync(script) || kind !== "skill")
		throw new Failure("NOT_FOUND", `There is no “${boundedText(wanted, 200)}” in the folder of the skill.`);
	const interpreter = INTERPRETERS[extname(script)];
	const name = interpreter ?? `./${spelled(script.slice(folder.length + 1))}`;
	const program = await findProgram(name, { folder, env: process.env });
	if (program === undefined) throw new Failure("NOT_FOUND", await whyNoProgram(name, folder));
	return { script, program, interpreter };
}
