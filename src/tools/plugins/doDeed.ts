import { Failure } from "../../base/failure.ts";
import { sendConfined } from "../../base/http/confinedRequest.ts";
import { wordsOf } from "../../base/http/endpointWords.ts";
import type { Lazy } from "../../base/jobs/lazily.ts";
import {
	findProgram,
	pathWithin,
	runProgram,
	type WorkPlace,
	whyNoProgram,
} from "../../base/program/runProgram.ts";
import { fieldOf, textOf } from "../../base/values.ts";
import type { ToolContext, ToolResult } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { Orchestrator } from "../../orchestrator/orchestrator.ts";
import type { OpenResource } from "../../plugins/resources/mcpServer.ts";
import type { Deed } from "../../plugins/run/deed.ts";
import { createOrchestrateTool, createRunAgentTool } from "../agents/runAgents.ts";

export interface HostActions {
	/** Rejects with a `Failure` if the command does not exist. */
	runCommand(command: string, args: readonly unknown[]): Promise<unknown>;
	callTool(tool: string, input: object, context: ToolContext): Promise<string>;
}

export interface DeedPlaces {
	readonly host?: HostActions | undefined;
	readonly orchestrator?: Lazy<Orchestrator> | undefined;
	readonly opened?: OpenResource | undefined;
	readonly place: WorkPlace | undefined;
}

const MAX_BYTES = 256_000;

/** Performs an approved action. The result contains no citations. */
export async function doDeed(deed: Deed, places: DeedPlaces, context: ToolContext): Promise<string> {
	return uncited(await resultOf(deed, places, context)) || "It is done, and gave no text.";
}

async function resultOf(deed: Deed, places: DeedPlaces, context: ToolContext) {
	const { host, orchestrator, place, opened } = places;
	switch (deed.kind) {
		case "vscode": {
			const given = await require(host, NO_EDITOR).runCommand(deed.command, deed.arguments);
			return typeof given === "string" ? given : (JSON.stringify(given) ?? "");
		}
		case "tool":
			if (deed.host !== undefined)
				return require(opened?.callTool, NO_SERVER)(deed.tool, deed.input, context.signal);
			return require(host, NO_EDITOR).callTool(deed.tool, deed.input, context);
		case "agent": {
			const tool = createRunAgentTool(require(orchestrator, NO_AGENTS));
			return answerOf(await tool.run({ agent: deed.name, prompt: deed.prompt }, context), "output");
		}
		case "chain": {
			const tool = createOrchestrateTool(require(orchestrator, NO_AGENTS));
			return answerOf(await tool.run({ chain: deed.name, prompt: deed.prompt }, context), "finalOutput");
		}
		case "http":
			return ask(deed, context.signal);
		case "program":
			return start(deed, require(place, NO_PLACE), context.signal);
	}
}

const NO_EDITOR = "This command works only in VS Code. Go on without it.";
const NO_SERVER = "No MCP server can be asked here. Go on without this command.";
const NO_AGENTS = "No agent can be run here. Go on without this command.";
const NO_PLACE = "No folder is open that the program could work in. Go on without this command.";

function require<Part>(part: Part | undefined, otherwise: string): Part {
	if (part === undefined) throw new Failure("NOT_ALLOWED", otherwise);
	return part;
}

function answerOf({ structured, text }: ToolResult, field: string): string {
	return textOf(fieldOf(structured, "data"), field) ?? text;
}

async function ask(deed: Extract<Deed, { kind: "http" }>, signal: AbortSignal): Promise<string> {
	const { status, text } = await sendConfined({ ...deed, maxBytes: MAX_BYTES }, signal);
	if (status >= 200 && status < 300) return text;
	const words = `${deed.url.host} answers with ${status}${wordsOf(text, undefined)}.`;
	throw new Failure("ENDPOINT_FAILED", uncited(words));
}

async function start(
	{ program, arguments: args, input, paths, at, timeoutMs }: Extract<Deed, { kind: "program" }>,
	{ folder: outer, own }: WorkPlace,
	signal: AbortSignal,
): Promise<string> {
	const folder = at === undefined ? outer : await pathWithin(outer, at);
	for (const path of paths)
		await pathWithin(folder, path).catch(() => {
			throw new Failure("BAD_INPUT", `Wrong input. “${path}” leads out of the folder.`);
		});
	const { env } = process;
	const found = await findProgram(program, { folder: own, env });
	if (found === undefined) throw new Failure("NOT_FOUND", await whyNoProgram(program, own));
	return runProgram({ program: found, args, folder, input, env, timeoutMs, maxBytes: MAX_BYTES }, signal);
}
