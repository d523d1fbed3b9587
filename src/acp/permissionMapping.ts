import type {
	PermissionOptionKind,
	RequestPermissionRequest,
	RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { CallArgument, PermissionRequest } from "../core/permission.ts";
import type { CallState } from "./toolCalls.ts";
import { textOf } from "./values.ts";

export interface CallOrigin {
	readonly session: string;
	/** URI of the window's first folder; empty where there is none. */
	readonly workspace: string;
}

/** What the CLI asks, as the one policy sees it. `known` is the call as it was announced before. */
export function toPermissionRequest(
	{ toolCall }: RequestPermissionRequest,
	known: CallState | undefined,
	{ session, workspace }: CallOrigin,
): PermissionRequest {
	const kind = textOf(toolCall, "kind") ?? known?.kind ?? "other";
	const input = toolCall.rawInput;
	const args = argumentsOf(input);
	const title = textOf(toolCall, "title") ?? known?.title ?? kind;
	return {
		door: "cli",
		// The announcement of an MCP tool has its server's name, the request has not.
		tool: kind === "other" ? (known?.call.name ?? title) : toolOf(kind),
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

function argumentsOf(input: unknown): CallArgument[] {
	const command = textOf(input, "command");
	const path = textOf(input, "fileName") ?? textOf(input, "path");
	const url = textOf(input, "url");
	return [
		...(command === undefined ? [] : [{ kind: "command" as const, value: command }]),
		...(path === undefined ? [] : [{ kind: "path" as const, value: path.replaceAll("\\", "/") }]),
		...(url === undefined ? [] : hostOf(url)),
	];
}

function hostOf(url: string): CallArgument[] {
	const host = URL.parse(url)?.host;
	return host ? [{ kind: "host", value: host }] : [];
}

function wordsFor(title: string, [first]: readonly CallArgument[]): string {
	return first ? `${title}: ${first.value}` : title;
}

/** Characters that join commands, or put the output of one into another. */
const COMPOUND = /[;&|<>`$()\n\r\\"'{}*?[\]]/;

/** Words after a program that name what it does, not what it does it to. */
const SUBCOMMAND = /^[a-z][a-z-]*$/;

/**
 * What a rule for more than this call speaks of: of a command its program with its subcommand, of a path and of a
 * host the same one. `undefined` where nothing wider would be safe to offer.
 */
export function widerArgument({ arguments: args }: PermissionRequest): CallArgument | undefined {
	const [first, ...others] = args;
	if (!first || others.length > 0) return undefined;
	if (first.kind !== "command") return first;
	if (COMPOUND.test(first.value)) return undefined;
	const [program = "", next = ""] = first.value.trim().split(/\s+/);
	const isSafe = SUBCOMMAND.test(next) && WITH_SUBCOMMANDS.has(program);
	return { kind: "command", value: isSafe ? `${program} ${next}` : first.value.trim() };
}

/** Programs whose second word says what they do; of others, only the same command is allowed again. */
const WITH_SUBCOMMANDS = new Set([
	...["git", "gh", "npm", "pnpm", "yarn", "bun", "cargo", "go", "dotnet", "docker", "kubectl", "terraform"],
	...["pip", "uv", "poetry", "mvn", "gradle", "make", "brew", "apt", "systemctl"],
]);

/** Chooses the option of a kind. Where the agent offers none, nothing is allowed. */
export function answerWith(
	{ options }: RequestPermissionRequest,
	kind: PermissionOptionKind,
): RequestPermissionResponse {
	const option = options.find((offered) => offered.kind === kind);
	return option ? { outcome: { outcome: "selected", optionId: option.optionId } } : CANCELLED;
}

/** Denies this one call; the turn goes on. */
export const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
