import { join, relative, sep } from "node:path";
import * as vscode from "vscode";
import { parse } from "yaml";
import type { Instructions } from "../../agent/ports.ts";
import { isFolder, readRegularFile, undefinedIfMissing } from "../../base/files/file.ts";
import { appliesTo } from "../../base/files/globs.ts";
import { pathWithin } from "../../base/program/runProgram.ts";
import { fieldOf } from "../../base/values.ts";
import { splitFrontMatter } from "../../loads/frontMatter.ts";
import { pathsAt } from "../../loads/walk.ts";
import { foldersOnDisk } from "../folders.ts";
import { toldOf } from "../l10n.ts";
import { setting } from "../settings.ts";

const CONFIG = ".copilot-ld/config.yaml";
const LARGEST_BYTES = 1_000_000;

export async function readWorkspaceInstructions(about: readonly string[]): Promise<Instructions> {
	if (!vscode.workspace.isTrusted) return { texts: [], notices: [] };
	const folders = foldersOnDisk().map(({ uri, name }) => ({ path: uri.fsPath, name }));
	return readPromptFiles(folders, setting("agent.instructionFiles"), about);
}

/**
 * Reads the `instructions` of each folder's configuration, and the named files that exist. If a name is
 * a folder, reads its `.instructions.md` files whose `applyTo` matches one of the files in `about`.
 */
export async function readPromptFiles(
	folders: readonly { readonly path: string; readonly name: string }[],
	names: readonly string[],
	about: readonly string[] = [],
): Promise<Instructions> {
	const listed = folders.map(async ({ path, name: folder }) => {
		const prefix = folders.length > 1 ? `${folder}/` : "";
		const all = await Promise.all([CONFIG, ...names].map((name) => instructionsAt(path, name)));
		return all.flat().map((file) => ({ root: path, prefix, file, name: prefix + file }));
	});
	const files = (await Promise.all(listed)).flat();
	const texts: { name: string; text: string }[] = [];
	const notices: string[] = [];
	for (const { root, prefix, file, name } of files) {
		const here = about.flatMap((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : []));
		try {
			const written = (await readInside(root, file)) ?? "";
			const text = textFor(file, written, here).trim();
			if (text !== "") texts.push({ name, text });
		} catch (thrown) {
			notices.push(vscode.l10n.t("The instructions in {0} are ignored: {1}", name, toldOf(thrown)));
		}
	}
	return { texts, notices };
}

/** Returns `undefined` if the file is missing. Throws if a link leads out of the folder. */
async function readInside(root: string, file: string): Promise<string | undefined> {
	try {
		const path = await pathWithin(root, file).catch((thrown: unknown) => {
			throw thrown instanceof TypeError ? new Error(vscode.l10n.t("it leads out of the folder.")) : thrown;
		});
		return new TextDecoder().decode(readRegularFile(path, LARGEST_BYTES).bytes);
	} catch (thrown) {
		return undefinedIfMissing(thrown);
	}
}

const APPLIED = ".instructions.md";

async function instructionsAt(root: string, name: string): Promise<readonly string[]> {
	if (/\.\w+$/.test(name) || !(await isFolder(join(root, name)))) return [name];
	const place = { path: name, ending: APPLIED, kind: "instructions" } as const;
	const { paths } = await pathsAt({ base: root, place });
	return paths.map(({ path }) => relative(root, path).split(sep).join("/")).sort();
}

/** Returns "" if a file does not apply. Files without `applyTo` apply only if the user attaches them. */
function textFor(file: string, written: string, about: readonly string[]): string {
	if (file === CONFIG) return instructionsIn(written);
	if (!file.endsWith(APPLIED)) return written;
	const { head = "", body = "" } = splitFrontMatter(written) ?? {};
	// Parses `applyTo` as VS Code does: in YAML, a leading asterisk would mark an alias.
	const [, , globs = ""] = /^applyTo:\s*(["']?)(.+)\1\s*$/m.exec(head) ?? [];
	return appliesTo(globs, about) ? body : "";
}

function instructionsIn(yaml: string): string {
	const instructions = fieldOf(parse(yaml), "instructions");
	const texts = instructions === undefined ? [] : [instructions].flat();
	if (!texts.every((text) => typeof text === "string"))
		throw new Error(vscode.l10n.t("they must be a text or a list of texts."));
	return texts.join("\n");
}
