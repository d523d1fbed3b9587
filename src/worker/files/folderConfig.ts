import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isMap, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from "yaml";
import { messageOf } from "../../base/failure.ts";
import { isMissing } from "../../base/fileError.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { Problem } from "../../core/knowledge/document.ts";
import { ConfigError, checkConfig } from "./configSchema.ts";
import { readRegularFile } from "./regularFile.ts";

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
	/** Why all is hidden. */
	readonly problem?: ConfigProblem;
}

/** What a person must fix. */
interface ConfigProblem extends Problem {
	/** From the folder, with slashes. */
	readonly path: string;
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

const EVERYTHING: Selection = { include: [], exclude: [] };

/** Reads `.copilot-ld/config.yaml` of a folder. Never throws. */
export function readFolderConfig(folder: string): FolderConfig {
	try {
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

function isMisnamed(name: string): boolean {
	return name !== CONFIG_NAME && MISNAMED.test(name);
}

interface Mistake {
	readonly path: string;
	readonly line: number;
	readonly why: string;
}

function hideAll({ path, line, why }: Mistake): FolderConfig {
	const message = `Nothing of the folder is shown, because the policy in its ${path} cannot be read: ${why}`;
	const problem = { path, severity: "error", message, lines: { start: line, end: line } } as const;
	return { ...EVERYTHING, policy: [{}], problem };
}

function parseConfig(text: string): FolderConfig {
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { lineCounter });
	const lineAt = (offset: number) => lineCounter.linePos(offset).line;
	const [error] = [...document.errors, ...document.warnings];
	if (error)
		return hideAll({
			path: CONFIG_PATH,
			line: lineAt(error.pos[0]),
			why: error.message.split("\n")[0] ?? error.code,
		});
	try {
		return checkConfig(document.toJS() ?? {});
	} catch (thrown) {
		if (!(thrown instanceof ConfigError)) throw thrown;
		const line = lineAt(offsetOf(document.contents, thrown.place));
		return hideAll({ path: CONFIG_PATH, line, why: thrown.message });
	}
}

/** The offset of a place in the configuration, or of its nearest ancestor that is written there. */
function offsetOf(root: ParsedNode | null, place: ConfigError["place"]): number {
	let offset = root?.range[0] ?? 0;
	let node: unknown = root;
	for (const step of place) {
		const pair = isMap<Node, Node>(node)
			? node.items.find(({ key }) => String(key) === String(step))
			: undefined;
		const next = isSeq<Node>(node) ? node.items[Number(step)] : pair?.value;
		offset = pair?.key.range?.[0] ?? next?.range?.[0] ?? offset;
		node = next;
	}
	return offset;
}
