import { join, win32 } from "node:path";
import type {
	PermissionOptionKind,
	RequestPermissionRequest,
	RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { boundedText, visibleText } from "../../base/visibleText.ts";
import { MCP_SERVER } from "../../core/agent/mcpEndpoint.ts";
import type { CallArgument, PermissionRequest } from "../../core/permission/permission.ts";
import type { CallState } from "../updates/toolCalls.ts";
import { textOf } from "../values.ts";

export interface CallOrigin {
	/** By which rules and our own tools know the session. */
	readonly session: string;
	/** Absolute path of the folder that the session works in. */
	readonly cwd: string;
	/** URI of the window's first folder; empty where there is none. */
	readonly workspace: string;
}

/** What the CLI asks, as the one policy sees it. `known` is the call as it was announced before. */
export function toPermissionRequest(
	{ toolCall }: RequestPermissionRequest,
	known: CallState | undefined,
	{ session, workspace, cwd }: CallOrigin,
): PermissionRequest {
	const kind = textOf(toolCall, "kind") ?? known?.kind ?? "other";
	const input = toolCall.rawInput;
	const args = argumentsOf(input, cwd);
	const title = titleOf(toolCall, known) ?? kind;
	return {
		door: "cli",
		// The announcement of an MCP tool has its server's name, the request has not.
		tool: kind === "other" ? withoutOurServer(known?.call.name ?? title) : toolOf(kind),
		title: wordsFor(title, args),
		arguments: args,
		session,
		workspace,
		mutates: true,
	};
}

function toolOf(kind: string): string {
	return kind === "execute" ? "shell" : kind;
}

/** A tool of ours has one name at every door: what is decided here holds where it runs. */
function withoutOurServer(name: string): string {
	const prefix = `${MCP_SERVER}-`;
	return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function argumentsOf(input: unknown, cwd: string): CallArgument[] {
	const command = textOf(input, "command");
	const path = absolutePath(textOf(input, "fileName") ?? textOf(input, "path"), cwd);
	const url = textOf(input, "url");
	return [
		...(command === undefined ? [] : [{ kind: "command" as const, value: command }]),
		...(path === undefined ? [] : [{ kind: "path" as const, value: path.replaceAll("\\", "/") }]),
		...(url === undefined ? [] : hostOf(url)),
	];
}

/** Rules speak of whole paths. What is absolute on one system only is left as it is on the others. */
function absolutePath(path: string | undefined, cwd: string): string | undefined {
	return path === undefined || win32.isAbsolute(path) ? path : join(cwd, path);
}

function hostOf(url: string): CallArgument[] {
	const host = URL.parse(url)?.host;
	return host ? [{ kind: "host", value: host }] : [];
}

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

/** What is done comes first: the agent's words could push it out of sight. */
function wordsFor(title: string, [first]: readonly CallArgument[]): string {
	const words = boundedText(visibleText(title), WORDS_SHOWN);
	return first ? `${boundedText(visibleText(first.value), SHOWN)} (${words})` : words;
}

/** Chooses the option of a kind. Where the agent offers none, nothing is allowed. */
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
