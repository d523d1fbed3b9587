import { fieldOf, isRecord, textOf } from "../../base/values.ts";
import { joined, type Phrase, phrase } from "../../core/phrase.ts";

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
export function describeHooks(hooks: unknown): Phrase[] {
	if (!isRecord(hooks)) return [notUnderstood("hooks", hooks)];
	return Object.entries(hooks).flatMap(([event, entries]) =>
		[entries].flat().flatMap((entry) => describeEntry(event, entry)),
	);
}

function describeEntry(event: string, entry: unknown): Phrase[] {
	const matcher = textOf(entry, "matcher");
	const when = matcher === undefined ? event : phrase("{0} (for {1})", event, matcher);
	const inner = fieldOf(entry, "hooks");
	if (Array.isArray(inner)) return inner.flatMap((hook) => describeHook(when, hook));
	return describeHook(when, entry);
}

const WAYS: readonly (readonly [string, (text: string) => Phrase])[] = [
	["bash", (text) => phrase("runs {0}", text)],
	["powershell", (text) => phrase("on Windows runs {0}", text)],
	["command", (text) => phrase("runs {0}", text)],
	["url", (text) => phrase("sends every call to {0}", text)],
	["prompt", (text) => phrase("asks the model {0}", text)],
];

function describeHook(when: string | Phrase, hook: unknown): Phrase[] {
	const found = WAYS.flatMap(([name, way]) => {
		const text = textOf(hook, name);
		return text === undefined ? [] : [way(text)];
	});
	if (found.length === 0 || !isRecord(hook)) return [notUnderstood(when, hook)];
	const details = detailsOf(hook, ["args", "env", "cwd", "headers"], HOOK_WORDS);
	return [phrase("{0} {1}{2}", when, joined(found, "; "), details)];
}

/** MCP servers by their names, one line each, with the file that names them. */
export function describeServers(servers: unknown, file?: string): Phrase[] {
	if (!isRecord(servers)) return [notUnderstood(phrase("MCP servers{0}", placeOf(file)), servers)];
	return Object.entries(servers).map(([name, server]) => {
		const named = phrase("MCP server “{0}”{1}", name, placeOf(file));
		const what = OURS.test(name) ? phrase("{0} (which takes the name of our own)", named) : named;
		const start = textOf(server, "command") ?? textOf(server, "url");
		if (start === undefined || !isRecord(server)) return notUnderstood(what, server);
		// Next to a command, an address adds something.
		const more = textOf(server, "command") === undefined ? [] : ["url"];
		const details = detailsOf(server, [...more, "env", "cwd", "headers"], SERVER_WORDS);
		return phrase("{0}: {1}", what, `${[start, ...argumentsOf(server)].join(" ")}${details}`);
	});
}

function placeOf(file: string | undefined): string | Phrase {
	return file === undefined ? "" : phrase(" in {0}", file);
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

export function notUnderstood(what: string | Phrase, value: unknown): Phrase {
	const text = typeof value === "string" ? value : JSON.stringify(value);
	return phrase("{0} cannot be understood. The full text: {1}", what, text);
}
