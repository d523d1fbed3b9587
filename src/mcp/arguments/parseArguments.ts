import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "../../base/failure.ts";
import { isRecord, parseJson } from "../../base/values.ts";
import type { EmbeddingSettings } from "../../core/knowledge/embedder.ts";
import { readServerAddress } from "../../models/serverAddress.ts";
import { MCP_OPTIONS, type McpOption } from "../../protocol/mcpOptions.ts";
import type { AgreedPlugin, McpArguments } from "../../protocol/worker.ts";

const OPTIONS = Object.entries<McpOption>(MCP_OPTIONS);

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** Reverses `formatMcpArguments`. Throws BAD_INPUT for invalid arguments. */
export function parseMcpArguments(args: readonly string[]): McpArguments | "help" | "version" {
	const values = parse(args);
	if (values["help"]) return "help";
	if (values["version"]) return "version";
	const { workspace, data, permissions, sessions } = values;
	if (!workspace) throw badInput("Name the folder to answer from: --workspace DIR.");
	if ([workspace, data, permissions, sessions].flat().includes(""))
		throw badInput("The path of a folder is empty.");
	const { embedding, ...read } = readAll(values);
	const { allow, "agree-plugin": agree, "no-embedding": hasNone } = values;
	const vectors = hasNone ? { provider: "none" as const } : vectorsOf(embedding);
	const given: McpArguments = {
		...read,
		...(vectors && { embedding: vectors }),
		...(Array.isArray(allow) && { allowed: allow.map(String).map(readAllow) }),
		...(Array.isArray(agree) && { agreed: agree.map(String).map(readAgree) }),
	};
	requireWhole(given);
	return given;
}

function parse(args: readonly string[]): Values {
	const options = OPTIONS.map(([name, { type, short }]) => {
		const multiple = type === "list" || type === "pairs";
		const kind = type === "flag" ? "boolean" : "string";
		return [name, { type: kind, multiple, ...(short && { short }) }] as const;
	});
	try {
		return parseArgs({ args: [...args], options: Object.fromEntries(options) }).values;
	} catch (cause) {
		if (cause instanceof TypeError) throw new Failure("BAD_INPUT", cause.message, { cause });
		throw cause;
	}
}

function readAll(values: Values): McpArguments {
	const given: Record<string, unknown> & McpArguments = { workspaces: [], excludes: [] };
	for (const [name, option] of OPTIONS) {
		const value = values[name];
		if (option.at === undefined || value === undefined || value === "") continue;
		const [outer = "", inner] = option.at.split(".");
		const read = readValue(value, name, option);
		given[outer] = inner === undefined ? read : { ...Object(given[outer]), [inner]: read };
	}
	return given;
}

function readValue(value: unknown, name: string, { type, range, choices }: McpOption): unknown {
	const wants = (what: string) => badInput(`--${name} wants ${what}, and not ${JSON.stringify(value)}.`);
	if (type === "pairs")
		return Object.fromEntries(
			[value].flat().map((pair) => {
				const [, key, text] = /^([^=]+)=(.*)$/s.exec(String(pair)) ?? [];
				if (key === undefined) throw wants("NAME=VALUE");
				return [key, text];
			}),
		);
	if (choices && !choices.includes(String(value))) throw wants(`one of ${choices.join(", ")}`);
	if (!range) return value;
	const [least, most] = range;
	const isWritten = type === "decimal" ? /^\d(?:\.\d+)?$/ : /^\d{1,15}$/;
	const number = isWritten.test(String(value)) ? Number(value) : -1;
	if (number >= least && number <= most) return number;
	const isOpen = most === Number.MAX_SAFE_INTEGER;
	throw wants(isOpen ? `a number of at least ${least}` : `a number from ${least} to ${most}`);
}

function vectorsOf({ folder, ...settings }: Partial<EmbeddingSettings> = {}): EmbeddingSettings | undefined {
	if (folder !== undefined) return { provider: "local", folder: resolve(folder) };
	return settings.endpoint === undefined ? undefined : { ...settings, provider: "openai-compatible" };
}

function readAllow(text: string): object {
	const rule = text.trim().startsWith("{") ? parseJson(text) : { tool: text };
	const { effect = "allow" } = isRecord(rule) ? rule : { effect: "?" };
	if (isRecord(rule) && effect === "allow") return { ...rule, effect };
	const what = `a rule that allows: {"channel":"cli","tool":"edit","path":"docs/**"}`;
	throw badInput(`--allow wants the name of a tool, or ${what}; not ${text}.`);
}

function readAgree(text: string): AgreedPlugin {
	const [, name, hash] = /^([a-z][a-z0-9-]{0,31})@([0-9a-f]{16,64})$/.exec(text) ?? [];
	if (name !== undefined && hash !== undefined) return { name, hash };
	const what = "the name of a plugin and the hash of the version that --check prints";
	throw badInput(`--agree-plugin wants NAME@HASH, ${what}; not ${text}.`);
}

function requireWhole({ model, otlp, junit, isTest }: McpArguments): void {
	if (junit !== undefined && !isTest)
		throw badInput("--junit names a file for the outcomes of --test: add --test.");
	if (otlp && !otlp.endpoint) throw badInput("--otlp-contents needs --otlp-endpoint URL, where traces go.");
	if (!model) return;
	if (!model.endpoint || !model.name)
		throw badInput("A model needs both options: --model-endpoint URL --model NAME.");
	readServerAddress(model.endpoint);
}

function badInput(message: string): Failure {
	return new Failure("BAD_INPUT", message);
}
