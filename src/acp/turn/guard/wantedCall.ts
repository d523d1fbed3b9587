import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { boundedText, visibleText } from "../../../base/text/visibleText.ts";
import { textOf } from "../../../base/values.ts";
import { CLI_TOOLS } from "../../../core/agent/cliTools.ts";
import { MCP_SERVER } from "../../../core/agent/ourTools.ts";
import type { PermissionRequest, RequestArgument } from "../../../core/permission/permission.ts";
import { commandName, commandOf } from "../../../core/plugin/plugin.ts";
import { argumentsIn, hostArguments, pathArguments } from "../../../permissions/arguments/callArguments.ts";
import type { HookedCall } from "../../link/callHooks.ts";
import { type CallState, toolName } from "../../updates/toolCalls.ts";

/** A call that the CLI wants to make, whether its hook or its question over ACP reports it. */
export interface WantedCall {
	/** Empty if the call was not announced. */
	readonly id: string;
	/** What the agent or its model says about the call; not to be trusted. */
	readonly title: string;
	/** As ACP names kinds. */
	readonly kind: string;
	/** The name of the tool. Over ACP it is a guess, which counts only for calls of the kind `other`. */
	readonly tool: string;
	readonly input: unknown;
	readonly locations: readonly string[];
	readonly isNamed: boolean;
}

export interface CallOrigin {
	/** The id by which rules and our own tools know the session. */
	readonly session: string;
	/** Absolute path of the folder that the session works in. */
	readonly cwd: string;
	/** URI of the window's first folder; empty if no folder is open. */
	readonly workspace: string;
	hasCommand(tool: string): boolean;
	readonly agent?: string | undefined;
}

/** The call that the CLI asks about over ACP. `known` is the call as announced before. */
export function askedCall({ toolCall }: RequestPermissionRequest, known: CallState | undefined): WantedCall {
	const kind = textOf(toolCall, "kind") ?? known?.kind ?? "other";
	const title = textOf(toolCall, "title") ?? known?.title ?? "";
	return {
		id: toolCall.toolCallId,
		title,
		kind,
		// Only the announcement of an MCP tool names its server. The kind is more exact in the request.
		tool: known ? toolName(kind, known.title) : title || kind,
		input: toolCall.rawInput,
		locations: (toolCall.locations ?? []).map(({ path }) => path),
		isNamed: false,
	};
}

/** The call that a hook reports; one for each file that a patch changes. */
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
		door: "cli",
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

/** Our tools have one name in every channel, so that a decision made here also holds in the process that runs the tool. */
function ruledName({ kind, tool: name }: WantedCall, hasCommand: CallOrigin["hasCommand"]): string {
	if (kind !== "other") return kind === "execute" ? "shell" : kind;
	const prefix = `${MCP_SERVER}-`;
	const own = name.startsWith(prefix) ? name.slice(prefix.length) : name;
	const command = hasCommand(name) ? commandOf(own) : undefined;
	return command ? commandName(command.plugin, command.command) : own;
}

/** The argument that calls of each kind always name. */
const EXPECTED: Readonly<Record<string, RequestArgument["kind"]>> = {
	execute: "command",
	edit: "path",
	fetch: "host",
};

/** Asked about, whatever the rules say. */
const UNREADABLE: RequestArgument = { kind: "command", value: "" };

/** The CLI's own tools name paths in fields that are called so; for any other tool we look at its whole input. */
function argumentsOf(call: WantedCall, cwd: string): RequestArgument[] {
	const { kind, input, locations } = call;
	const expected = EXPECTED[kind];
	if (!expected) return argumentsIn(input, cwd);
	const field = commandFieldOf(call);
	const command = field === undefined ? undefined : textOf(input, field);
	// An input may have both, and the CLI uses only one.
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
	// A rule for a command does not know the program that reads what is typed.
	return field === "input" ? [...known, UNREADABLE] : known;
}

/** What fields with paths are called; `file_text` and `old_str` have text. */
const PATH_FIELD = /path|file_?name|dest|target|location|^(?:files?|to|from|(?:new|old)_?name)$/i;

export function pathsNamedIn(input: unknown, field = PATH_FIELD): string[] {
	const named = Object.entries(input ?? {}).filter(([name]) => field.test(name));
	return named.flatMap(([, value]) => [value].flat()).filter((value) => typeof value === "string");
}

/** The field that holds a command; none for a tool that is known to run none. */
function commandFieldOf({ tool, isNamed }: WantedCall): string | undefined {
	const named = isNamed ? CLI_TOOLS.get(tool) : undefined;
	return !named || named.kind === "execute" ? (named?.field ?? "command") : undefined;
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
