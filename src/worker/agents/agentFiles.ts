import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { messageOf } from "../../base/failure.ts";
import { readRegularFile } from "../../base/files/file.ts";
import { uriOfPath } from "../../base/files/paths.ts";
import { createPacer } from "../../base/jobs/pacer.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { agentsAt } from "../../core/agent/agentNames.ts";
import type { AgentDefinition, AgentProblem, AgentRegistry } from "../../core/agent/chain.ts";
import type { Folder } from "../../core/knowledge/knowledge.ts";
import { AGENT_TOOLS } from "../../loads/agentFields.ts";
import { type AgentHomes, type AgentPath, agentPaths } from "../../loads/agentPaths.ts";
import { MAX_BYTES, MAX_FILES } from "../../loads/walk.ts";
import { errorAtStart, filePathOf, followOwnFolders } from "../files/sources.ts";
import { type ReadAgent, readAgent } from "./readAgent.ts";

type LocatedAgent = ReadAgent & { readonly definition: AgentDefinition };

const VS_CODE_AGENTS: ReadonlySet<string> = new Set(["agent", "ask", "edit", "plan", "explore"]);

/** Each request reads all agent files, but parses only files whose content has changed. */
export function createAgentFiles(given: { readonly folders: readonly Folder[]; readonly homes: AgentHomes }) {
	const { homes } = given;
	const { folders, watching } = followOwnFolders(given.folders, (path) => mayHoldAgents(path, homes));
	let known: ReadonlyMap<string, KnownFile> = new Map();
	return {
		registry: async (signal: AbortSignal) => {
			const { paths, cut } = await agentPaths(folders(), homes);
			const files = new Map<string, KnownFile>();
			const read: AgentFile[] = [];
			const pacer = createPacer();
			for (const path of paths.slice(0, MAX_FILES)) {
				if (pacer.isDue) await pacer.rest();
				signal.throwIfAborted();
				const file = readKnown(path, known);
				files.set(path.path, file);
				read.push({ ...path, ...file });
			}
			known = files;
			const problems = cut.map((folder) => errorAt(folder, "This folder contains more than is read."));
			const beyond = paths[MAX_FILES];
			return register(read, beyond ? [...problems, errorAt(beyond.path, TOO_MANY)] : problems);
		},
		...watching,
	};
}

const TOO_MANY = `Only the first ${MAX_FILES} files are read; this one and those after it are not.`;

interface KnownFile {
	readonly hash: string;
	readonly agent: ReadAgent;
}

type AgentFile = AgentPath & KnownFile;

function mayHoldAgents(path: string, { copilot }: AgentHomes): boolean {
	if (path.startsWith(join(copilot, "agents"))) return true;
	return /[/\\]\.(?:github|claude)(?:[/\\]agents(?:[/\\].*)?)?$/s.test(path);
}

function readKnown(path: AgentPath, known: ReadonlyMap<string, KnownFile>): KnownFile {
	const uri = uriOfPath(path.path);
	if (path.isOutside) return unread(uri, "A link leads out of the folder and is not followed");
	try {
		const { bytes } = readRegularFile(path.real, MAX_BYTES);
		const hash = createHash("sha256").update(bytes).digest("hex");
		const before = known.get(path.path);
		if (before?.hash === hash) return before;
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
		return { hash, agent: readAgent({ source: { uri, level: path.level, hash }, text, id: path.id }) };
	} catch (thrown) {
		return unread(uri, `The file cannot be read: ${messageOf(thrown)}`);
	}
}

function unread(uri: string, why: string): KnownFile {
	return { hash: "", agent: { uri, problems: [errorAtStart(uri, `${why}.`)], lineOf: () => 1 } };
}

function errorAt(path: string, message: string): AgentProblem {
	return errorAtStart(uriOfPath(path), message);
}

/** As in the Copilot CLI, the first file with a name wins, and within a chain also the first file with an id. */
function register(files: readonly AgentFile[], others: readonly AgentProblem[]): AgentRegistry {
	const agents = new Map<string, LocatedAgent>();
	const ids = new Map<string, AgentFile>();
	const problems: AgentProblem[] = [...others];
	for (const file of files.filter(isFirstOccurrence)) {
		const { agent, id, chain } = file;
		problems.push(...agent.problems.filter(() => !isReadMe(file)));
		const { definition } = agent;
		if (!definition) continue;
		const { name } = definition;
		const sameId = ids.get(`\0${id}`) ?? ids.get(`${chain}\0${id}`);
		const sameName = agents.get(name);
		if (sameId) problems.push(hiddenBy(agent, sameId.agent, `The path “${id}”`));
		else if (sameName) problems.push(hiddenBy(agent, sameName, `The name “${name}”`));
		else agents.set(name, { ...agent, definition });
		if (!sameId) ids.set(`${chain}\0${id}`, file);
	}
	const located = withNames([...agents.values()]);
	const names = new Set(agents.keys());
	// Unknown tools and handoffs are only warnings, so that the agents can still be chosen.
	const named = located.flatMap((agent) => [...unknownTools(agent), ...unknownHandoffs(agent, names)]);
	return {
		agents: located.map(({ definition }) => definition),
		problems: [...problems, ...named].sort((a, b) => compareTexts(a.uri, b.uri) || a.line - b.line),
	};
}

/** A handoff may give an agent's name, short name or file name; the agent's name replaces all three. */
function withNames(agents: readonly LocatedAgent[]): LocatedAgent[] {
	const all = agents.map(({ definition }) => definition);
	return agents.map((agent) => {
		const handoffs = agent.definition.handoffs.map((handoff) => {
			const [found, other] = agentsAt(handoff, all);
			return found && !other ? found.name : handoff;
		});
		return { ...agent, definition: { ...agent.definition, handoffs } };
	});
}

/** A folder that two paths lead to lists each of its files twice. */
function isFirstOccurrence({ id, real }: AgentFile, index: number, files: readonly AgentFile[]): boolean {
	return files.findIndex((file) => file.id === id && file.real === real) === index;
}

function isReadMe({ path, agent }: AgentFile): boolean {
	return basename(path).toLowerCase() === "readme.md" && agent.definition === undefined;
}

function unknownHandoffs(agent: LocatedAgent, names: ReadonlySet<string>): AgentProblem[] {
	return agent.definition.handoffs.flatMap((name, index) => {
		if (names.has(name) || VS_CODE_AGENTS.has(name.toLowerCase())) return [];
		return [warning(agent, ["handoffs", index], `There is no agent “${name}” to hand over to.`)];
	});
}

/** Names of tools of MCP servers (as in the CLI and VS Code) and of extensions have one of these separators. */
const FOREIGN_TOOL = /[/\-._:]/;

function unknownTools(agent: LocatedAgent): AgentProblem[] {
	return (agent.definition.tools ?? []).flatMap((tool, index) => {
		if (AGENT_TOOLS.has(tool) || FOREIGN_TOOL.test(tool)) return [];
		const message = `Neither the Copilot CLI nor VS Code has a tool “${tool}”.`;
		return [{ ...warning(agent, ["tools", index], message), tool }];
	});
}

function warning({ uri, lineOf }: ReadAgent, [field, index]: readonly [string, number?], message: string) {
	return { uri, line: lineOf(field, index), severity: "warning", message } as const;
}

function hiddenBy(agent: ReadAgent, first: ReadAgent, what: string): AgentProblem {
	const { uri, lineOf } = agent;
	const name = basename(filePathOf(first.uri) ?? first.uri);
	const message = `${what} belongs to another file, ${name}, which takes precedence. The agent in this file is not offered.`;
	return { uri, line: lineOf("name"), severity: "error", message };
}
