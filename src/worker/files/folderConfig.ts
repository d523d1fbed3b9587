import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/failure.ts";
import { isMissing } from "../../base/files/fileError.ts";
import { readRegularFile } from "../../base/files/regularFile.ts";
import { readLocatedYaml } from "../../base/yaml/locatedYaml.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { Problem } from "../../core/knowledge/document.ts";
import { ConfigError, checkConfig } from "./configSchema.ts";

const CONFIG_FOLDER = ".copilot-ld";
const CONFIG_NAME = "config.yaml";
/** Where a folder says what belongs to its knowledge. */
export const CONFIG_PATH = `${CONFIG_FOLDER}/${CONFIG_NAME}`;
const CONFIG_BYTES = 1_000_000;

/** Names that somebody may have meant for the configuration. */
const MISNAMED = /^(?:config|policy|policies)(?:\.ya?ml)?(?:\.(?:ya?ml|jsonc?|toml|txt))?$/i;

/** Whatever is not understood hides the whole folder from everyone, and is reported. */
export interface FolderConfig extends Selection {
	readonly policy: readonly DenyRule[];
	readonly problem?: ConfigProblem;
}

interface ConfigProblem extends Problem {
	/** From the folder, with slashes. */
	readonly path: string;
}

export interface FolderPolicy {
	readonly root: string;
	readonly rules: readonly DenyRule[];
	readonly problem?: ConfigProblem;
}

export function readFolderPolicy(root: string): FolderPolicy {
	const { policy: rules, problem } = readFolderConfig(root);
	return { root, rules, ...(problem && { problem }) };
}

/** Patterns as in a `.gitignore`, relative to the folder. */
interface Selection {
	/** Only files that match one of these; empty for all. */
	readonly include: readonly string[];
	readonly exclude: readonly string[];
}

const EVERYTHING: Selection = { include: [], exclude: [] };

/** Reads `.copilot-ld/config.yaml` of a folder. Never throws. */
export function readFolderConfig(folder: string): FolderConfig {
	try {
		if (isWithoutConfig(folder)) return { ...EVERYTHING, policy: [] };
		const misnamed = readdirSync(join(folder, CONFIG_FOLDER)).find(isMisnamed);
		if (misnamed !== undefined)
			return hideAll({ path: `${CONFIG_FOLDER}/${misnamed}`, line: 1, why: `rename it to ${CONFIG_NAME}.` });
		const { bytes } = readRegularFile(join(folder, CONFIG_PATH), CONFIG_BYTES);
		return parseConfig(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch (thrown) {
		if (isMissing(thrown)) return { ...EVERYTHING, policy: [] };
		return hideAll({ path: CONFIG_PATH, line: 1, why: messageOf(thrown) });
	}
}

/** Most folders are, and every question asks: this takes a tenth of what an error takes. */
function isWithoutConfig(folder: string): boolean {
	const isThere = { throwIfNoEntry: false } as const;
	return !statSync(join(folder, CONFIG_FOLDER), isThere) && statSync(folder, isThere)?.isDirectory() === true;
}

function isMisnamed(name: string): boolean {
	return name !== CONFIG_NAME && MISNAMED.test(name);
}

interface Mistake {
	readonly path: string;
	readonly line: number;
	readonly why: string;
}

function hideAll({ path, line, why }: Mistake): FolderConfig {
	const message = `Nothing in this folder is shown, because the policy in its ${path} cannot be read: ${why}`;
	const problem = { path, severity: "error", message, lines: { start: line, end: line } } as const;
	return { ...EVERYTHING, policy: [{}], problem };
}

function parseConfig(text: string): FolderConfig {
	const { value, mistake, lineOf } = readLocatedYaml(text);
	if (mistake) return hideAll({ path: CONFIG_PATH, line: mistake.line, why: mistake.message });
	try {
		return checkConfig(value ?? {});
	} catch (thrown) {
		if (!(thrown instanceof ConfigError)) throw thrown;
		return hideAll({ path: CONFIG_PATH, line: lineOf(thrown.place), why: thrown.message });
	}
}
