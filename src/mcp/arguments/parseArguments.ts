import { parseArgs } from "node:util";
import { Failure } from "../../base/failure.ts";
import { isRecord, parseJson } from "../../base/values.ts";
import { readServerAddress } from "../../models/serverAddress.ts";
import type { AgentLimits, AgreedPlugin, McpArguments } from "../../protocol/worker.ts";
import { INDEX_OPTIONS, readIndexArguments } from "./indexArguments.ts";

const AGENT_OPTIONS = {
	"agents-max-tokens": { type: "string" },
	"agents-max-minutes": { type: "string" },
	"agents-step-timeout": { type: "string" },
	"agents-answer-timeout": { type: "string" },
	"agents-answer-tokens": { type: "string" },
	"model-window": { type: "string" },
} as const;

export const MCP_OPTIONS = {
	workspace: { type: "string", multiple: true },
	data: { type: "string" },
	permissions: { type: "string" },
	sessions: { type: "string" },
	exclude: { type: "string", multiple: true },
	"agent-instructions": { type: "boolean" },
	"graph-endpoint": { type: "string" },
	"text-only": { type: "boolean" },
	test: { type: "boolean" },
	junit: { type: "string" },
	"problem-report": { type: "string" },
	check: { type: "boolean" },
	allow: { type: "string", multiple: true },
	"agree-plugin": { type: "string", multiple: true },
	"model-endpoint": { type: "string" },
	model: { type: "string" },
	"otlp-endpoint": { type: "string" },
	"otlp-contents": { type: "boolean" },
	...INDEX_OPTIONS,
	...AGENT_OPTIONS,
	help: { type: "boolean", short: "h" },
	version: { type: "boolean" },
} as const;

type OptionName = keyof typeof AGENT_OPTIONS;

/** What each option limits, and its bounds, as those of the settings of the same names. */
const LIMITS: readonly (readonly [OptionName, keyof AgentLimits, least: number, most: number])[] = [
	["agents-max-tokens", "maxTokens", 1000, Number.MAX_SAFE_INTEGER],
	["agents-max-minutes", "maxMinutes", 1, 1440],
	["agents-step-timeout", "stepTimeout", 1, 86_400],
	["agents-answer-timeout", "answerTimeout", 1, 86_400],
	["agents-answer-tokens", "answerTokens", 64, 1_000_000],
	["model-window", "modelWindow", 2048, 100_000_000],
];

/**
 * The counterpart of `formatMcpArguments`. Throws BAD_INPUT for unknown arguments. Returns `"help"` or `"version"` if
 * requested.
 */
export function parseMcpArguments(args: readonly string[]): McpArguments | "help" | "version" {
	const { values } = parse(args);
	if (values.help) return "help";
	if (values.version) return "version";
	const { workspace: workspaces = [], data, permissions, sessions, exclude: excludes = [] } = values;
	const graphEndpoint = values["graph-endpoint"];
	if (workspaces.length === 0)
		throw new Failure("BAD_INPUT", "Say which folder to answer from: --workspace DIR.");
	const empty = [...workspaces, data, permissions, sessions].includes("");
	if (empty) throw new Failure("BAD_INPUT", "The path of a folder is empty.");
	return {
		workspaces,
		excludes,
		...(values["agent-instructions"] && { agentInstructions: true }),
		...(data && { data }),
		...(permissions && { permissions }),
		...(sessions && { sessions }),
		...(graphEndpoint && { graphEndpoint }),
		...(values["text-only"] && { isTextOnly: true }),
		...insteadOf(values),
		...consentsOf(values),
		...modelOf(values),
		...otlpOf(values),
		...readIndexArguments(values),
		...readAgentArguments(values),
	};
}

/** What the program does and ends, in place of answering a client. */
function insteadOf({
	test,
	junit,
	"problem-report": problemReport,
}: {
	readonly test?: boolean;
	readonly junit?: string;
	readonly "problem-report"?: string;
}): Partial<McpArguments> {
	if (junit !== undefined && !test)
		throw new Failure("BAD_INPUT", "--junit says where the outcomes of --test go.");
	return { ...(problemReport && { problemReport }), ...(test && { tests: { ...(junit && { junit }) } }) };
}

/** What the command line allows, in place of a user who is asked, or that it only checks what needs that. */
function consentsOf({
	check: isCheck,
	allow,
	"agree-plugin": agree,
}: {
	readonly check?: boolean;
	readonly allow?: readonly string[];
	readonly "agree-plugin"?: readonly string[];
}): Pick<McpArguments, "isCheck" | "allowed" | "agreed"> {
	return {
		...(isCheck && { isCheck }),
		...(allow && { allowed: allow.map(readAllow) }),
		...(agree && { agreed: agree.map(readAgree) }),
	};
}

/** The name of a tool, or a rule in JSON as the settings have it. */
function readAllow(text: string): object {
	const rule = text.trim().startsWith("{") ? parseJson(text) : { tool: text };
	const { effect = "allow" } = isRecord(rule) ? rule : { effect: "?" };
	if (isRecord(rule) && effect === "allow") return { ...rule, effect };
	throw new Failure(
		"BAD_INPUT",
		`--allow wants the name of a tool, or a rule that allows: {"channel":"cli","tool":"edit","path":"docs/**"}; not ${text}.`,
	);
}

function readAgree(text: string): AgreedPlugin {
	const [, name, hash] = /^([a-z][a-z0-9-]{0,31})@([0-9a-f]{16,64})$/.exec(text) ?? [];
	if (name !== undefined && hash !== undefined) return { name, hash };
	const what = "the name of a plugin and the hash of the version that --check prints";
	throw new Failure("BAD_INPUT", `--agree-plugin wants NAME@HASH, ${what}; not ${text}.`);
}

function modelOf({
	"model-endpoint": endpoint,
	model: name,
}: {
	readonly "model-endpoint"?: string;
	readonly model?: string;
}): Pick<McpArguments, "model"> {
	if ((endpoint ?? name) === undefined) return {};
	if (!endpoint || !name)
		throw new Failure(
			"BAD_INPUT",
			"Say both where the model is and which: --model-endpoint URL --model NAME.",
		);
	readServerAddress(endpoint);
	return { model: { endpoint, name } };
}

function otlpOf({
	"otlp-endpoint": endpoint,
	"otlp-contents": contents,
}: {
	readonly "otlp-endpoint"?: string;
	readonly "otlp-contents"?: boolean;
}): Partial<McpArguments> {
	return endpoint ? { otlp: { endpoint, ...(contents && { contents }) } } : {};
}

function parse(args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options: MCP_OPTIONS });
	} catch (cause) {
		if (cause instanceof TypeError) throw new Failure("BAD_INPUT", cause.message, { cause });
		throw cause;
	}
}

/** Throws BAD_INPUT for a value that is not a number within its bounds. */
function readAgentArguments(values: { readonly [Name in OptionName]?: string }): {
	readonly agents?: AgentLimits;
} {
	const given = LIMITS.flatMap(([option, name, least, most]) => {
		const text = values[option];
		if (text === undefined) return [];
		const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
		if (value >= least && value <= most) return [[name, value] as const];
		const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
		throw new Failure("BAD_INPUT", `--${option} wants a number ${range}, and not ${JSON.stringify(text)}.`);
	});
	return given.length > 0 ? { agents: Object.fromEntries(given) } : {};
}
