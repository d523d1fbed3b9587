import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { boundedText, visibleText } from "../../../base/text/visibleText.ts";
import { textOf } from "../../../base/values.ts";
import { CLI_TOOLS } from "../../../core/agent/cliTools.ts";
import { MCP_SERVER } from "../../../core/agent/ourTools.ts";
import type { PermissionRequest, RequestArgument } from "../../../core/permission/permission.ts";
import { commandName, commandOf } from "../../../core/plugin/plugin.ts";
import { argumentsIn, hostArguments, pathArguments } from "../../../permissions/arguments/callArguments.ts";
import type { HookedCall } from "../../link/callHooks.ts";
import { type CallState, toolName } from "../../updates/turnReader.ts";

export interface WantedCall {
	readonly id: string;
	/** Written by the agent or its model; not to be trusted. */
	readonly title: string;
	/** Kind of the call in ACP: `execute`, `edit`, `read`, … */
	readonly kind: string;
	/** Name of the tool. Over ACP, the name is a guess, which is used only for calls of the kind `other`. */
	readonly tool: string;
	readonly input: unknown;
	readonly locations: readonly string[];
	readonly isNamed: boolean;
}

export interface CallOrigin {
	readonly session: string;
	readonly cwd: string;
	/** URI of the window's first folder; empty if no folder is open. */
	readonly workspace: string;
	hasCommand(tool: string): boolean;
	readonly agent?: string | undefined;
}

/** `known` is the earlier announcement of the call. */
export function askedCall({ toolCall }: RequestPermissionRequest, known: CallState | undefined): WantedCall {
	const kind = textOf(toolCall, "kind") ?? known?.kind ?? "other";
	const title = textOf(toolCall, "title") ?? known?.title ?? "";
	return {
		id: toolCall.toolCallId,
		title,
		kind,
		// The announcement names the server of an MCP tool; the request has the more exact kind.
		tool: known ? toolName(kind, known.title) : title || kind,
		input: toolCall.rawInput,
		locations: (toolCall.locations ?? []).map(({ path }) => path),
		isNamed: false,
	};
}

export function hookedCalls({ tool, input }: HookedCall, known: CallState | undefined): WantedCall[] {
	const call = { id: known?.call.id ?? "", title: known?.title ?? tool, kind: acpKindOf(tool), tool };
	return inputsOf(tool, input).map((each) => ({ ...call, input: each, locations: [], isNamed: true }));
}

export function acpKindOf(tool: string): string {
	const kind = CLI_TOOLS.get(tool)?.kind ?? "other";
	if (kind === "search") return "read";
	return kind === "own" ? "other" : kind;
}

function inputsOf(tool: string, input: unknown): readonly unknown[] {
	if (tool !== "apply_patch") return [input];
	const patch = typeof input === "string" ? input : Object.values(input ?? {}).join("\n");
	const paths = [
		...patch.matchAll(/^[ \t]*\*\*\* (?:Add File|Update File|Delete File|Move to): *(.+?)\s*$/gm),
	];
	return paths.length === 0 ? [{}] : paths.map(([, path]) => ({ path, patch }));
}

export function requestOf(
	call: WantedCall,
	{ session, workspace, cwd, agent, hasCommand }: CallOrigin,
): PermissionRequest {
	const { kind, tool, title } = call;
	const args = argumentsOf(call, cwd);
	return {
		channel: "cli",
		tool: ruledName(call, hasCommand),
		...(call.isNamed && CLI_TOOLS.get(tool)?.hasRules && { uses: [tool] }),
		title: wordsFor(title || kind, args),
		arguments: args,
		session,
		...(agent !== undefined && { agent }),
		workspace,
		mutates: true,
	};
}

/** Our tools have the same name in the rules of every channel, so that decisions apply to all channels. */
function ruledName({ kind, tool: name }: WantedCall, hasCommand: CallOrigin["hasCommand"]): string {
	if (kind !== "other") return kind === "execute" ? "shell" : kind;
	const prefix = `${MCP_SERVER}-`;
	const own = name.startsWith(prefix) ? name.slice(prefix.length) : name;
	const command = hasCommand(name) ? commandOf(own) : undefined;
	return command ? commandName(command.plugin, command.command) : own;
}

const EXPECTED: Readonly<Record<string, RequestArgument["kind"]>> = {
	execute: "command",
	edit: "path",
	fetch: "host",
};

/** Makes the call ask the user, whatever the rules say. */
const UNREADABLE: RequestArgument = { kind: "command", value: "" };

/** Reads arguments of the CLI's own tools by field name; for other tools, examines the whole input. */
function argumentsOf(call: WantedCall, cwd: string): RequestArgument[] {
	const { kind, input, locations } = call;
	const expected = EXPECTED[kind];
	if (!expected) return argumentsIn(input, cwd);
	const field = commandFieldOf(call);
	const command = field === undefined ? undefined : textOf(input, field);
	// Includes paths even if there is a command, because it is unknown which of them the CLI uses.
	const paths = [...pathsNamedIn(input), ...locations];
	const found = [
		...(command === undefined ? [] : [{ kind: "command" as const, value: command }]),
		...paths.flatMap((path) => pathArguments(path, cwd)),
		...hostArguments(textOf(input, "url") ?? ""),
	];
	const known = found.filter(
		(argument, index) => index === found.findIndex(({ value }) => value === argument.value),
	);
	if (!known.some((argument) => argument.kind === expected)) return [...argumentsIn(input, cwd), UNREADABLE];
	// No rule for a command can know which program receives typed input.
	return field === "input" ? [...known, UNREADABLE] : known;
}

/** Names of fields that contain paths; `file_text` and `old_str` contain text. */
const PATH_FIELD = /path|file_?name|dest|target|location|^(?:files?|to|from|(?:new|old)_?name)$/i;

export function pathsNamedIn(input: unknown, field = PATH_FIELD): string[] {
	const named = Object.entries(input ?? {}).filter(([name]) => field.test(name));
	return named.flatMap(([, value]) => [value].flat()).filter((value) => typeof value === "string");
}

function commandFieldOf({ tool, isNamed }: WantedCall): string | undefined {
	const named = isNamed ? CLI_TOOLS.get(tool) : undefined;
	return !named || named.kind === "execute" ? (named?.field ?? "command") : undefined;
}

/** Maximum number of characters of a command in a title; the permission request shows the whole command. */
const SHOWN = 500;
const WORDS_SHOWN = 120;

/** Puts the command or path first, because the agent's words could push it out of sight. */
function wordsFor(title: string, args: readonly RequestArgument[]): string {
	const first = args.find(({ kind, value }) => kind !== "text" && value !== "");
	const words = boundedText(visibleText(title), WORDS_SHOWN);
	return first ? `${boundedText(visibleText(first.value), SHOWN)} (${words})` : words;
}
