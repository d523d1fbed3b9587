import { type CliTool, cliToolsWith } from "./cliTools.ts";
import { ourTools, READING_TOOLS, startsAgents, USE_SKILL } from "./ourTools.ts";

/** Sets of tools by the names that agent files and CLI requests use. */
const SETS: ReadonlyMap<string, readonly string[]> = new Map([
	...(["execute", "edit", "read", "search"] as const).map((kind) => [kind, namesOf(kind)] as const),
	["web", namesOf("fetch")],
	["agent", cliToolsWith(({ startsAgents = false }) => startsAgents)],
]);

function namesOf(wanted: CliTool["kind"]): string[] {
	return cliToolsWith(({ kind }) => kind === wanted);
}

/** Aliases of tool sets and tools, including the names in Claude, VS Code and ACP. */
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

/** Reading and searching tools of the CLI, VS Code and Claude. An agent with such a tool may query our knowledge. */
const READING_WORDS =
	/^(?:read|view|search|grep|glob|rg|ls|codebase|usages|filesearch|textsearch|listdirectory|searchresults)(?:-|$)/;

const KNOWLEDGE: ReadonlySet<string> = new Set([...READING_TOOLS, USE_SKILL]);

/** Prefixes of our tools' names in VS Code, the CLI and agent files. */
const OURS = /^copilot-ld[_/-]/;

type Allowed = readonly string[] | undefined;

/** Whether a list of allowed tools covers a tool of the engine. Unknown names in the list allow nothing. */
export function mayUse(allowed: Allowed, tool: string): boolean {
	if (allowed === undefined || allowed.includes("*")) return true;
	return allowed.some((name) => covers(nameOf(name), nameOf(tool)));
}

/** Tools that both lists allow, under any of their aliases; `undefined` if neither list restricts tools. */
export function commonTools(one: Allowed, other: Allowed): Allowed {
	if (one === undefined || one.includes("*")) return other?.includes("*") ? undefined : other;
	if (other === undefined || other.includes("*")) return one;
	const narrower = other.filter((name) => !one.includes(name) && mayUse(one, name));
	return [...one.filter((name) => mayUse(other, name)), ...narrower];
}

/** Whether a list of allowed tools covers any tool of a kind, for calls that state only the kind. */
export function mayUseKind(allowed: Allowed, kind: string): boolean {
	const tools = SETS.get(ALIASES.get(kind) ?? kind) ?? [kind];
	return tools.some((tool) => mayUse(allowed, tool));
}

/** Whether the list names a tool that starts agents. A missing list and `*` do not count. */
export function mayStartAgents(allowed: Allowed): boolean {
	return allowed?.some((name) => covers(nameOf(name), "task")) ?? false;
}

/** Whether all listed tools are read-only for any input; false for a missing list and for unknown tools. */
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
	// `server/*` and `server-*` allow all tools of an MCP server: the CLI prefixes tool names with the server's name.
	const server = /^(.+)[/-]\*$/.exec(allowed)?.[1];
	if (server === "copilot-ld") return ALL_OURS.has(tool);
	return server !== undefined && tool.startsWith(`${server}-`);
}

/** Our tools that a wildcard allows. Tools that start agents are excluded: each must be listed by name. */
const ALL_OURS: ReadonlySet<string> = new Set(
	ourTools((facts) => facts.about !== "plugins" && !startsAgents(facts)),
);

function nameOf(name: string): string {
	const plain = name.replace(/^#/, "");
	if (OURS.test(plain) && !plain.endsWith("*")) return plain.replace(OURS, "");
	const lower = plain.toLowerCase();
	return ALIASES.get(lower) ?? (plain.endsWith("*") ? lower : lower.replace("/", "-"));
}
