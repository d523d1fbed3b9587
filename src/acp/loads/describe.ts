import { fieldOf, isRecord, textOf } from "../../base/values.ts";

/** Of a hook or a server: says of itself nothing that is not shown already, or nothing that matters. */
const HOOK_WORDS = new Set([
	"type",
	"bash",
	"powershell",
	"command",
	"args",
	"url",
	"prompt",
	"cwd",
	"env",
	"headers",
	"timeout",
	"timeoutSec",
	"matcher",
	"statusMessage",
	"comment",
	"description",
]);
const SERVER_WORDS = new Set(["type", "command", "args", "url", "env", "headers", "cwd", "tools", "timeout"]);

/** Hooks by their events, in the CLI's own form and in Claude's; one line each. */
export function describeHooks(hooks: unknown): string[] {
	if (!isRecord(hooks)) return [notUnderstood("hooks", hooks)];
	return Object.entries(hooks).flatMap(([event, entries]) =>
		[entries].flat().flatMap((entry) => describeEntry(event, entry)),
	);
}

function describeEntry(event: string, entry: unknown): string[] {
	const matcher = textOf(entry, "matcher");
	const when = matcher === undefined ? event : `${event} (for ${matcher})`;
	const inner = fieldOf(entry, "hooks");
	if (Array.isArray(inner)) return inner.flatMap((hook) => describeHook(when, hook));
	return describeHook(when, entry);
}

function describeHook(when: string, hook: unknown): string[] {
	const ways = [
		["runs", "bash"],
		["runs on Windows", "powershell"],
		["runs", "command"],
		["sends every call to", "url"],
		["asks the model", "prompt"],
	] as const;
	const found = ways.flatMap(([verb, name]) => {
		const text = textOf(hook, name);
		return text === undefined ? [] : [`${verb} ${text}`];
	});
	if (found.length === 0 || !isRecord(hook)) return [notUnderstood(when, hook)];
	return [`${when} ${found.join("; ")}${detailsOf(hook, ["args", "env", "cwd", "headers"], HOOK_WORDS)}`];
}

/** MCP servers by their names, one line each; `where` follows on each name. */
export function describeServers(servers: unknown, where = ""): string[] {
	if (!isRecord(servers)) return [notUnderstood(`MCP servers${where}`, servers)];
	return Object.entries(servers).map(([name, server]) => {
		const isAlike = OURS.test(name);
		const what = `MCP server “${name}”${where}${isAlike ? " (which takes the name of our own)" : ""}`;
		const start = textOf(server, "command") ?? textOf(server, "url");
		if (start === undefined || !isRecord(server)) return notUnderstood(what, server);
		// Next to a command, an address adds something.
		const more = textOf(server, "command") === undefined ? [] : ["url"];
		const details = detailsOf(server, [...more, "env", "cwd", "headers"], SERVER_WORDS);
		return `${what}: ${[start, ...argumentsOf(server)].join(" ")}${details}`;
	});
}

function argumentsOf(server: unknown): string[] {
	const args = fieldOf(server, "args");
	if (args === undefined) return [];
	const isPlain = Array.isArray(args) && args.every((arg) => typeof arg === "string");
	return isPlain ? args.map(quoted) : [JSON.stringify(args)];
}

/** Our own tools are judged where they run, so a server with their name could pass for ours. */
const OURS = /^copilot(-ld)?/i;

function quoted(word: string): string {
	return /^[\w./:@=,+-]+$/.test(word) ? word : JSON.stringify(word);
}

/** The fields that say what runs and where, and every field that we do not know. */
function detailsOf(
	value: Readonly<Record<string, unknown>>,
	shown: readonly string[],
	known: ReadonlySet<string>,
): string {
	const names = Object.keys(value).filter((name) => shown.includes(name) || !known.has(name));
	return names.map((name) => `, ${name}: ${JSON.stringify(value[name])}`).join("");
}

export function notUnderstood(what: string, value: unknown): string {
	const text = typeof value === "string" ? value : JSON.stringify(value);
	return `${what} cannot be understood, here it is whole: ${text}`;
}
