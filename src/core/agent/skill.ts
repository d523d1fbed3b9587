import type { FileProblem } from "../fileProblem.ts";
import type { AgentFit, Described } from "./chain.ts";

/** An Agent Skill, which models choose by its description, or a prompt file. All text is untrusted. */
export interface Skill extends Described {
	readonly kind: "skill" | "prompt";
	readonly hint: string;
	readonly mayBeAsked: boolean;
	/** Absolute path with symbolic links resolved. Only files in this folder may be read. */
	readonly folder: string;
	readonly hasScripts: boolean;
}

export interface SkillPlace {
	/** If several skills have the same name, the first skill wins. */
	list(signal: AbortSignal): Promise<{
		readonly skills: readonly Skill[];
		readonly problems: readonly FileProblem[];
	}>;
	rank(task: string, skills: readonly Skill[], signal: AbortSignal): Promise<readonly AgentFit[]>;
	/** Relative paths of the files in the skill's folder, except the skill file. */
	files(skill: Skill): Promise<readonly string[]>;
	/** Rejects with NOT_FOUND if the file is not text or not in the skill's folder. */
	read(skill: Skill, file: string): Promise<string>;
	/** Absolute paths. `program` is the interpreter, or the script itself if it runs without an interpreter. */
	script(
		skill: Skill,
		path: string,
	): Promise<{ readonly script: string; readonly program: string; readonly interpreter: string | undefined }>;
	/** Absolute path of the scripts' working directory; `undefined` if no folder is open. */
	workFolder(): Promise<string | undefined>;
}

export interface Prompt {
	readonly name: string;
	readonly description: string;
	readonly arguments: readonly {
		readonly name: string;
		readonly description?: string;
		readonly required?: boolean;
	}[];
	/** Throws a `Failure` if a value is invalid. */
	text(values: Readonly<Record<string, string>>): string;
}

export interface Prompts {
	list(signal: AbortSignal): Promise<readonly Prompt[]>;
}
