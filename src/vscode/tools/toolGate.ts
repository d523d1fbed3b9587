import * as vscode from "vscode";
import type { CallDecision } from "../../agent/loop/turnRecorder.ts";
import { isFailure } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import type { Tool } from "../../core/agent/tool.ts";
import type { PermissionRequest, Permissions, Verdict } from "../../core/permission/permission.ts";
import { describeRule } from "../../core/permission/ruleText.ts";
import { admit, requestFor } from "../../permissions/admission.ts";
import { workspaceUri } from "../folders.ts";

/** What every call of a tool of ours has to pass. */
export interface ToolGate {
	/** What VS Code shall ask the person before the call, where the rules want that. */
	questionOf(tool: Tool, input: object): Promise<vscode.LanguageModelToolConfirmationMessages | undefined>;
	/** Resolves when the call may begin; rejects with a `Failure` that tells the model why not. */
	admit(tool: Tool, input: object): Promise<void>;
}

interface DecisionObserver {
	/** Told of a decision that took so many milliseconds, with the time in which a person thought about it. */
	decided(decision: CallDecision, durationMs: number): void;
}

const UNASKED =
	"Not allowed yet: the rules changed while this call was on its way, and the user was not asked. Call the tool again.";

/** VS Code asks, and calls the tool only if the person allows it: what was asked about and comes was allowed. */
export function createToolGate(permissions: Permissions, observer: DecisionObserver): ToolGate {
	// A person may change the input that they allow, so calls are told apart by their tool only.
	const asked = new Map<string, number[]>();
	const askedAt = ({ name }: Tool) => asked.get(name) ?? [];
	return {
		questionOf: async (tool, input) => {
			const request = readable(tool, input);
			if (!request) return undefined;
			const verdict = await permissions.verdictFor(request);
			if (verdict.effect !== "ask") return undefined;
			asked.set(tool.name, [...askedAt(tool), performance.now()]);
			return { title: `${tool.title}?`, message: questionText(request, verdict) };
		},
		admit: async (tool, input) => {
			const [since, ...others] = askedAt(tool);
			asked.set(tool.name, others);
			const startedAt = since ?? performance.now();
			const record: Permissions["record"] = async (decision) => {
				await permissions.record(decision);
				const { request, effect, by } = decision;
				const { tool: called, title } = request;
				const told = { kind: "permission", tool: called, title, effect, by } as const;
				observer.decided(told, performance.now() - startedAt);
			};
			const consent = { isGiven: since !== undefined, otherwise: UNASKED };
			await admit({ ...permissions, record }, requestOf(tool, input), consent);
		},
	};
}

function requestOf(tool: Tool, input: object): PermissionRequest {
	return requestFor(tool, input, { door: "tools", workspace: workspaceUri() });
}

/** An input that does not fit is refused by the call itself, in better words. */
function readable(tool: Tool, input: object): PermissionRequest | undefined {
	try {
		return requestOf(tool, input);
	} catch (thrown) {
		if (isFailure(thrown)) return undefined;
		throw thrown;
	}
}

/** The words are a model's: they are shown as they are, and are not Markdown. */
function questionText(request: PermissionRequest, { rule }: Verdict): vscode.MarkdownString {
	const lines = [request.title, ...request.arguments.map(({ kind, value }) => `${kind}: ${value}`)];
	if (rule) lines.push(`Asked because of a rule: ${describeRule(rule)}`);
	return new vscode.MarkdownString(lines.map(escapeMarkdown).join("\n\n"));
}
