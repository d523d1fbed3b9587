import * as vscode from "vscode";
import type { AgentFiles } from "../../core/agent/chain.ts";
import type { SkillPlace } from "../../core/agent/skill.ts";
import { skillPlace } from "../../loads/skillFiles.ts";
import { folderPaths } from "../folders.ts";

/** The skills of the workspace and the user; none in an untrusted workspace. */
export function skillsHere(files: AgentFiles): SkillPlace {
	return skillPlace(files, () => (vscode.workspace.isTrusted ? folderPaths() : undefined));
}
