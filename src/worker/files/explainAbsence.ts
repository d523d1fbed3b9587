import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isGone } from "../../base/files/fileError.ts";
import { readRegularFile } from "../../base/files/regularFile.ts";
import { createExclusion, createInclusion, type Exclusion } from "./exclusion.ts";
import { CONFIG_PATH, readFolderConfig } from "./folderConfig.ts";
import type { Reservation } from "./reservation.ts";

const GITIGNORE_BYTES = 1_000_000;

/** What decides about the files of a folder. Its path is absolute. */
interface Selection {
	readonly root: string;
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
	readonly reservation: Reservation;
}

/** Why a file of a folder is not among those that are found, in one sentence. The path is absolute. */
export function explainAbsence(path: string, { root, excludes: globs, reservation }: Selection): string {
	if (!existsSync(path)) return "There is no such file.";
	const { include, exclude } = readFolderConfig(root);
	const steps = stepsTo(relative(root, path).split(sep).join("/"));
	const reserved = reservation.against(steps.at(-1) ?? "");
	if (reserved) return `It is not in the index: ${reserved}.`;
	const rules: readonly [string, Exclusion][] = [
		["the built-in list of excluded files", createExclusion([], [])],
		["files.exclude or search.exclude", createExclusion(globs, [])],
		[`exclude in ${CONFIG_PATH}`, createExclusion([], exclude)],
		["a .gitignore", withGitignores(root, steps)],
	];
	const rule = rules.find(([, exclusion]) => steps.some((step) => exclusion.excludes(step)));
	if (rule) return `It is not in the index: ${rule[0]} excludes it.`;
	if (!createInclusion(include)(steps.at(-1) ?? ""))
		return `It is not in the index: include in ${CONFIG_PATH} does not name it.`;
	return "It is not in the index yet. Run “Copilot-LD: Index Workspace”.";
}

/** `a/`, `a/b/`, `a/b/c.md`: a rule may exclude any of them. */
function stepsTo(path: string): string[] {
	const parts = path.split("/");
	return parts.map((_, index) => parts.slice(0, index + 1).join("/") + (index < parts.length - 1 ? "/" : ""));
}

function withGitignores(root: string, steps: readonly string[]): Exclusion {
	const folders = ["", ...steps.slice(0, -1)];
	return folders.reduce(
		(exclusion, folder) => exclusion.withGitignore(folder, gitignoreOf(join(root, folder))),
		createExclusion([], []),
	);
}

function gitignoreOf(folder: string): string {
	try {
		return new TextDecoder().decode(readRegularFile(join(folder, ".gitignore"), GITIGNORE_BYTES).bytes);
	} catch (thrown) {
		if (isGone(thrown)) return "";
		throw thrown;
	}
}
