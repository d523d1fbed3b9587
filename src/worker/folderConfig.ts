import { join } from "node:path";
import { parse } from "yaml";
import { messageOf } from "../core/failure.ts";
import { readRegularFile } from "./regularFile.ts";

/** Where a folder says what belongs to its knowledge. */
export const CONFIG_PATH = ".copilot-ld/config.yaml";
const CONFIG_BYTES = 1_000_000;

/** Patterns as in a `.gitignore`, relative to the folder. */
export interface FolderConfig {
	/** Only files that match one of these; empty for all. */
	readonly include: readonly string[];
	readonly exclude: readonly string[];
	/** Why the file, or a part of it, does not count. */
	readonly problem?: string;
}

const NOTHING: FolderConfig = { include: [], exclude: [] };

/** Reads `.copilot-ld/config.yaml` of a folder. Never throws: what cannot be read does not count, and says so. */
export function readFolderConfig(folder: string): FolderConfig {
	try {
		const { bytes } = readRegularFile(join(folder, CONFIG_PATH), CONFIG_BYTES);
		return parseConfig(new TextDecoder().decode(bytes));
	} catch (thrown) {
		if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return NOTHING;
		return { ...NOTHING, problem: `${CONFIG_PATH} does not count: ${messageOf(thrown)}` };
	}
}

function parseConfig(text: string): FolderConfig {
	const config: unknown = parse(text);
	if (!isRecord(config)) return NOTHING;
	const { include, exclude } = { ...NOTHING, ...config };
	if (isTexts(include) && isTexts(exclude)) return { include, exclude };
	throw new Error("include and exclude must be lists of patterns.");
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}
