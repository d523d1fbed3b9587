import { performance } from "node:perf_hooks";
import * as vscode from "vscode";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import { unlessFailed } from "../../base/failure.ts";
import { escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import { fieldOf, textOf } from "../../base/values.ts";
import { type Admit, pinnedFor, type Tool } from "../../core/agent/tool.ts";
import type { PermissionRequest, Permissions, Verdict } from "../../core/permission/permission.ts";
import { describeRule } from "../../core/permission/ruleText.ts";
import { requestFor, requireAllowed } from "../../permissions/admission.ts";
import { type Asker, decide } from "../../permissions/decide.ts";
import { workspaceUri } from "../folders.ts";
import { told, translated } from "../l10n.ts";
import { KINDS } from "../permissions/permissionPick.ts";

/** Maps VS Code's chats to our sessions, by data that VS Code's API does not declare and may omit. */
export type ChatOrigins = ReturnType<typeof createChatOrigins>;

export function createChatOrigins() {
	const chats = new Map<string, { readonly session: string; readonly model?: vscode.LanguageModelChat }>();
	return {
		/** Stores the session of the chat that a request's token belongs to, and the user's model in it. */
		note: (origin: unknown, session: string, model?: vscode.LanguageModelChat) => {
			const chat = chatOf(origin);
			if (chat !== undefined) chats.set(chat, { session, ...(model && { model }) });
		},
		/** Name of a chat of any extension; `undefined` if VS Code does not provide one. */
		chatOf,
		sessionOf: (origin: unknown) => chats.get(chatOf(origin) ?? "")?.session,
		modelOf: (origin: unknown) => chats.get(chatOf(origin) ?? "")?.model,
	};
}

/** Reads the chat's resource, whose field is named differently when a call is announced. */
function chatOf(origin: unknown): string | undefined {
	const resource = fieldOf(origin, "sessionResource") ?? fieldOf(origin, "chatSessionResource");
	const [scheme, path] = [textOf(resource, "scheme"), textOf(resource, "path")];
	if (scheme === undefined || path === undefined) return undefined;
	return JSON.stringify([scheme, textOf(resource, "authority") ?? "", path, textOf(resource, "query") ?? ""]);
}

/** Checks every call of our tools. `origin` is VS Code's data about the caller. */
export type ToolGate = ReturnType<typeof createToolGate>;

const UNASKED =
	"Not allowed yet: the rules, or what this call does, have changed since the call was announced, and the user was not asked. Call the tool again.";

/** VS Code calls a tool only with the user's permission, so a call that arrives after a question was allowed. */
export function createToolGate(
	permissions: Permissions,
	{ decided }: { readonly decided: TurnTracer["decided"] },
	{ sessionOf }: ChatOrigins,
) {
	const asked = createAskedCalls();
	const requestOf = (tool: Tool, input: object, origin: unknown) => {
		const from = { channel: "tools", workspace: workspaceUri(), session: sessionOf(origin) } as const;
		return requestFor(tool, input, from);
	};
	return {
		/** The question for VS Code to ask the user before the call, if the rules require it. */
		questionOf: async (tool: Tool, input: object, origin: unknown) => {
			// The call itself rejects an invalid input, with a better message.
			const call = await unlessFailed(async () => {
				const now = await pinnedFor(tool, input, AbortSignal.timeout(LOOKUP_MS));
				return { request: await requestOf(now, input, origin), definition: now.definition };
			});
			if (!call) return undefined;
			const { request, definition } = call;
			const verdict = await permissions.verdictFor(request);
			if (verdict.effect !== "ask") return undefined;
			asked.add({ ...callOf(request, input), definition, turn: textOf(origin, "chatRequestId") });
			return { title: `${translated(tool.title)}?`, message: questionText(request, verdict) };
		},
		/** Resolves if the call is allowed; rejects with a `Failure` that tells the model why not. */
		admit: (async (tool, given, { origin, signal }) => {
			const input = Object(given);
			const request = await requestOf(tool, input, origin);
			let startedAt = performance.now();
			const ask: Asker["ask"] = async () => {
				const since = asked.take({ ...callOf(request, input), definition: tool.definition });
				startedAt = since ?? startedAt;
				return since === undefined ? undefined : { kind: "once" };
			};
			const ruling = await decide(permissions, request, { ask, by: "host", signal });
			const { effect, by } = ruling;
			const decision = { kind: "permission", tool: request.tool, title: request.title, effect, by } as const;
			decided(decision, performance.now() - startedAt);
			requireAllowed(ruling, UNASKED);
		}) satisfies Admit,
	};
}

/** Time limit for looking up the values of a question, for which VS Code passes no signal. */
export const LOOKUP_MS = 60_000;

interface AskedCall {
	readonly tool: string;
	readonly session: string | undefined;
	readonly input: string;
	/** Definition of the tool in files, if any. */
	readonly definition?: string | undefined;
	/** The chat's request that the call belongs to, if VS Code provides it. */
	readonly turn?: string | undefined;
}

function callOf({ tool, session }: PermissionRequest, input: object): AskedCall {
	return { tool, session, input: JSON.stringify(input) };
}

function createAskedCalls() {
	let calls: (AskedCall & { readonly since: number })[] = [];
	return {
		add: (call: AskedCall) => {
			// A call of an earlier turn that never arrived was not allowed.
			const isOver = ({ session, turn }: AskedCall) =>
				session !== undefined && session === call.session && turn !== call.turn;
			calls = [...calls.filter((earlier) => !isOver(earlier)), { ...call, since: performance.now() }];
		},
		/** The user may change the input before allowing it: a call of the same tool in the same session is the same call. */
		take: ({ tool, session, input, definition }: AskedCall): number | undefined => {
			const candidates = calls.filter(
				(call) =>
					call.tool === tool &&
					call.definition === definition &&
					(call.session === session || !call.session || !session),
			);
			const taken = candidates.find((call) => call.input === input) ?? candidates[0];
			calls = calls.filter((call) => call !== taken);
			return taken?.since;
		},
	};
}

/** Describes a call, arguments first. Shows every character, and no Markdown, because a model wrote the words. */
function questionText(request: PermissionRequest, { rule }: Verdict): vscode.MarkdownString {
	const lines = request.arguments.map(({ kind, value }) => `${KINDS[kind]}: ${visibleText(value)}`);
	lines.push(translated(request.title));
	if (rule) lines.push(vscode.l10n.t("Asked because of a rule: {0}", visibleText(told(describeRule(rule)))));
	return new vscode.MarkdownString(lines.map(escapeMarkdown).join("\n\n"));
}
