import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import { isInside } from "../../base/files/paths.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { inWords, type Phrase, phrase, withValues } from "../../core/phrase.ts";
import { loadFolders } from "../../loads/folders.ts";
import { HOME_PLACES, INSTALLED_PLUGINS, PLACES, PLUGIN_PLACES } from "../../loads/places.ts";
import { type FoundFile, filesAt, type Spot } from "../../loads/walk.ts";
import { type Load, readLoad } from "./readers.ts";

/** Name that rules use, like a tool's, for starting the CLI in a folder with files that the CLI loads. */
export const START_CLI = "start_cli";

/** Files that the CLI loads by itself. The CLI runs hooks without asking, and shows other files to its model. */
export interface Loads {
	/** Lines for the user, with programs first. They are complete, so they may be long. */
	readonly lines: readonly Phrase[];
	readonly running: readonly Phrase[];
	/** Hash of the contents; random if the search was cut short. */
	readonly fingerprint: string;
}

const MAX_WORDS = 500;
const MAX_BYTES = 4 * 1024 * 1024;

export async function folderLoads(folder: string, mayRun?: (file: FoundFile) => boolean) {
	const { near, above } = await loadFolders(folder);
	const fromAbove = PLACES.filter(({ withoutGit }) => withoutGit.includes("above"));
	const spots = [...spotsAt(near, PLACES), ...spotsAt(above, fromAbove)];
	return loadsIn(await filesAt(spots, folder), folder, mayRun);
}

export async function homeLoads(home: string, person = homedir()): Promise<Loads | undefined> {
	const skills = { path: ".agents/skills", ending: ".md", kind: "skill" } as const;
	const spots = [
		...spotsAt([home], HOME_PLACES),
		...spotsAt([person], [skills]),
		...spotsAt(await pluginFolders(home), PLUGIN_PLACES),
	];
	const { files, isCut } = await filesAt(spots, home);
	const named = files.flatMap(onlyHooks).map((file) => ({ ...file, name: file.path }));
	return loadsIn({ files: named, isCut }, home);
}

/** Returns `marketplace/name` folders in the folder of plugins, and paths in the CLI's configuration. */
async function pluginFolders(home: string): Promise<string[]> {
	const within = async (folder: string) =>
		(await readdir(folder).catch(() => [])).map((name) => join(folder, name));
	const marketplaces = await within(join(home, INSTALLED_PLUGINS));
	const config = await readFile(join(home, "config.json"), "utf8").catch(() => "");
	const named = [...config.matchAll(CACHE_PATH)].map(([, path = ""]) => resolve(home, JSON.parse(path)));
	return [...new Set([...(await Promise.all(marketplaces.map(within))).flat(), ...named])].sort();
}

/** Matched as text, because the file has comments and is not valid JSON. */
const CACHE_PATH = /"cache_path"\s*:\s*("(?:[^"\\\n]|\\["\\/bfnrtu])*")/g;

function spotsAt(bases: readonly string[], places: readonly Spot["place"][]): Spot[] {
	return bases.flatMap((base) => places.map((place) => ({ base, place })));
}

/** Reduces settings to their hooks, because the CLI often rewrites other settings, which run nothing. */
function onlyHooks(file: FoundFile): FoundFile[] {
	if (file.kind !== "settings" || file.content === undefined) return [file];
	try {
		const { hooks, disableAllHooks }: Record<string, unknown> = JSON.parse(file.content);
		if (hooks === undefined && disableAllHooks === undefined) return [];
		return [{ ...file, content: JSON.stringify({ hooks, disableAllHooks }) }];
	} catch {
		return [file];
	}
}

async function loadsIn(
	{ files, isCut }: Awaited<ReturnType<typeof filesAt>>,
	folder: string,
	mayRun: (file: FoundFile) => boolean = () => true,
): Promise<Loads | undefined> {
	if (files.length === 0) return undefined;
	const hash = createHash("sha256");
	const loads: Load[] = [];
	for (const file of files) {
		const load = readLoad(file, mayRun);
		const texts = load.lines.map((line) => inWords(line));
		const scripts = load.runs ? await scriptsNamedIn(texts, file, folder) : [];
		const lines = scripts.map(({ name }) => phrase("  which names the file {0}", name));
		loads.push({ ...load, lines: [...load.lines, ...lines] });
		hash.update(`${file.name}\0${file.content ?? inWords(file.problem ?? "")}\0`);
		for (const { name, bytes } of scripts) hash.update(`${name}\0`).update(bytes).update("\0");
	}
	if (isCut) hash.update(randomUUID());
	const linesOf = (wanted: boolean) =>
		loads
			.filter(({ runs }) => runs === wanted)
			.flatMap(({ lines }) => lines.map((line) => withValues(line, visibleText)));
	const running = [
		...(isCut ? [phrase("There are more files than could be checked.")] : []),
		...linesOf(true),
	];
	return { lines: [...running, ...linesOf(false)], running, fingerprint: hash.digest("hex") };
}

const PLUGIN_ROOT = /\$\{?(?:\w*PLUGIN_ROOT|COPILOT_HOOK_DIR)\}?[/\\]/g;

/** Reads the scripts that lines name, because a changed script changes the effect of its command. */
async function scriptsNamedIn(lines: readonly string[], { base, path: own }: FoundFile, folder: string) {
	const words = new Set(
		lines.flatMap((line) => line.replace(PLUGIN_ROOT, "").match(/[\w.@%+~/\\-]+/g) ?? []),
	);
	// Skip system programs, which change with the system.
	const folders = [base, folder].filter((one) => one !== sep);
	const candidates = [...words]
		.slice(0, MAX_WORDS)
		.flatMap((name) =>
			[...new Set([resolve(base, name), resolve(folder, name)])].map((path) => ({ name, path })),
		)
		.filter(({ path }) => path !== own && folders.some((one) => isInside(path, one)));
	const found = await Promise.all(candidates.map(({ name, path }) => readScript(name, path)));
	return found.filter((script) => script !== undefined);
}

async function readScript(name: string, path: string) {
	const stats = await stat(path).catch(() => undefined);
	if (!stats?.isFile() || stats.size > MAX_BYTES) return undefined;
	const bytes = await readFile(path).catch(() => undefined);
	return bytes && { name, bytes };
}
