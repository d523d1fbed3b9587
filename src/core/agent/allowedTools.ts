import { type CliTool, cliToolsWith } from "./cliTools.ts";
import { ourTools, READING_TOOLS, startsAgents, USE_SKILL } from "./ourTools.ts";

/** Words for several tools, in the files of agents and in the requests of the CLI, and what the tools are called. */
const SETS: ReadonlyMap<string, readonly string[]> = new Map([
	...(["execute", "edit", "read", "search"] as const).map((kind) => [kind, namesOf(kind)] as const),
	["web", namesOf("fetch")],
	["agent", cliToolsWith(({ startsAgents = false }) => startsAgents)],
]);

function namesOf(wanted: CliTool["kind"]): string[] {
	return cliToolsWith(({ kind }) => kind === wanted);
}

/** Other names of the same sets and tools; Claude's, VS Code's and ACP's among them. */
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

/** Words for reading and searching files, of the CLI, of VS Code and of Claude. What may do that may ask our knowledge. */
const READING_WORDS =
	/^(?:read|view|search|grep|glob|rg|ls|codebase|usages|filesearch|textsearch|listdirectory|searchresults)(?:-|$)/;

const KNOWLEDGE: ReadonlySet<string> = new Set([...READING_TOOLS, USE_SKILL]);

/** Before the names of our own tools, as VS Code, the CLI and files of agents have them. */
const OURS = /^copilot-ld[_/-]/;

type Allowed = readonly string[] | undefined;

/** Whether an agent with these tools may call one, given by its name in the engine. An unknown name allows nothing. */
export function mayUse(allowed: Allowed, tool: string): boolean {
	if (allowed === undefined || allowed.includes("*")) return true;
	return allowed.some((name) => covers(nameOf(name), nameOf(tool)));
}

/** The tools that both lists allow, by whatever names they have in them; absent if neither says. */
export function commonTools(one: Allowed, other: Allowed): Allowed {
	if (one === undefined || one.includes("*")) return other?.includes("*") ? undefined : other;
	if (other === undefined || other.includes("*")) return one;
	const narrower = other.filter((name) => !one.includes(name) && mayUse(one, name));
	return [...one.filter((name) => mayUse(other, name)), ...narrower];
}

/** The same of a tool of which only the kind is known: whether it may be one that is allowed. */
export function mayUseKind(allowed: Allowed, kind: string): boolean {
	const tools = SETS.get(ALIASES.get(kind) ?? kind) ?? [kind];
	return tools.some((tool) => mayUse(allowed, tool));
}

/** Whether tools are named that start other agents; what allows everything does not name them. */
export function mayStartAgents(allowed: Allowed): boolean {
	return allowed?.some((name) => covers(nameOf(name), "task")) ?? false;
}

/** Whether these tools change nothing, whatever their input; false if one is unknown. */
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
	// All tools of a server, which the CLI puts before their names.
	const server = /^(.+)[/-]\*$/.exec(allowed)?.[1];
	if (server === "copilot-ld") return ALL_OURS.has(tool);
	return server !== undefined && tool.startsWith(`${server}-`);
}

/** Tools that start other agents must be named one by one. */
const ALL_OURS: ReadonlySet<string> = new Set(
	ourTools((facts) => facts.about !== "plugins" && !startsAgents(facts)),
);

function nameOf(name: string): string {
	const plain = name.replace(/^#/, "");
	if (OURS.test(plain) && !plain.endsWith("*")) return plain.replace(OURS, "");
	const lower = plain.toLowerCase();
	return ALIASES.get(lower) ?? (plain.endsWith("*") ? lower : lower.replace("/", "-"));
}
