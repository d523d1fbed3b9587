import { type CliTool, cliToolsWith } from "./cliTools.ts";
import { ourTools, READING_TOOLS, startsAgents, USE_SKILL } from "./ourTools.ts";

/** Names of sets of tools, as agent files and requests of the CLI use them, and the tools in each set. */
const SETS: ReadonlyMap<string, readonly string[]> = new Map([
	...(["execute", "edit", "read", "search"] as const).map((kind) => [kind, namesOf(kind)] as const),
	["web", namesOf("fetch")],
	["agent", cliToolsWith(({ startsAgents = false }) => startsAgents)],
]);

function namesOf(wanted: CliTool["kind"]): string[] {
	return cliToolsWith(({ kind }) => kind === wanted);
}

/** Aliases of these sets and tools, including those of Claude, VS Code and ACP. */
const ALIASES: ReadonlyMap<string, string> = new Map(
	Object.entries({
		shell: "execute",
		runcommands: "execute",
		runinterminal: "execute",
		write: "edit",
		multiedit: "edit",
		delete: "edit",
		move: "edit",
		editfiles: "edit",
		readfile: "read",
		fetch: "web",
		webfetch: "web_fetch",
		websearch: "web_search",
		"custom-agent": "agent",
		runsubagent: "agent",
	}),
);

/** Reading and searching tools of the CLI, VS Code and Claude. An agent with one may query our knowledge. */
const READING_WORDS =
	/^(?:read|view|search|grep|glob|rg|ls|codebase|usages|filesearch|textsearch|listdirectory|searchresults)(?:-|$)/;

const KNOWLEDGE: ReadonlySet<string> = new Set([...READING_TOOLS, USE_SKILL]);

/** Prefixes of our tools' names in VS Code, the CLI and agent files. */
const OURS = /^copilot-ld[_/-]/;

type Allowed = readonly string[] | undefined;

/** Whether an agent with these tools may call a tool, named as in the engine. Unknown names allow nothing. */
export function mayUse(allowed: Allowed, tool: string): boolean {
	if (allowed === undefined || allowed.includes("*")) return true;
	return allowed.some((name) => covers(nameOf(name), nameOf(tool)));
}

/** The tools that both lists allow, under any of their names; absent if neither list restricts them. */
export function commonTools(one: Allowed, other: Allowed): Allowed {
	if (one === undefined || one.includes("*")) return other?.includes("*") ? undefined : other;
	if (other === undefined || other.includes("*")) return one;
	const narrower = other.filter((name) => !one.includes(name) && mayUse(one, name));
	return [...one.filter((name) => mayUse(other, name)), ...narrower];
}

/** Whether an agent with these tools may call a tool of which only the kind is known. */
export function mayUseKind(allowed: Allowed, kind: string): boolean {
	const tools = SETS.get(ALIASES.get(kind) ?? kind) ?? [kind];
	return tools.some((tool) => mayUse(allowed, tool));
}

/** Whether the list names tools that start agents. An unrestricted list or `*` does not count. */
export function mayStartAgents(allowed: Allowed): boolean {
	return allowed?.some((name) => covers(nameOf(name), "task")) ?? false;
}

/** Whether these tools are read-only for any input; false if a tool is unknown. */
export function onlyRead(allowed: Allowed): boolean {
	return allowed?.every((name) => READERS.has(nameOf(name))) ?? false;
}

const READERS: ReadonlySet<string> = new Set([
	"read",
	...namesOf("read"),
	"search",
	...namesOf("search"),
	...ourTools(({ about, isReadOnly }) => isReadOnly && (about === "knowledge" || about === "memory")),
]);

function covers(allowed: string, tool: string): boolean {
	if (allowed === tool || SETS.get(allowed)?.includes(tool)) return true;
	if (READING_WORDS.test(allowed) && KNOWLEDGE.has(tool)) return true;
	// A wildcard for all tools of a server; the CLI prefixes their names with the server's.
	const server = /^(.+)[/-]\*$/.exec(allowed)?.[1];
	if (server === "copilot-ld") return ALL_OURS.has(tool);
	return server !== undefined && tool.startsWith(`${server}-`);
}

/** Excludes tools that start agents: each of these must be listed by name. */
const ALL_OURS: ReadonlySet<string> = new Set(
	ourTools((facts) => facts.about !== "plugins" && !startsAgents(facts)),
);

function nameOf(name: string): string {
	const plain = name.replace(/^#/, "");
	if (OURS.test(plain) && !plain.endsWith("*")) return plain.replace(OURS, "");
	const lower = plain.toLowerCase();
	return ALIASES.get(lower) ?? (plain.endsWith("*") ? lower : lower.replace("/", "-"));
}
