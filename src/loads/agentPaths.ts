import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isInside } from "../base/files/paths.ts";
import { compareTexts } from "../base/text/compareTexts.ts";
import type { AgentSource } from "../core/agent/chain.ts";
import { agentFolders } from "./folders.ts";
import { type HomePlace, PLACES } from "./places.ts";
import { type FoundPath, pathsAt, type Spot } from "./walk.ts";

export interface AgentPath {
	readonly level: AgentSource["level"];
	readonly path: string;
	readonly real: string;
	/** The CLI's name for the agent. If several files of one `chain` have the same id, the first file counts. */
	readonly id: string;
	/** The session's folder, or the user's home. */
	readonly chain: string;
	/** Whether a link leads out of the folders from which the file may come. */
	readonly isOutside: boolean;
}

export interface AgentPaths {
	/** Highest precedence first. */
	readonly paths: readonly AgentPath[];
	/** Folders with more entries than the search reads. */
	readonly cut: readonly string[];
}

export interface AgentHomes {
	/** The CLI's home, `COPILOT_HOME`. Its agents come before all others. */
	readonly copilot: string;
	/** The user's home. Its `.claude/agents` come after all others, because the CLI does not read that folder. */
	readonly person: string;
}

const AT_HOME = { path: "agents", ending: ".md", kind: "agent" } as const;
const IN_FOLDERS = PLACES.filter(({ kind }) => kind === "agent");
const CLAUDE = IN_FOLDERS.filter(({ path }) => path.startsWith(".claude"));

const SKILLS: readonly HomePlace[] = [
	...PLACES.filter(({ kind }) => kind === "skill" || kind === "command"),
	{ path: ".github/prompts", ending: ".prompt.md", kind: "command" },
];
const SKILLS_AT_HOME = { path: "skills", ending: ".md", kind: "skill" } as const;

/** Finds agent files in the CLI's order: the CLI's home, then kind by kind from the session's folder upwards. */
export async function agentPaths(folders: readonly string[], homes: AgentHomes): Promise<AgentPaths> {
	const inFolders = await Promise.all(folders.map((folder) => inFolder(folder, IN_FOLDERS)));
	return pathsOf([ofUser(homes.copilot, [AT_HOME], ""), ...inFolders, ofUser(homes.person, CLAUDE)]);
}

/** Finds skills, prompts and commands. As the CLI specifies, files of folders come before files of the user. */
export async function skillPaths(folders: readonly string[], homes: AgentHomes): Promise<AgentPaths> {
	const inFolders = await Promise.all(folders.map((folder) => inFolder(folder, SKILLS)));
	const own = SKILLS.filter(({ path }) => !path.startsWith(".github"));
	return pathsOf([...inFolders, ofUser(homes.copilot, [SKILLS_AT_HOME], ""), ofUser(homes.person, own)]);
}

interface Origin {
	readonly level: AgentSource["level"];
	readonly chain: string;
	/** Further folders into which a link may lead. */
	readonly allowed: readonly string[];
	readonly spots: readonly Spot[];
}

function ofUser(base: string, places: readonly HomePlace[], chain = base): Origin {
	return { level: "user", chain, allowed: [], spots: places.map((place) => ({ base, place })) };
}

async function inFolder(folder: string, places: readonly HomePlace[]): Promise<Origin> {
	const { way, root } = await agentFolders(folder);
	const spots = places.flatMap((place) => way.map((base) => ({ base, place })));
	return { level: "workspace", chain: folder, allowed: root === undefined ? [] : [root], spots };
}

async function pathsOf(origins: readonly Origin[]): Promise<AgentPaths> {
	const found = await Promise.all(origins.flatMap((one) => one.spots.map((spot) => pathsFrom(spot, one))));
	return { paths: found.flatMap(({ paths }) => paths), cut: found.flatMap(({ cut }) => cut) };
}

async function pathsFrom(spot: Spot, origin: Origin): Promise<AgentPaths> {
	const { paths, isCut } = await pathsAt(spot);
	const allowed = [spot.base, ...origin.allowed];
	const inside = await Promise.all(allowed.map((folder) => realpath(folder).catch(() => folder)));
	return {
		paths: paths
			.flatMap((path) => toAgentPath(path, origin, inside))
			.sort((a, b) => compareTexts(a.path, b.path)),
		cut: isCut ? [join(spot.base, spot.place.path)] : [],
	};
}

/** Skips hidden files and files without the extension `.md`, as the CLI does. */
function toAgentPath({ path, real, base, place }: FoundPath, origin: Origin, inside: readonly string[]) {
	const below = relative(join(base, place.path), path).split(sep).join("/");
	if (!below.endsWith(".md") || /(?:^|\/)\./.test(below)) return [];
	const isOutside = origin.level === "workspace" && !inside.some((folder) => isInside(real, folder));
	const id = below.replace(/(?:\.agent)?\.md$/, "").replaceAll("/", "--");
	return [{ path, real, id, level: origin.level, chain: origin.chain, isOutside }];
}
