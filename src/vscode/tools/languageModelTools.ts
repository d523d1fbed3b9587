import * as vscode from "vscode";
import { createAssetShelf } from "../../agent/assets/assets.ts";
import { type CallSteps, callTool, createKeptCalls } from "../../agent/call/toolCall.ts";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import { unlessFailed } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import type { ToolCall } from "../../core/agent/agentEvent.ts";
import { ourTools } from "../../core/agent/ourTools.ts";
import { type PinnedTool, pinnedFor, type Tool, type TurnHooks } from "../../core/agent/tool.ts";
import type { ToolDeclaration } from "../../core/agent/toolDeclaration.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import { commandOf } from "../../core/plugin/plugin.ts";
import { callHostTool, signalOf } from "../cancellation.ts";
import type { FirstUses } from "../firstUses.ts";
import { translated } from "../l10n.ts";
import { type ChatOrigins, LOOKUP_MS, type ToolGate } from "./toolGate.ts";

/** VS Code requires a prefix that names the owner of a tool. */
const PREFIX = "copilot-ld_";
const ITSELF = `${PREFIX}ask`;
/** The tool that runs a command of a plugin; our own loop has one tool for each command. */
const PLUGIN = `${PREFIX}plugin`;

/** Tools that run agents. A question may use them only if the user names them. */
const OF_AGENTS = namesAbout("agents");

interface ToolServices {
	readonly context: vscode.ExtensionContext;
	tools(): Promise<readonly Tool[]>;
	readonly gate: ToolGate;
	readonly traces: TurnTracer;
	readonly origins: ChatOrigins;
	readonly turnHooks: TurnHooks;
	readonly uses: FirstUses;
}

/** Registers the tools in the manifest. The first call loads them, and each call passes the gate. */
export function registerTools(services: ToolServices): vscode.Disposable {
	const { context, gate, traces, origins, uses, turnHooks } = services;
	const declared: readonly { readonly name: string }[] =
		context.extension.packageJSON.contributes.languageModelTools;
	const stepsOf = createStepsOfOthers(origins, turnHooks);
	const find = async (name: string): Promise<Tool> => {
		const tool = (await services.tools()).find((candidate) => PREFIX + candidate.name === name);
		if (!tool) throw new TypeError(`The manifest names a tool ${name} that the code does not have.`);
		return tool;
	};
	return vscode.Disposable.from(
		...declared.map(({ name }) =>
			vscode.lm.registerTool<object>(name, {
				prepareInvocation: async (options) => {
					const { input } = options;
					const tool = await find(name);
					const { results } = stepsOf(options);
					const pinned = results && pinnedFor(tool, input, AbortSignal.timeout(LOOKUP_MS));
					// If the input cannot be completed, the call itself rejects the input, with a better message.
					const given = await unlessFailed(async () =>
						Object(pinned ? results.filled(await pinned, input) : input),
					);
					const confirmationMessages = given && (await gate.questionOf(tool, given, options));
					const announced = (await unlessFailed(async () => tool.announce(input))) ?? tool.title;
					return {
						invocationMessage: new vscode.MarkdownString(escapeMarkdown(translated(announced))),
						...(confirmationMessages && { confirmationMessages }),
					};
				},
				invoke: async ({ input, toolInvocationToken: origin }, token) => {
					const tool = await find(name);
					const context = { signal: signalOf(token), origin };
					const session = origins.sessionOf(origin);
					if (session === undefined) uses.usedTool();
					const record: CallSteps["record"] = (call, run) =>
						traces.call({ title: name, session, input: call.input }, context.signal, run);
					const steps = { ...stepsOf(origin), record, admit: gate.admit };
					const { text } = await callTool({ tool, input, context }, steps);
					return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
				},
			}),
		),
	);
}

function isOurs(name: string): boolean {
	return name.startsWith(PREFIX);
}

/** Whether a tool's answers stay the same during a turn. Those of memory and agents may change. */
export function isSteady(name: string): boolean {
	return isOurs(name) && !MEMORY.has(name) && !OF_AGENTS.has(name);
}

const MEMORY = namesAbout("memory");

function namesAbout(what: "agents" | "memory"): ReadonlySet<string> {
	return new Set(ourTools(({ about }) => about === what).map((name) => PREFIX + name));
}

/** The tools that a turn may call: our tools, except `ask`, and the tools that the user named. */
export function toolsForTurn(named: readonly vscode.ChatLanguageModelToolReference[]): ToolDeclaration[] {
	const wanted = new Set(named.map(({ name }) => name));
	const isOffered = (name: string) => wanted.has(name) || (isOurs(name) && !OF_AGENTS.has(name));
	return declared(({ name }) => name !== ITSELF && name !== PLUGIN && isOffered(name));
}

export function toolsOfOthers(): ToolDeclaration[] {
	return declared(({ name }) => !isOurs(name));
}

function declared(isWanted: (tool: vscode.LanguageModelToolInformation) => boolean): ToolDeclaration[] {
	return vscode.lm.tools
		.filter(isWanted)
		.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: inputSchema ?? {} }));
}

export async function invokeTool(call: ToolCall, origin: unknown, signal: AbortSignal): Promise<string> {
	const command = commandOf(call.name);
	// VS Code has one tool for the commands of all plugins.
	const plugin = command && { name: PLUGIN, input: { ...command, param: Object(call.input) } };
	const { name, input } = plugin ?? call;
	const text = await callHostTool(name, Object(input), { signal, origin });
	// Only our tools may cite the knowledge: brackets in other results are not citations.
	return isOurs(name) ? text : uncited(text);
}

/** Returns the hooks and kept results for calls of other agents. Our own loop adds these itself. */
export function createStepsOfOthers(origins: ChatOrigins, turnHooks: TurnHooks) {
	const shelf = createAssetShelf();
	return (origin: unknown): CallSteps => {
		if (origins.sessionOf(origin) !== undefined) return {};
		const chat = origins.chatOf(origin);
		// Only results of plugin commands get a name, because these commands accept each other's results.
		const isNamed = ({ definition }: Partial<PinnedTool>) => chat !== undefined && Boolean(definition);
		// If the chat is unknown, no result is kept.
		const assets = (chat === undefined ? createAssetShelf() : shelf).of(chat);
		return { hooks: turnHooks, results: createKeptCalls(assets, isNamed) };
	};
}
