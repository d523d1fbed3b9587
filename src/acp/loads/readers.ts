import { fieldOf, isRecord } from "../../base/values.ts";
import { type Phrase, phrase } from "../../core/phrase.ts";
import type { LoadKind } from "../../loads/places.ts";
import { describeHooks, describeServers, notUnderstood } from "./describe.ts";
import type { FoundFile } from "./foundFiles.ts";
import { parseFrontMatter, parseJson } from "./parseStrict.ts";

/** What a file contains, in lines for a person that are still to be made safe to show. */
export interface Load {
	readonly lines: readonly Phrase[];
	/** Part of it is run, or makes something run without a question. */
	readonly runs: boolean;
}

type Reader = (name: string, content: string) => Load;

export function readLoad({ kind, name, content, problem, isBeside }: FoundFile): Load {
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
};

const READERS: Readonly<Record<LoadKind, Reader>> = {
	hooks: (name, content) => {
		const value = parseJson(content);
		if (!isRecord(value)) return whole("hooks", name, content);
		const { hooks, version, ...others } = value;
		return running([
			...(hooks === undefined ? [] : hooksIn(NAMES.hooks(name), hooks)),
			...settingsIn(NAMES.hooks(name), others),
		]);
	},
	settings: (name, content) => {
		const value = parseJson(content);
		if (!isRecord(value)) return whole("settings", name, content);
		const { hooks, mcpServers, ...others } = value;
		return running([
			...(hooks === undefined ? [] : hooksIn(NAMES.hooks(name), hooks)),
			...(mcpServers === undefined ? [] : describeServers(mcpServers, name)),
			...settingsIn(NAMES.settings(name), others),
		]);
	},
	servers: (name, content) => {
		const value = parseJson(content);
		if (!isRecord(value)) return whole("servers", name, content);
		// The form that does not name them is Claude's.
		const servers = fieldOf(value, "mcpServers") ?? fieldOf(value, "servers") ?? value;
		return running(describeServers(servers, name));
	},
	agent: (name, content) => readMarkdown("agent", name, content),
	skill: (name, content) => readMarkdown("skill", name, content),
	command: (name, content) => readMarkdown("command", name, content),
	instructions: (name) => ({ lines: [NAMES.instructions(name)], runs: false }),
};

/** Fields that only describe, or choose among what exists. */
const PLAIN_FIELDS = new Set([
	"name",
	"description",
	"tools",
	"model",
	"argument-hint",
	"target",
	"infer",
	"user-invocable",
	"disable-model-invocation",
	"license",
	"metadata",
	"compatibility",
	"version",
	"color",
	"handoffs",
	"keywords",
]);

function readMarkdown(kind: "agent" | "skill" | "command", name: string, content: string): Load {
	const fields = parseFrontMatter(content);
	const title = NAMES[kind](name);
	if (fields === undefined) return whole(kind, name, content);
	const lines = Object.entries(fields).flatMap(([field, value]) => {
		if (/^mcp-?servers$/i.test(field))
			return describeServers(value).map((server) => phrase("{0} starts {1}", title, server));
		if (field === "hooks") return hooksIn(title, value);
		return PLAIN_FIELDS.has(field) ? [] : [saying(title, field, value)];
	});
	return lines.length > 0 ? running(lines) : { lines: [title], runs: false };
}

/** One of them may switch off hooks, including ours, or let plugins in. */
function settingsIn(title: Phrase, others: Readonly<Record<string, unknown>>): Phrase[] {
	return Object.entries(others).map(([name, value]) => saying(title, name, value));
}

function saying(title: Phrase, field: string, value: unknown): Phrase {
	return phrase("{0} says {1}: {2}", title, field, JSON.stringify(value));
}

function hooksIn(title: Phrase, hooks: unknown): Phrase[] {
	return describeHooks(hooks).map((hook) => phrase("{0}: {1}", title, hook));
}

function whole(kind: LoadKind, name: string, content: string): Load {
	return running([notUnderstood(NAMES[kind](name), content)]);
}

function running(lines: readonly Phrase[]): Load {
	return { lines, runs: lines.length > 0 };
}
