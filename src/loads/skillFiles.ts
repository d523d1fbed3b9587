import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join, sep } from "node:path";
import { Failure, messageOf } from "../base/failure.ts";
import { readRegularFile } from "../base/files/file.ts";
import { uriOfPath } from "../base/files/paths.ts";
import { findProgram, pathWithin, whyNoProgram } from "../base/program/runProgram.ts";
import { boundedLine, boundedText } from "../base/text/visibleText.ts";
import { textOf } from "../base/values.ts";
import type { AgentFiles } from "../core/agent/chain.ts";
import type { Skill, SkillPlace } from "../core/agent/skill.ts";
import type { FileProblem } from "../core/fileProblem.ts";
import { type AgentHomes, type AgentPath, skillPaths } from "./agentPaths.ts";
import { cliHome, personHome } from "./cliHome.ts";
import { readYamlFields, splitFrontMatter, type YamlFields } from "./frontMatter.ts";
import { MAX_BYTES, MAX_FILES } from "./walk.ts";

const SKILL = "SKILL.md";

/** Maximum numbers of characters in the specification of Agent Skills. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Reads skills of the user and of folders; no skills if `foldersNow` returns `undefined`. */
export function skillPlace(
	{ rank }: { readonly rank: AgentFiles["rank"] },
	foldersNow: () => readonly string[] | undefined,
): SkillPlace {
	return {
		list: async () => {
			const folders = foldersNow();
			const homes = { copilot: cliHome(process.env), person: personHome(process.env) };
			return folders ? readSkills(folders, homes) : { skills: [], problems: [] };
		},
		rank: async (task, skills, signal) => (await rank([task], skills, signal))[0] ?? [],
		files: filesBeside,
		read: readBeside,
		script: scriptBeside,
		workFolder: async () => foldersNow()?.[0],
	};
}

/** Reads skills, prompts and commands of folders and the user. Harmless problems are warnings. */
async function readSkills(folders: readonly string[], homes: AgentHomes): ReturnType<SkillPlace["list"]> {
	const { paths, cut } = await skillPaths(folders, homes);
	const wanted = paths.filter(({ path }) => !/[/\\]skills[/\\]/.test(path) || basename(path) === SKILL);
	const skills = new Map<string, Skill>();
	const problems = cut.map((folder) =>
		problem(folder, 1, "Only some of the files in this large folder are read"),
	);
	const seen = new Set<string>();
	for (const path of wanted.slice(0, MAX_FILES)) {
		if (seen.has(path.real)) continue;
		seen.add(path.real);
		const read = readSkill(path);
		problems.push(...read.problems);
		if (!read.skill) continue;
		const first = skills.get(read.skill.name);
		if (!first) skills.set(read.skill.name, read.skill);
		else
			problems.push(warning(path.path, 1, `“${read.skill.name}” is already read from ${first.source.uri}`));
	}
	return { skills: [...skills.values()], problems };
}

interface ReadSkill {
	readonly skill?: Skill;
	readonly problems: readonly FileProblem[];
}

function readSkill(file: AgentPath): ReadSkill {
	const { path, real, isOutside } = file;
	if (isOutside) return unread(path, "A link leads out of the folder and is not followed");
	try {
		const { bytes } = readRegularFile(real, MAX_BYTES);
		const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return skillIn(file, text, createHash("sha256").update(bytes).digest("hex"));
	} catch (thrown) {
		return unread(path, `The file cannot be read: ${messageOf(thrown)}`);
	}
}

function skillIn(file: AgentPath, text: string, hash: string): ReadSkill {
	const { path } = file;
	const split = splitFrontMatter(text);
	const fields = split ? fieldsIn(split.head) : NO_FIELDS;
	if ("message" in fields) return unread(path, fields.message, fields.line);
	const body = (split?.body ?? text).trim();
	const skill = define(file, hash, fields.values, body);
	if (skill.kind === "prompt") return { skill, problems: [] };
	if (!textOf(fields.values, "description")?.trim())
		return unread(path, "The skill has no description, so no model can choose it. Describe when to use it");
	const { name } = skill;
	const own = basename(dirname(path));
	const isRight = NAME.test(name) && name.length <= MAX_NAME && name === own;
	const better = `The name should be that of the folder, “${own}”: at most ${MAX_NAME} lower-case letters, digits, and hyphens`;
	return { skill, problems: isRight ? [] : [warning(path, fields.lineOf("name"), better)] };
}

function define(file: AgentPath, hash: string, values: YamlFields["values"], body: string): Skill {
	const { path, id } = file;
	const isSkill = basename(path) === SKILL;
	const own = isSkill ? basename(dirname(path)) : id.replace(/\.prompt$/, "").replaceAll("--", ":");
	const firstLine = (body.split("\n", 1)[0] ?? "").replace(/^#+\s*/, "");
	return {
		name: boundedLine(textOf(values, "name") || own, 2 * MAX_NAME),
		kind: isSkill ? "skill" : "prompt",
		description: boundedLine(textOf(values, "description") || firstLine, MAX_DESCRIPTION),
		keywords: [],
		hint: boundedLine(textOf(values, "argument-hint") ?? "", MAX_NAME),
		mayBeChosen: isSkill && values["disable-model-invocation"] !== true,
		mayBeAsked: values["user-invocable"] !== false,
		persona: body,
		folder: dirname(file.real),
		hasScripts: isSkill && existsSync(join(dirname(file.real), "scripts")),
		source: { uri: uriOfPath(path), level: file.level, hash },
	};
}

const NO_FIELDS: YamlFields = { values: {}, lineOf: () => 1 };

/** Parses fields. If that fails, quotes texts with a colon, which files for other programs often contain. */
function fieldsIn(head: string): ReturnType<typeof readYamlFields> {
	const fields = readYamlFields(head);
	if (!("message" in fields)) return fields;
	const quoted = head.replace(
		/^([\w-]+): *([^\s"'[{|>&*!#].*: .*)$/gm,
		(_, name, text) => `${name}: ${JSON.stringify(text.trim())}`,
	);
	return quoted === head ? fields : readYamlFields(quoted);
}

function unread(path: string, message: string, line = 1): ReadSkill {
	return { problems: [problem(path, line, message)] };
}

function problem(path: string, line: number, message: string): FileProblem {
	return { uri: uriOfPath(path), line, severity: "error", message: `${message}.` };
}

function warning(path: string, line: number, message: string): FileProblem {
	return { ...problem(path, line, message), severity: "warning" };
}

const MOST_FILES = 100;

const INTERPRETERS: Readonly<Record<string, string>> = {
	".py": "python3",
	".sh": "bash",
	".js": "node",
	".mjs": "node",
	".cjs": "node",
};

async function filesBeside({ folder }: Skill): Promise<readonly string[]> {
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

/** Reads a file of the skill. Ignores case, because a skill may name `FORMS.md` but contain `forms.md`. */
async function readBeside(skill: Skill, file: string): Promise<string> {
	const { folder, kind } = skill;
	try {
		if (kind !== "skill") throw new TypeError("A prompt has no files beside it.");
		const wanted = file.replace(/^\.\//, "").toLowerCase();
		const alike = (await filesBeside(skill)).find((path) => path.toLowerCase() === wanted);
		const path = existsSync(join(folder, file)) ? file : (alike ?? file);
		const { bytes } = readRegularFile(await pathWithin(folder, path), MAX_BYTES);
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		const words = `There is no text file “${boundedText(file, 200)}” of at most 256 kB in the folder of the skill.`;
		throw new Failure("NOT_FOUND", words, { cause });
	}
}

/** Finds a script and its program. Paths are real, so that permission rules see what runs. */
async function scriptBeside({ folder, kind }: Skill, wanted: string) {
	const script = await pathWithin(folder, wanted).catch(() => folder);
	if (script === folder || !existsSync(script) || kind !== "skill")
		throw new Failure("NOT_FOUND", `There is no “${boundedText(wanted, 200)}” in the folder of the skill.`);
	const interpreter = INTERPRETERS[extname(script)];
	const name = interpreter ?? `./${spelled(script.slice(folder.length + 1))}`;
	const program = await findProgram(name, { folder, env: process.env });
	if (program === undefined) throw new Failure("NOT_FOUND", await whyNoProgram(name, folder));
	return { script, program, interpreter };
}
