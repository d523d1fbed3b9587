import * as vscode from "vscode";
import { type AssetShelf, createAssetShelf, textAt } from "../../agent/assets/assets.ts";
import { hooked, hookedQuote } from "../../agent/loop/middleware.ts";
import { type Engine, type Middleware, runTurn, traced } from "../../agent/loop/runTurn.ts";
import { measuredSearch, searchFirst } from "../../agent/loop/search.ts";
import {
	agentEngine,
	type ChannelCall,
	createChannelRunner,
	graphEngine,
} from "../../agent/loop/tracedAgent.ts";
import type { AgentPorts, Model } from "../../agent/ports.ts";
import { createSummaries } from "../../agent/window/summaries.ts";
import { createTokenCounts } from "../../agent/window/tokenCounts.ts";
import { Failure } from "../../base/failure.ts";
import type { AgentEvent, AgentRequest, Runner, Turn } from "../../core/agent/agentEvent.ts";
import type { AssetRef } from "../../core/agent/assetRef.ts";
import type { RunnerWish, Tool } from "../../core/agent/tool.ts";
import type { ToolDeclaration } from "../../core/agent/toolDeclaration.ts";
import type { KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Memory } from "../../core/session/memory.ts";
import type { SessionJournals } from "../../core/session/session.ts";
import { checkedRunner } from "../../evidence/checkTurn.ts";
import { createPassages } from "../../passages/passages.ts";
import { knowledgeFolders, workspaceUri } from "../folders.ts";
import { translated } from "../l10n.ts";
import { modelTrouble, toModel } from "../models/languageModel.ts";
import {
	anyModel,
	modelNamed,
	PASSAGES_VENDOR,
	requireModel,
	withoutModel,
} from "../models/passagesModel.ts";
import { admittedTools } from "../permissions/link.ts";
import { setting } from "../settings.ts";
import { createModelSteps, type StepServices } from "../steps/modelSteps.ts";
import { invokeTool, isSteady, toolsForTurn, toolsOfOthers } from "../tools/languageModelTools.ts";
import type { ChatOrigins } from "../tools/toolGate.ts";
import type { LiveTurns } from "../turn/turnRecord.ts";
import { readWorkspaceInstructions } from "./promptFiles.ts";

export interface RunnerServices extends StepServices {
	readonly knowledge: Knowledge;
	readonly worker: { readonly things: Things };
	readonly graph: KnowledgeGraph;
	readonly memory: Memory;
	readonly sessions: SessionJournals;
	readonly origins: ChatOrigins;
	readonly live: LiveTurns;
	/** Lists plugin commands and skills as tools; the skills that fit the question best come first. */
	commandTools(signal: AbortSignal, question?: string): Promise<readonly ToolDeclaration[]>;
}

/** Creates runners on VS Code's models. Token counts and tool results are kept between turns. */
export type Runners = ReturnType<typeof createRunners>;

export function createRunners(services: RunnerServices) {
	const { graph, origins, live, turnHooks, traces } = services;
	const counted = createCounted();
	const assets = createAssetShelf();
	const runnerOn = createLoops(services, assets, counted);
	const quoted = [hookedQuote(turnHooks), traced("quote", traces)];
	// Without hooks, which have already run when the model turns out to be missing.
	const rescue = traced("quote", traces);
	const engine = quoteEngine(services);
	const passages = (why?: string) => runTurn(engine, [quoting(why), rescue]);
	const quotes = runTurn(engine, quoted);
	return {
		passages: async () => runTurn(engine, [rescue]),
		/** Returns a tool's result in a session, or a part of the result. Rejects if the result is no longer kept. */
		resultOf: async (session: string, ref: AssetRef) => textAt(assets.of(session), ref),
		/** Returns a chat request's runner: the agent loop, `/graph`, or Passages, which needs no model. */
		runnerFor: async (request: vscode.ChatRequest) => {
			const { command, model, toolInvocationToken: origin, toolReferences: named } = request;
			const isNone = model.vendor === PASSAGES_VENDOR;
			if (command === "graph") {
				const writer = isNone ? withoutModel(WRITE_SPARQL) : counted(model);
				const engine = graphEngine({ graph, model: writer, say: translated });
				return runTurn(engine, [hooked(turnHooks), traced("graph", traces)]);
			}
			if (command === "quote") return quotes;
			if (isNone) return runTurn(engine, [quoting(), ...quoted]);
			return runnerOn({ model, origin, named, within: [orElse(passages)] });
		},
		/** Opens an agent loop, or Passages without a model. Rejects with NO_MODEL for a missing `wish.model`. */
		openRunner: async (context: { readonly origin?: unknown }, wish: RunnerWish = {}) => {
			const { commands: given, model: wanted } = wish;
			const { origin: asked } = context;
			const model = await (wanted === undefined ? anyModel() : requireModel(wanted));
			if (!model) return quotes;
			const session = origins.sessionOf(asked);
			const own = given && admittedTools(given, services, { channel: "tools", session });
			const show = session === undefined ? undefined : live.showIn(session);
			const within = show ? [callsWithin(show)] : [];
			const runner = runnerOn({ model, origin: asked as Origin, named: [], own, within });
			return checkedIf((given ?? wanted) === undefined, runner, services);
		},
		/** Opens an agent loop for another channel, on the wanted model or any. Rejects with NO_MODEL. */
		runnerAt: async (at: ChannelCall, wanted?: string) => {
			const model = counted(await modelFor(undefined, wanted));
			return createChannelRunner({ ...portsOn(model, services), ...at, hooks: turnHooks, traces });
		},
		/** Runs chain steps on the requesting chat's model or any. Rejects with NO_MODEL if there is none. */
		stepsIn: async (asked: unknown) => {
			const origin = asked as Origin;
			return stepsOn(await modelFor(origins.modelOf(origin)), services, origin, counted);
		},
	};
}

/** Checks answers against their sources, except answers to plugins, which programs may parse. */
function checkedIf(isQuestion: boolean, runner: Runner, { knowledge, worker }: RunnerServices): Runner {
	return isQuestion ? checkedRunner(runner, { knowledge, things: worker.things, channel: "chat" }) : runner;
}

function stepsOn(chat: vscode.LanguageModelChat, services: RunnerServices, origin: Origin, counted: Counted) {
	return createModelSteps(services, {
		ports: () => portsOn(counted(chat), services),
		modelNamed: async (name) => {
			const found = await modelNamed(name);
			return found && counted(found);
		},
		hostTools: { list: toolsOfOthers, call: (asked, signal) => invokeTool(asked, origin, signal) },
	});
}

function createLoops(services: RunnerServices, assets: AssetShelf, counted: Counted) {
	const { sessions, memory, commandTools, turnHooks, traces } = services;
	const summaries = createSessionSummaries(sessions);
	const observed = [hooked(turnHooks), traced("chat", traces)];
	const recall: AgentPorts["recall"] = ({ question, session }, signal) => {
		const chat = session === undefined ? {} : { session };
		return memory.recall({ query: question, workspace: workspaceUri(), channel: "chat", ...chat }, signal);
	};
	return ({ own, origin, named, within, ...parts }: TurnParts): Runner => {
		const model = counted(parts.model);
		const known = { ...portsOn(model, services), isSteady, assets, summaryOf: summaries.of, recall };
		const ports = { ...known, runTool: callsOf(own ?? [], origin) };
		const loop: Engine = async (turn) => {
			const commands = own ?? (await commandTools(turn.signal, turn.request.question));
			return agentEngine({ ...ports, tools: [...toolsForTurn(named), ...commands] })(turn);
		};
		const summarized = setting("agent.summarizeLongChats") ? [summaries.around(model)] : [];
		return runTurn(loop, [...within, ...summarized, ...observed]);
	};
}

type Counted = (chat: vscode.LanguageModelChat) => Model;

type Origin = vscode.ChatParticipantToolToken | undefined;

function searchAtChat({ knowledge }: RunnerServices): AgentPorts["search"] {
	return (query, signal) => knowledge.search({ ...query, channel: "chat" }, signal);
}

function quoteEngine(services: RunnerServices): Engine {
	const plain = searchAtChat(services);
	return ({ recorder }) => {
		const search = recorder ? measuredSearch(plain, recorder) : plain;
		return createPassages({
			search: (request, asked, signal) =>
				searchFirst({ search: (query, aborted) => search({ ...query, ...asked }, aborted) }, request, signal),
			say: translated,
		});
	};
}

function portsOn(model: Model, services: RunnerServices) {
	return {
		model,
		search: searchAtChat(services),
		readInstructions: readWorkspaceInstructions,
		folderNames: knowledgeFolders().map(({ name }) => name),
		maxRounds: setting("agent.maxRounds"),
	};
}

function callsOf(own: readonly Tool[], origin: Origin): AgentPorts["runTool"] {
	return async (call, signal) => {
		const command = own.find(({ name }) => name === call.name);
		if (!command) return invokeTool(call, origin, signal);
		return (await command.run(call.input, { signal, origin })).text;
	};
}

function createCounted() {
	const counts = createTokenCounts();
	return (chat: vscode.LanguageModelChat): Model => {
		const model = toModel(chat);
		return {
			...model,
			countTokens: (text, signal) => counts.of(chat.id, (asked) => model.countTokens(asked, signal))(text),
		};
	};
}

const WRITE_SPARQL = vscode.l10n.t("Without one, write SPARQL after /graph.");

async function modelFor(chosen: vscode.LanguageModelChat | undefined, wanted?: string) {
	if (wanted !== undefined) return requireModel(wanted);
	const model = chosen && chosen.vendor !== PASSAGES_VENDOR ? chosen : await anyModel();
	if (model) return model;
	const none = vscode.l10n.t("Agents need a language model, and there is none. Sign in to GitHub Copilot.");
	throw new Failure("NO_MODEL", none);
}

/** Shows the calls of a plugin's agent in the turn that called the plugin, under the plugin's name. */
function callsWithin(show: (event: AgentEvent) => void): Middleware {
	return ({ request }) => {
		const [within = ""] = request.agent?.name.split(":") ?? [];
		return {
			note: (event) => {
				const isCall = event.kind === "toolStarted" || event.kind === "toolFinished";
				// Makes IDs unique: each model numbers its own calls.
				if (isCall && within !== "")
					show({ ...event, within, call: { ...event.call, id: `${within}/${event.call.id}` } });
			},
		};
	};
}

function quoting(why = ""): Middleware {
	const text = `${vscode.l10n.t("Quoted by Passages, without a language model.")} ${why}`.trim();
	return ({ tell }) => ({ note: ({ kind }) => kind === "ended" && tell({ kind: "notice", text }) });
}

/** Falls back to another runner if the model is gone or forbidden. Up to that error, nothing is written. */
function orElse(other: (why: string) => Runner): Middleware {
	return () => ({
		rescue: (thrown) => {
			const why = UNUSABLE[modelTrouble(thrown) ?? ""];
			return why === undefined ? undefined : other(why);
		},
	});
}

const UNUSABLE: Readonly<Record<string, string>> = {
	gone: vscode.l10n.t("The selected language model is no longer available."),
	forbidden: vscode.l10n.t("Copilot-LD is not allowed to use the selected language model."),
};

interface TurnParts {
	readonly model: vscode.LanguageModelChat;
	readonly origin: Origin;
	readonly named: readonly vscode.ChatLanguageModelToolReference[];
	readonly own?: readonly Tool[] | undefined;
	readonly within: readonly Middleware[];
}

/** Timeout of a summary, which is useless once the next turns have passed. */
const PATIENCE_MS = 120_000;

export function createSessionSummaries(sessions: SessionJournals) {
	const summaries = createSummaries();
	const restored = new Set<string>();
	return {
		of: summaries.of,
		/** Restores the summary of a session before a turn, and makes a newer summary after the turn. */
		around:
			(model: Model): Middleware =>
			async (turn) => {
				const { question, history, session } = turn.request;
				await restore(turn.request, turn.signal);
				let answer = "";
				return {
					note: (event) => {
						if (event.kind === "text") answer += event.text;
					},
					end: (outcome) => {
						// Runs in the background: after a failure, the next turn only lacks a newer summary.
						if (outcome === "done")
							void summarize([...history, { question, answer }], model, session).catch(() => undefined);
					},
				};
			},
	};

	/** Reads a session's summary into memory once. After a failure, the next turn tries again. */
	async function restore({ session, history }: AgentRequest, signal: AbortSignal): Promise<void> {
		if (session === undefined || history.length === 0 || restored.has(session)) return;
		try {
			const { summary } = await sessions.read(session, signal);
			if (summary) await summaries.restore(history, summary);
			restored.add(session);
		} catch {
			signal.throwIfAborted();
		}
	}

	async function summarize(turns: readonly Turn[], model: Model, session: string | undefined): Promise<void> {
		const signal = AbortSignal.timeout(PATIENCE_MS);
		const made = await summaries.prepare(turns, model, signal);
		if (made && session !== undefined)
			await sessions.append(session, [{ kind: "summarized", at: Date.now(), ...made }], signal);
	}
}
