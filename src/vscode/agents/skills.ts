import * as vscode from "vscode";
import type { AgentFiles } from "../../core/agent/chain.ts";
import type { SkillPlace } from "../../core/agent/skill.ts";
import { skillPlace } from "../../loads/skillFiles.ts";
import { folderPaths } from "../folders.ts";

/** Returns the skills of the workspace and the user; an untrusted workspace has neither. */
export function skillsHere(files: AgentFiles): SkillPlace {
	return skillPlace(files, () => (vscode.workspace.isTrusted ? folderPaths() : undefined));
}
