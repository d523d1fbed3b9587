import { join } from "node:path";
import { parse } from "yaml";
import { messageOf } from "../../base/failure.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import { isMissing } from "./fileError.ts";
import { parsePolicy } from "./parsePolicy.ts";
import { readRegularFile } from "./regularFile.ts";

/** Where a folder says what belongs to its knowledge. */
export const CONFIG_PATH = ".copilot-ld/config.yaml";
const CONFIG_BYTES = 1_000_000;

export interface FolderConfig extends Selection {
	/** What is hidden from whom; of a policy that cannot be understood, all from everyone. */
	readonly policy: readonly DenyRule[];
	/** Why the file, or a part of it, does not count. */
	readonly problems: readonly string[];
}

/** The rules of a folder. */
export interface FolderPolicy {
	/** Absolute path of the folder. */
	readonly root: string;
	readonly rules: readonly DenyRule[];
}

/** Patterns as in a `.gitignore`, relative to the folder. */
interface Selection {
	/** Only files that match one of these; empty for all. */
	readonly include: readonly string[];
	readonly exclude: readonly string[];
}

/** As it stands in the file. */
interface WrittenConfig {
	readonly include?: unknown;
	readonly exclude?: unknown;
	readonly policy?: unknown;
}

const EVERYTHING: Selection = { include: [], exclude: [] };
const HIDE_ALL: readonly DenyRule[] = [{}];

/** Reads `.copilot-ld/config.yaml` of a folder. Never throws: what cannot be read does not count, and says so. */
export function readFolderConfig(folder: string): FolderConfig {
	try {
		const { bytes } = readRegularFile(join(folder, CONFIG_PATH), CONFIG_BYTES);
		return parseConfig(new TextDecoder().decode(bytes));
	} catch (thrown) {
		if (isMissing(thrown)) return { ...EVERYTHING, policy: [], problems: [] };
		return { ...EVERYTHING, policy: HIDE_ALL, problems: [explainHiding(thrown)] };
	}
}

function parseConfig(text: string): FolderConfig {
	const config: unknown = parse(text) ?? {};
	if (!isRecord(config)) throw new Error("it must be an object.");
	const { selection, problem } = selectionOf(config);
	const problems = problem ? [problem] : [];
	try {
		return { ...selection, policy: parsePolicy(config.policy), problems };
	} catch (thrown) {
		return { ...selection, policy: HIDE_ALL, problems: [...problems, explainHiding(thrown)] };
	}
}

function selectionOf(config: WrittenConfig): { selection: Selection; problem?: string } {
	const { include, exclude } = { ...EVERYTHING, ...config };
	if (isTexts(include) && isTexts(exclude)) return { selection: { include, exclude } };
	const problem = `include and exclude in ${CONFIG_PATH} do not count: they must be lists of patterns.`;
	return { selection: EVERYTHING, problem };
}

function explainHiding(thrown: unknown): string {
	return `Nothing of the folder is shown, because the policy in its ${CONFIG_PATH} cannot be read: ${messageOf(thrown)}`;
}

function isRecord(value: unknown): value is WrittenConfig {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}
