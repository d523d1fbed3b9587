import { performance } from "node:perf_hooks";
import * as vscode from "vscode";
import type { CallDecision } from "../../agent/loop/turnRecorder.ts";
import { isFailure } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/text/markdown.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { type Admit, pinnedFor, type Tool } from "../../core/agent/tool.ts";
import type { PermissionRequest, Permissions, Verdict } from "../../core/permission/permission.ts";
import { describeRule } from "../../core/permission/ruleText.ts";
import { requestFor, requireAllowed } from "../../permissions/admission.ts";
import { type Asker, decide } from "../../permissions/decide.ts";
import { workspaceUri } from "../folders.ts";
import { KINDS } from "../permissions/argumentKinds.ts";
import { told, translated } from "../reported.ts";
import type { ChatOrigins } from "./chatOrigins.ts";

/** What every call of a tool of ours has to pass. `origin` is what VS Code tells of where it comes from. */
export interface ToolGate {
	/** What VS Code shall ask the person before the call, if the rules want that. */
	questionOf(
		tool: Tool,
		input: object,
		origin: unknown,
	): Promise<vscode.LanguageModelToolConfirmationMessages | undefined>;
	/** Resolves when the call may begin, as it is pinned; rejects with a `Failure` that tells the model why not. */
	readonly admit: Admit;
}

interface DecisionObserver {
	/** Told of a decision that took so many milliseconds, with the time in which a person thought about it. */
	decided(decision: CallDecision, durationMs: number): void;
}

const UNASKED =
	"Not allowed yet: the rules, or what this call does, changed while it was on its way, and the user was not asked. Call the tool again.";

/** VS Code calls the tool only if the person allows it, now or before, and does not say which: a call that was asked about and comes was allowed. */
export function createToolGate(
	permissions: Permissions,
	observer: DecisionObserver,
	{ sessionOf, turnOf }: ChatOrigins,
): ToolGate {
	const asked = createAskedCalls();
	const requestOf = (tool: Tool, input: object, origin: unknown) => {
		const session = sessionOf(origin);
		const from = {
			door: "tools",
			workspace: workspaceUri(),
			...(session !== undefined && { session }),
		} as const;
		return requestFor(tool, input, from);
	};
	/** An input that does not fit is refused by the call itself, in better words. */
	const readable = async (tool: Tool, input: object, origin: unknown) => {
		try {
			const now = await pinnedFor(tool, input, AbortSignal.timeout(LOOKUP_MS));
			return { request: await requestOf(now, input, origin), definition: now.definition };
		} catch (thrown) {
			if (isFailure(thrown)) return undefined;
			throw thrown;
		}
	};
	return {
		questionOf: async (tool, input, origin) => {
			const call = await readable(tool, input, origin);
			if (!call) return undefined;
			const { request, definition } = call;
			const verdict = await permissions.verdictFor(request);
			if (verdict.effect !== "ask") return undefined;
			asked.add({ ...callOf(request, input), definition, turn: turnOf(origin) });
			return { title: `${translated(tool.title)}?`, message: questionText(request, verdict) };
		},
		admit: async (tool, given, { origin, signal }) => {
			const input = Object(given);
			const request = await requestOf(tool, input, origin);
			let startedAt = performance.now();
			const ask: Asker["ask"] = async () => {
				const since = asked.take({ ...callOf(request, input), definition: tool.definition });
				startedAt = since ?? startedAt;
				return since === undefined ? undefined : { kind: "once" };
			};
			const ruling = await decide(permissions, request, { ask, by: "host", signal });
			const { title, tool: called } = request;
			const { effect, by } = ruling;
			observer.decided(
				{ kind: "permission", tool: called, title, effect, by },
				performance.now() - startedAt,
			);
			requireAllowed(ruling, UNASKED);
		},
	};
}

/** A question has no signal of its own. */
const LOOKUP_MS = 60_000;

interface AskedCall {
	readonly tool: string;
	readonly session: string | undefined;
	readonly input: string;
	/** What files said of it. */
	readonly definition?: string | undefined;
	/** Which request of the chat it belongs to, if VS Code tells. */
	readonly turn?: string | undefined;
}

function callOf({ tool, session }: PermissionRequest, input: object): AskedCall {
	return { tool, session, input: JSON.stringify(input) };
}

function createAskedCalls() {
	let calls: (AskedCall & { readonly since: number })[] = [];
	return {
		add: (call: AskedCall) => {
			// What was asked in an earlier turn of the chat, and never came, was not allowed.
			const isOver = ({ session, turn }: AskedCall) =>
				session !== undefined && session === call.session && turn !== call.turn;
			calls = [...calls.filter((earlier) => !isOver(earlier)), { ...call, since: performance.now() }];
		},
		/** A person may change the input that they allow: the same tool in the same session is the same call. */
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

/** What is done comes first. The words are a model's: every character of them is seen, and they are not Markdown. */
function questionText(
	{ arguments: args, title }: PermissionRequest,
	{ rule }: Verdict,
): vscode.MarkdownString {
	const lines = [
		...args.map(({ kind, value }) => `${KINDS[kind]}: ${visibleText(value)}`),
		translated(title),
	];
	if (rule) lines.push(vscode.l10n.t("Asked because of a rule: {0}", visibleText(told(describeRule(rule)))));
	return new vscode.MarkdownString(lines.map(escapeMarkdown).join("\n\n"));
}
