import { parseDocument } from "yaml";
import { fieldOf, isRecord, textOf } from "../../base/values.ts";
import { wordSet } from "../../base/words/wordList.ts";
import { isDeepYaml } from "../../base/yaml/locatedYaml.ts";
import { joined, type Phrase, phrase } from "../../core/phrase.ts";
import { AGENT_FIELDS, OTHER_FIELDS } from "../../loads/agentFields.ts";
import { splitFrontMatter } from "../../loads/frontMatter.ts";
import type { LoadKind } from "../../loads/places.ts";
import type { FoundFile } from "../../loads/walk.ts";

/** The lines must be escaped before they are shown. */
export interface Load {
	readonly lines: readonly Phrase[];
	/** Whether any part of the file runs, or makes something run, without asking. */
	readonly runs: boolean;
}

type Reader = (name: string, content: string) => Load;

const HOOK_WORDS = wordSet(`
		type bash powershell command args url prompt cwd env headers timeout timeoutSec matcher
		statusMessage comment description
	`);

const SERVER_WORDS = new Set(["type", "command", "args", "url", "env", "headers", "cwd", "tools", "timeout"]);

export function readLoad(file: FoundFile, mayRun: (file: FoundFile) => boolean): Load {
	const load = readWhole(file);
	return { ...load, runs: load.runs && mayRun(file) };
}

function readWhole({ kind, name, content, problem, isBeside }: FoundFile): Load {
	if (content === undefined)
		return { lines: [phrase("{0} {1}", NAMES[kind](name), problem ?? "")], runs: true };
	if (isBeside) return { lines: [phrase("File {0}, beside hooks", name)], runs: false };
	return READERS[kind](name, content);
}

const NAMES: Readonly<Record<LoadKind, (file: string) => Phrase>> = {
	hooks: (file) => phrase("Hook {0}", file),
	settings: (file) => phrase("Settings {0}", file),
	servers: (file) => phrase("MCP servers {0}", file),
	agent: (file) => phrase("Agent {0}", file),
	skill: (file) => phrase("Skill {0}", file),
	command: (file) => phrase("Command {0}", file),
	instructions: (file) => phrase("Instructions {0}", file),
	plugin: (file) => phrase("Plugin file {0}", file),
};

const READERS: Readonly<Record<LoadKind, Reader>> = {
	hooks: ofJson("hooks", (name, { hooks, version, ...others }) => [
		...(hooks === undefined ? [] : hooksIn(NAMES.hooks(name), hooks)),
		...settingsIn(NAMES.hooks(name), others),
	]),
	settings: ofJson("settings", (name, { hooks, mcpServers, ...others }) => [
		...(hooks === undefined ? [] : hooksIn(NAMES.hooks(name), hooks)),
		...(mcpServers === undefined ? [] : describeServers(mcpServers, name)),
		...settingsIn(NAMES.settings(name), others),
	]),
	// Claude's format has the servers at the top level.
	servers: ofJson("servers", (name, value) =>
		describeServers(value["mcpServers"] ?? value["servers"] ?? value, name),
	),
	agent: (name, content) => readMarkdown("agent", name, content),
	skill: (name, content) => readMarkdown("skill", name, content),
	command: (name, content) => readMarkdown("command", name, content),
	instructions: (name) => ({ lines: [NAMES.instructions(name)], runs: false }),
	plugin: (name, content) => {
		if (name.toLowerCase().endsWith(".md")) return readMarkdown("plugin", name, content);
		const isServers = /(?:^|[/\\])\.?mcp\.json$/i.test(name);
		return isServers ? READERS.servers(name, content) : pluginParts(name, content);
	},
};

/** Matches JSON that could start something: the name of such a field, or an escape that could spell this name. */
const JSON_MAY_START = /command|bash|powershell|\\u/i;

/** Describes hooks and servers in a plugin's manifest or in a file that the manifest names. Other JSON is data. */
function pluginParts(name: string, content: string): Load {
	const title = NAMES.plugin(name);
	const value = parseJson(content);
	const parts = isRecord(value) ? value : { content };
	const { hooks, mcpServers } = parts;
	const others = {
		...parts,
		...(isRecord(hooks) && { hooks: {} }),
		...(isRecord(mcpServers) && { mcpServers: {} }),
	};
	const mayStart = Object.entries(others).filter(([, part]) => JSON_MAY_START.test(JSON.stringify(part)));
	const lines = [
		...(isRecord(hooks) ? hooksIn(title, hooks) : []),
		...(isRecord(mcpServers) ? describeServers(mcpServers, name) : []),
		...mayStart.map(([field, part]) => saying(title, field, part)),
	];
	return lines.length > 0 ? running(lines) : { lines: [title], runs: false };
}

const PLAIN_FIELDS = new Set(
	[...AGENT_FIELDS, ...OTHER_FIELDS].filter((field) => !/permission/i.test(field)),
);

/** Matches front matter that could start something: a field's name, or syntax that could spell this name. */
const MAY_START = /mcp|hooks|\\|!!/i;

function readMarkdown(kind: "agent" | "skill" | "command" | "plugin", name: string, content: string): Load {
	const fields = parseFrontMatter(content);
	const title = NAMES[kind](name);
	if (fields === undefined) {
		const isHarmless = (kind === "agent" || kind === "plugin") && !MAY_START.test(content);
		return { lines: [notUnderstood(title, content)], runs: !isHarmless };
	}
	const lines = Object.entries(fields).flatMap(([field, value]) => {
		if (/^mcp-?servers$/i.test(field))
			return describeServers(value).map((server) => phrase("{0} starts {1}", title, server));
		if (field === "hooks") return hooksIn(title, value);
		return PLAIN_FIELDS.has(field) ? [] : [saying(title, field, value)];
	});
	return lines.length > 0 ? running(lines) : { lines: [title], runs: false };
}

/** Describes every setting, because some settings switch off hooks, including ours, or allow plugins. */
function settingsIn(title: Phrase, others: Readonly<Record<string, unknown>>): Phrase[] {
	return Object.entries(others).map(([name, value]) => saying(title, name, value));
}

function saying(title: Phrase, field: string, value: unknown): Phrase {
	return phrase("{0} says {1}: {2}", title, field, JSON.stringify(value));
}

function hooksIn(title: Phrase, hooks: unknown): Phrase[] {
	return describeHooks(hooks).map((hook) => phrase("{0}: {1}", title, hook));
}

export function describeHooks(hooks: unknown): Phrase[] {
	if (!isRecord(hooks)) return [notUnderstood("hooks", hooks)];
	return Object.entries(hooks).flatMap(([event, entries]) =>
		[entries].flat().flatMap((entry) => describeEntry(event, entry)),
	);
}

function ofJson(
	kind: LoadKind,
	read: (name: string, value: Readonly<Record<string, unknown>>) => readonly Phrase[],
): Reader {
	return (name, content) => {
		const value = parseJson(content);
		return running(isRecord(value) ? read(name, value) : [notUnderstood(NAMES[kind](name), content)]);
	};
}

function running(lines: readonly Phrase[]): Load {
	return { lines, runs: lines.length > 0 };
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

function describeServers(servers: unknown, file?: string): Phrase[] {
	if (!isRecord(servers)) return [notUnderstood(phrase("MCP servers{0}", placeOf(file)), servers)];
	return Object.entries(servers).map(([name, server]) => {
		const named = phrase("MCP server “{0}”{1}", name, placeOf(file));
		const what = OURS.test(name) ? phrase("{0} (whose name imitates our own server)", named) : named;
		const start = textOf(server, "command") ?? textOf(server, "url");
		if (start === undefined || !isRecord(server)) return notUnderstood(what, server);
		// Without a command, the URL is already shown as the start.
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
	const quoted = (word: string) => (/^[\w./:@=,+-]+$/.test(word) ? word : JSON.stringify(word));
	return isPlain ? args.map(quoted) : [JSON.stringify(args)];
}

/** Names of servers that imitate ours, because the CLI's guard does not judge calls of our own tools. */
const OURS = /^copilot(-ld)?/i;

function detailsOf(
	value: Readonly<Record<string, unknown>>,
	shown: readonly string[],
	known: ReadonlySet<string>,
): string {
	const names = Object.keys(value).filter((name) => shown.includes(name) || !known.has(name));
	return names.map((name) => `, ${name}: ${JSON.stringify(value[name])}`).join("");
}

function notUnderstood(what: string | Phrase, value: unknown): Phrase {
	const text = typeof value === "string" ? value : JSON.stringify(value);
	return phrase("{0} cannot be understood. The full text: {1}", what, text);
}

/** Returns `undefined` if another parser could read the JSON differently. */
function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon !== "");
		// Parsers disagree on which of two equal keys counts.
		return written.length === keysIn(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function keysIn(value: unknown): number {
	if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + keysIn(item), 0);
	if (!isRecord(value)) return 0;
	return Object.entries(value).reduce((sum, [, item]) => sum + 1 + keysIn(item), 0);
}

/** Parses the front matter of a Markdown file; `undefined` if parsers could disagree on it. */
function parseFrontMatter(text: string): Readonly<Record<string, unknown>> | undefined {
	const head = splitFrontMatter(text)?.head;
	// The text looks like front matter, but not every parser reads this form.
	if (head === undefined) return /^\s*[﻿]?\s*(?:---|\+\+\+|;;;)/.test(text) ? undefined : {};
	if (isDeepYaml(head)) return undefined;
	const document = parseDocument(head, { logLevel: "error" });
	if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
	try {
		const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
