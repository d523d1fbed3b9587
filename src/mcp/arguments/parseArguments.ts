import { parseArgs } from "node:util";
import { Failure } from "../../base/failure.ts";
import { readServerAddress } from "../../models/serverAddress.ts";
import type { McpArguments } from "../../protocol/mcpArguments.ts";
import { AGENT_OPTIONS, readAgentArguments } from "./agentArguments.ts";
import { INDEX_OPTIONS, readIndexArguments } from "./indexArguments.ts";

/** The counterpart of `formatMcpArguments`. Fails with BAD_INPUT at what it does not know; `"help"` and `"version"` where that is asked for. */
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
		...testsOf(values),
		...modelOf(values),
		...readIndexArguments(values),
		...readAgentArguments(values),
	};
}

function testsOf({
	test,
	junit,
}: {
	readonly test?: boolean;
	readonly junit?: string;
}): Pick<McpArguments, "tests"> {
	if (test) return { tests: { ...(junit && { junit }) } };
	if (junit !== undefined) throw new Failure("BAD_INPUT", "--junit says where the outcomes of --test go.");
	return {};
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

function parse(args: readonly string[]) {
	try {
		return parseArgs({
			args: [...args],
			options: {
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
				"model-endpoint": { type: "string" },
				model: { type: "string" },
				...INDEX_OPTIONS,
				...AGENT_OPTIONS,
				help: { type: "boolean", short: "h" },
				version: { type: "boolean" },
			},
		});
	} catch (cause) {
		if (cause instanceof TypeError) throw new Failure("BAD_INPUT", cause.message, { cause });
		throw cause;
	}
}
