import type {
	PermissionOptionKind,
	RequestPermissionRequest,
	RequestPermissionResponse,
	ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { boundedText, visibleText } from "../../../base/text/visibleText.ts";
import { textOf } from "../../../base/values.ts";
import { MCP_SERVER } from "../../../core/agent/mcpEndpoint.ts";
import type { PermissionRequest, RequestArgument } from "../../../core/permission/permission.ts";
import { commandName, commandOf } from "../../../core/plugin/plugin.ts";
import { argumentsIn, hostArguments, pathArguments } from "../../../permissions/arguments/callArguments.ts";
import { type CallState, toolName } from "../../updates/toolCalls.ts";

export interface CallOrigin {
	/** The id by which rules and our own tools know the session. */
	readonly session: string;
	/** Absolute path of the folder that the session works in. */
	readonly cwd: string;
	/** URI of the window's first folder; empty if there is none. */
	readonly workspace: string;
	/** Whether a tool is a command of a plugin, which our own server offers to this session. */
	hasCommand(tool: string): boolean;
	/** Name of the agent of a chain that makes the calls. */
	readonly agent?: string;
}

/** The CLI's question as a request that our rules judge. `known` is the call as announced before. */
export function toPermissionRequest(
	{ toolCall }: RequestPermissionRequest,
	known: CallState | undefined,
	{ session, workspace, cwd, agent, hasCommand }: CallOrigin,
): PermissionRequest {
	const kind = textOf(toolCall, "kind") ?? known?.kind ?? "other";
	const args = argumentsOf(kind, toolCall, cwd);
	const title = titleOf(toolCall, known) ?? kind;
	return {
		door: "cli",
		// Only the announcement of an MCP tool names its server; the request knows better what kind of tool it is.
		tool:
			kind === "other" ? ruledName(known ? toolName(kind, known.title) : title, hasCommand) : toolOf(kind),
		title: wordsFor(title, args),
		arguments: args,
		session,
		...(agent !== undefined && { agent }),
		workspace,
		mutates: true,
	};
}

function toolOf(kind: string): string {
	return kind === "execute" ? "shell" : kind;
}

/** Our tools have one name at every door, so that a decision made here holds where the tool runs. */
function ruledName(name: string, hasCommand: CallOrigin["hasCommand"]): string {
	const prefix = `${MCP_SERVER}-`;
	const own = name.startsWith(prefix) ? name.slice(prefix.length) : name;
	const command = hasCommand(name) ? commandOf(own) : undefined;
	return command ? commandName(command.plugin, command.command) : own;
}

/** The CLI's own tools name paths in known fields; for any other tool we look at its whole input. */
function argumentsOf(kind: string, { rawInput, locations }: ToolCallUpdate, cwd: string): RequestArgument[] {
	const command = textOf(rawInput, "command");
	// An input may have both, and the CLI uses only one.
	const paths = [textOf(rawInput, "fileName"), textOf(rawInput, "path")].filter((path) => path !== undefined);
	const found = [
		...(command === undefined ? [] : [{ kind: "command" as const, value: command }]),
		...paths.flatMap((path) => pathArguments(path, cwd)),
		...(locations ?? []).flatMap((location) => pathArguments(location.path, cwd)),
		...hostArguments(textOf(rawInput, "url") ?? ""),
	];
	const expected = EXPECTED[kind];
	if (!expected) return argumentsIn(rawInput, cwd);
	const known = found.filter(
		(argument, index) => index === found.findIndex(({ value }) => value === argument.value),
	);
	return known.some((argument) => argument.kind === expected)
		? known
		: [...argumentsIn(rawInput, cwd), UNREADABLE];
}

/** What calls of each kind always name. */
const EXPECTED: Readonly<Record<string, RequestArgument["kind"]>> = {
	execute: "command",
	edit: "path",
	fetch: "host",
};

/** Asked about, whatever the rules say. */
const UNREADABLE: RequestArgument = { kind: "command", value: "" };

/** What the agent calls a call; of a command, the words of its model. */
export function agentsWordsFor({ toolCall }: RequestPermissionRequest, known: CallState | undefined): string {
	return titleOf(toolCall, known) ?? "";
}

function titleOf(toolCall: RequestPermissionRequest["toolCall"], known: CallState | undefined) {
	return textOf(toolCall, "title") ?? known?.title;
}

/** Characters of a command and of the agent's words in a title; the question shows all. */
const SHOWN = 500;
const WORDS_SHOWN = 120;

/** The action comes first: otherwise the agent's words could push it out of sight. */
function wordsFor(title: string, args: readonly RequestArgument[]): string {
	const first = args.find(({ kind, value }) => kind !== "text" && value !== "");
	const words = boundedText(visibleText(title), WORDS_SHOWN);
	return first ? `${boundedText(visibleText(first.value), SHOWN)} (${words})` : words;
}

/** Chooses the option of a kind. If the agent offers none, nothing is allowed. */
export function answerWith(
	{ options }: RequestPermissionRequest,
	kind: PermissionOptionKind,
): RequestPermissionResponse {
	const option = options.find((offered) => offered.kind === kind);
	return option ? { outcome: { outcome: "selected", optionId: option.optionId } } : CANCELLED;
}

export function isAllowing(
	{ options }: RequestPermissionRequest,
	{ outcome }: RequestPermissionResponse,
): boolean {
	const chosen = outcome.outcome === "selected" ? outcome.optionId : undefined;
	return options.some(({ optionId, kind }) => optionId === chosen && kind === "allow_once");
}

/** Denies this one call; the turn goes on. */
export const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
