import { type Dirent, realpathSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isGone, readRegularFile } from "../../base/files/file.ts";
import { toPatterns } from "../../base/files/globs.ts";
import { isBelow, isInside, uriOfPath } from "../../base/files/paths.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { DocumentState } from "../../core/knowledge/document.ts";
import { readFolderConfig } from "./folderConfig.ts";
import { reasonOf, refusalOf } from "./refusal.ts";

const GITIGNORE_BYTES = 1_000_000;

export interface FoundFile {
	readonly uri: string;
	/** Absolute path. */
	readonly path: string;
	/** Size in bytes. */
	readonly size: number;
	readonly modifiedMs: number;
	/** Why the file must not be read; omitted if it may be. */
	readonly refused?: Exclude<DocumentState, { kind: "indexed" }>;
}

export interface DiscoverOptions {
	readonly root: string;
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
	readonly dataFolder: string;
	readonly reservation: Reservation;
	/** Absolute paths of files and folders to search; by default, the whole root. */
	readonly scope?: readonly string[];
}

interface FolderToWalk {
	readonly path: string;
	/** Path relative to the root, with slashes: empty for the root, otherwise with a slash at the end. */
	readonly relative: string;
	readonly exclusion: Exclusion;
}

const OWN_CONFIGURATION: readonly string[] = ["/.copilot-ld/", "/.copilot-ld"];

/** Paths of instructions for coding agents: parts of a path if they end in a slash, otherwise its end. */
const AGENT_INSTRUCTIONS: readonly string[] = wordList(`
	/.github/agents/ /.github/chatmodes/ /.github/copilot/ /.github/hooks/ /.github/instructions/
	/.github/prompts/ /.github/skills/ .agent .agents .aider .amazonq .augment .claude .clinerules
	.codex .continue .copilot .cursor .gemini .junie .kiro .opencode .qwen .roo .trae .windsurf agent.md
	agents.md agents.local.md agents.override.md claude.md claude.local.md copilot-instructions.md
	gemini.md qwen.md skill.md .clinerules .cursorrules .goosehints .roorules .rules .windsurfrules
	.agent.md .chatmode.md .instructions.md .prompt.md
`).flatMap(partsOf);

/** Paths that are never indexed; no `.gitignore` or configuration can override this. */
export type Reservation = ReturnType<typeof createReservation>;

export async function* discover(options: DiscoverOptions, signal: AbortSignal): AsyncGenerator<FoundFile> {
	const { include, exclude } = readFolderConfig(options.root);
	const isIncluded = createInclusion(include);
	const exclusion = createExclusion(options.excludes, exclude);
	const places: FolderToWalk[] = [{ path: options.root, relative: "", exclusion }];
	for (let place = places.pop(); place; place = places.pop()) {
		signal.throwIfAborted();
		const { folders, files, unreadable } = await look(place, options);
		if (unreadable) yield unreadable;
		const included = files.filter(({ name }) => isIncluded(`${place.relative}${name}`));
		const examined = await Promise.all(included.map((entry) => examine(place, entry)));
		yield* examined.filter((file) => file !== undefined);
		places.push(...folders.reverse());
	}
}

async function look(place: FolderToWalk, options: DiscoverOptions) {
	try {
		const entries = await readdir(place.path, { withFileTypes: true });
		const hasGitignore = entries.some((entry) => entry.name === ".gitignore" && entry.isFile());
		const exclusion = hasGitignore
			? place.exclusion.withGitignore(place.relative, readGitignore(place.path))
			: place.exclusion;
		for (const entry of entries)
			if (entry.isSymbolicLink()) options.reservation.noteLink(relativeOf(place, entry));
		const offered = entries
			.filter(({ name }) => isWanted(join(place.path, name), options))
			.filter((entry) => options.reservation.against(relativeOf(place, entry)) === undefined)
			.filter((entry) => !exclusion.excludes(relativeOf(place, entry)))
			.sort((a, b) => (a.name < b.name ? -1 : 1));
		return {
			folders: offered
				.filter((entry) => entry.isDirectory())
				.map((entry) => {
					return { path: join(place.path, entry.name), relative: relativeOf(place, entry), exclusion };
				}),
			files: offered.filter((entry) => !entry.isDirectory()),
		};
	} catch (thrown) {
		return { folders: [], files: [], unreadable: explain(place.path, thrown) };
	}
}

export function readGitignore(folder: string): string {
	try {
		return new TextDecoder().decode(readRegularFile(join(folder, ".gitignore"), GITIGNORE_BYTES).bytes);
	} catch (thrown) {
		if (isGone(thrown)) return "";
		throw thrown;
	}
}

function isWanted(path: string, { scope, dataFolder }: DiscoverOptions): boolean {
	if (path === dataFolder) return false;
	if (!scope) return true;
	return scope.some((target) => isInside(path, target) || isInside(target, path));
}

function relativeOf({ relative }: FolderToWalk, entry: Dirent): string {
	return `${relative}${entry.name}${entry.isDirectory() ? "/" : ""}`;
}

async function examine({ path: folder }: FolderToWalk, entry: Dirent): Promise<FoundFile | undefined> {
	const path = join(folder, entry.name);
	try {
		const { size, mtimeMs: modifiedMs } = await lstat(path);
		const reason = reasonAgainst(entry, size);
		const found = { uri: uriOfPath(path), path, size, modifiedMs };
		return reason ? { ...found, refused: { kind: "skipped", reason } } : found;
	} catch (thrown) {
		return explain(path, thrown);
	}
}

function reasonAgainst(entry: Dirent, size: number): string | undefined {
	if (entry.isSymbolicLink()) return "a link (links are not followed)";
	if (!entry.isFile()) return "not a regular file";
	return refusalOf(entry.name, size);
}

/** Returns the file with the reason why it could not be read; `undefined` if the file was deleted. */
function explain(path: string, thrown: unknown): FoundFile | undefined {
	// If a file name is not valid UTF-8, its listed name has replacement characters and cannot be opened.
	const isMisnamed = path.includes("\uFFFD");
	if (isGone(thrown) && !isMisnamed) return undefined;
	const reason = isGone(thrown) ? "its name is not valid UTF-8" : reasonOf(thrown);
	return { uri: uriOfPath(path), path, size: 0, modifiedMs: 0, refused: { kind: "failed", reason } };
}

export function createReservation(root: string, agentInstructions: boolean) {
	const realRoot = realPathOf(root) ?? root;
	// The root itself may be a folder of agent instructions such as `.github/agents`, or be in one.
	const above = `/${realRoot.split(sep).slice(-2).join("/")}/`;
	const links = new Map<string, string>();
	const ruleOf = (path: string): string | undefined => {
		const folded = foldCase(above + path);
		const isIn = (part: string) => (part.endsWith("/") ? folded.includes(part) : folded.endsWith(part));
		if (OWN_CONFIGURATION.some(isIn))
			return "files in .copilot-ld/ configure Copilot-LD and are never indexed";
		const part = agentInstructions ? undefined : AGENT_INSTRUCTIONS.find(isIn);
		return part && describeRule(part);
	};
	return {
		/** Why not to index a relative path, as the beginning of a sentence. Folders end with a slash. */
		against: (path: string) => {
			const aliases = [...links].flatMap(([target, link]) =>
				path === target || path.startsWith(`${target}/`) ? link + path.slice(target.length) : [],
			);
			return [path, ...aliases].map(ruleOf).find((rule) => rule !== undefined);
		},
		/** Agents follow links, so the target of a link within the folder is also reserved by the name of the link. */
		noteLink: (path: string) => {
			const mayMatter = foldCase(basename(path)) === ".github" || ruleOf(path) || ruleOf(`${path}/`);
			const target = mayMatter ? realPathOf(join(root, path)) : undefined;
			if (target && isBelow(target, realRoot))
				links.set(relative(realRoot, target).split(sep).join("/"), path);
		},
		/** Whether links may reserve files that were found before the links. */
		hasLinks: () => links.size > 0,
		forgetLinks: () => links.clear(),
	};
}

function describeRule(part: string): string {
	const shown = part.endsWith("/") ? part.slice(1) : part.replace(/^\//, "").replace(/^\.(?=.*\.)/, "*.");
	return `${shown} holds instructions for agents, and the setting copilot-LD.index.agentInstructions is off`;
}

/** Converts a name to parts of paths: `a.md` is a whole name, `.x.md` the end of one, `.x` a folder or a file. */
function partsOf(name: string): string[] {
	if (name.startsWith("/")) return [name];
	if (name.lastIndexOf(".") > 0) return [name.startsWith(".") ? name : `/${name}`];
	return [`/${name}/`, `/${name}`];
}

/** Folds case like the most lenient file system, because agents may read `agents.MD` as `AGENTS.md`. */
function foldCase(path: string): string {
	const visible = path.normalize("NFC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
	return visible.toUpperCase().toLowerCase();
}

/** Synchronous, because the system call takes less time than a promise. */
export function realPathOf(path: string): string | undefined {
	try {
		return realpathSync.native(path);
	} catch {
		// The link is broken, or the file was deleted.
		return undefined;
	}
}

/** Files that nobody searches for. A `.gitignore` or the configuration can override a pattern with `!`. */
const DEFAULT_PATTERNS = wordList(`
	.git/ .hg/ .svn/ node_modules/ bower_components/ .venv/ __pycache__/ .vscode-test/ dist/ out/
	package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum *.lock *.min.js *.min.css *.map
`);

const SECRET_PATTERNS = wordList(".env .env.* *.pem *.key id_rsa id_ed25519");

/** Patterns as in a `.gitignore` in the root of a folder; the last match wins. */
export interface Exclusion {
	/** `path` is relative, with slashes; a folder's path ends with a slash. */
	excludes(path: string): boolean;
	/** Adds the `.gitignore` of a subfolder, whose path is relative and ends with a slash. */
	withGitignore(folder: string, text: string): Exclusion;
}

export function createExclusion(globs: readonly string[], patterns: readonly string[]): Exclusion {
	return layered([...DEFAULT_PATTERNS, ...SECRET_PATTERNS, ...globs.flatMap(toPatterns)], patterns);
}

/** Returns a test whether a path matches `.gitignore` patterns. Without patterns, every path matches. */
export function createInclusion(patterns: readonly string[], options = AS_ON_DISK) {
	const matcher = createMatcher(patterns, options);
	return (path: string) => patterns.length === 0 || matcher.ignores(path);
}

function layered(lower: readonly string[], last: readonly string[]): Exclusion {
	const matcher = createMatcher([...lower, ...last]);
	return {
		excludes: (path) => matcher.ignores(path),
		withGitignore: (folder, text) => layered([...lower, ...text.split(/\r?\n/).map(inside(folder))], last),
	};
}

const AS_ON_DISK = { ignoreCase: process.platform !== "linux" };

function createMatcher(patterns: readonly string[], options = AS_ON_DISK): Ignore {
	return ignore(options).add(patterns);
}

/** Rewrites a line of a nested `.gitignore` so that it can be used in the root. */
function inside(folder: string): (line: string) => string {
	const place = folder.replace(/[\\*?[\]!# ]/g, "\\$&");
	return (line) => {
		if (folder === "" || line.trim() === "" || line.startsWith("#")) return line;
		const negation = line.startsWith("!") ? "!" : "";
		const pattern = line.slice(negation.length);
		const isAnchored = pattern.trimEnd().slice(0, -1).includes("/");
		return `${negation}/${place}${isAnchored ? pattern.replace(/^\//, "") : `**/${pattern}`}`;
	};
}
