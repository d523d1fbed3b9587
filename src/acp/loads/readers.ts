import { fieldOf, isRecord } from "../../base/values.ts";
import type { LoadKind } from "../../loads/places.ts";
import { describeHooks, describeServers, notUnderstood } from "./describe.ts";
import type { FoundFile } from "./foundFiles.ts";
import { parseFrontMatter, parseJson } from "./parseStrict.ts";

/** What a file contains, in lines for a person that are still to be made safe to show. */
export interface Load {
	readonly lines: readonly string[];
	/** Part of it is run, or makes something run without a question. */
	readonly runs: boolean;
}

type Reader = (name: string, content: string) => Load;

export function readLoad({ kind, name, content, problem, isBeside }: FoundFile): Load {
	if (content === undefined) return { lines: [`${TITLES[kind]} ${name} ${problem}`], runs: true };
	if (isBeside) return { lines: [`File ${name}, beside hooks`], runs: false };
	return READERS[kind](name, content);
}

const TITLES: Readonly<Record<LoadKind, string>> = {
	hooks: "Hook",
	settings: "Settings",
	servers: "MCP servers",
	agent: "Agent",
	skill: "Skill",
	command: "Command",
	instructions: "Instructions",
};

const READERS: Readonly<Record<LoadKind, Reader>> = {
	hooks: (name, content) => {
		const value = parseJson(content);
		if (!isRecord(value)) return whole("hooks", name, content);
		const { hooks, version, ...others } = value;
		return running([
			...prefixed(`Hook ${name}: `, hooks === undefined ? [] : describeHooks(hooks)),
			...settingsIn(`Hook ${name}`, others),
		]);
	},
	settings: (name, content) => {
		const value = parseJson(content);
		if (!isRecord(value)) return whole("settings", name, content);
		const { hooks, mcpServers, ...others } = value;
		return running([
			...(hooks === undefined ? [] : prefixed(`Hook ${name}: `, describeHooks(hooks))),
			...(mcpServers === undefined ? [] : describeServers(mcpServers, ` in ${name}`)),
			...settingsIn(`Settings ${name}`, others),
		]);
	},
	servers: (name, content) => {
		const value = parseJson(content);
		if (!isRecord(value)) return whole("servers", name, content);
		// The form that does not name them is Claude's.
		const servers = fieldOf(value, "mcpServers") ?? fieldOf(value, "servers") ?? value;
		return running(describeServers(servers, ` in ${name}`));
	},
	agent: (name, content) => readMarkdown("agent", name, content),
	skill: (name, content) => readMarkdown("skill", name, content),
	command: (name, content) => readMarkdown("command", name, content),
	instructions: (name) => ({ lines: [`Instructions ${name}`], runs: false }),
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
	const title = `${TITLES[kind]} ${name}`;
	if (fields === undefined) return whole(kind, name, content);
	const lines = Object.entries(fields).flatMap(([field, value]) => {
		if (/^mcp-?servers$/i.test(field)) return prefixed(`${title} starts `, describeServers(value));
		if (field === "hooks") return prefixed(`${title}: `, describeHooks(value));
		return PLAIN_FIELDS.has(field) ? [] : [`${title} says ${field}: ${JSON.stringify(value)}`];
	});
	return lines.length > 0 ? running(lines) : { lines: [title], runs: false };
}

/** One of them may switch off hooks, including ours, or let plugins in. */
function settingsIn(title: string, others: Readonly<Record<string, unknown>>): string[] {
	return Object.entries(others).map(([name, value]) => `${title} says ${name}: ${JSON.stringify(value)}`);
}

function whole(kind: LoadKind, name: string, content: string): Load {
	return running([notUnderstood(`${TITLES[kind]} ${name}`, content)]);
}

function running(lines: readonly string[]): Load {
	return { lines, runs: lines.length > 0 };
}

function prefixed(prefix: string, lines: readonly string[]): string[] {
	return lines.map((line) => `${prefix}${line}`);
}
