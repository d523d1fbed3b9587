import type { FileProblem } from "../fileProblem.ts";
import type { AgentFit, Described } from "./chain.ts";

/** An Agent Skill, which models choose by its description, or a prompt of the user. Words of a repository or of the user. */
export interface Skill extends Described {
	readonly kind: "skill" | "prompt";
	readonly hint: string;
	readonly mayBeAsked: boolean;
	/** Absolute, with links followed; files beside it are read only below it. */
	readonly folder: string;
	readonly hasScripts: boolean;
}

export interface SkillPlace {
	/** The first of a name counts. */
	list(signal: AbortSignal): Promise<{
		readonly skills: readonly Skill[];
		readonly problems: readonly FileProblem[];
	}>;
	/** How well they fit a task, best first. */
	rank(task: string, skills: readonly Skill[], signal: AbortSignal): Promise<readonly AgentFit[]>;
	/** Relative paths of the files beside its instructions. */
	files(skill: Skill): Promise<readonly string[]>;
	/** Rejects with NOT_FOUND for what is no text in its folder. */
	read(skill: Skill, file: string): Promise<string>;
	/** Absolute paths of a script and of the program that runs it; that is the script itself without an interpreter. */
	script(
		skill: Skill,
		path: string,
	): Promise<{ readonly script: string; readonly program: string; readonly interpreter: string | undefined }>;
	/** Absolute path of the folder that scripts work in; `undefined` if no folder is open. */
	workFolder(): Promise<string | undefined>;
}

/** What the user may ask for by name in a client. */
export interface Prompt {
	readonly name: string;
	readonly description: string;
	readonly arguments: readonly {
		readonly name: string;
		readonly description?: string;
		readonly required?: boolean;
	}[];
	/** Throws a `Failure` for wrong values. */
	text(values: Readonly<Record<string, string>>): string;
}

export interface Prompts {
	list(signal: AbortSignal): Promise<readonly Prompt[]>;
}
