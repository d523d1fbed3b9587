import * as vscode from "vscode";
import { createAssetShelf } from "../../agent/assets/assetShelf.ts";
import { textAt } from "../../agent/assets/lookUp.ts";
import { withSteps } from "../../agent/call/toolCall.ts";
import { createDoorRunner, type DoorCall } from "../../agent/loop/doorRunner.ts";
import { type Engine, type Middleware, runTurn } from "../../agent/loop/runTurn.ts";
import { measuredSearch, searchFirst } from "../../agent/loop/search.ts";
import { agentEngine, graphEngine } from "../../agent/loop/tracedAgent.ts";
import type { AgentPorts, LoopPorts, Model } from "../../agent/ports.ts";
import { createTokenCounts } from "../../agent/window/tokenCounts.ts";
import { Failure } from "../../base/failure.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { AssetRef } from "../../core/agent/assetRef.ts";
import type { RunnerWish, StepEngine, Tool } from "../../core/agent/tool.ts";
import type { ToolDeclaration } from "../../core/agent/toolDeclaration.ts";
import type { KnowledgeGraph, Things } from "../../core/knowledge/graph.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Memory } from "../../core/session/memory.ts";
import type { SessionJournals } from "../../core/session/session.ts";
import { checkedRunner } from "../../evidence/checkedRunner.ts";
import { createPassages } from "../../passages/passages.ts";
import { admission } from "../../permissions/admission.ts";
import { knowledgeFolders, workspaceUri } from "../folders.ts";
import { translated } from "../l10n.ts";
import { anyModel, modelNamed, requireModel } from "../models/chooseModel.ts";
import { toModel } from "../models/languageModel.ts";
import { PASSAGES_VENDOR, withoutModel } from "../models/passagesModel.ts";
import { setting } from "../settings.ts";
import { createModelSteps, type StepServices } from "../steps/modelSteps.ts";
import { invokeTool, isSteady, toolsForTurn, toolsOfOthers } from "../tools/languageModelTools.ts";
import type { ChatOrigins } from "../tools/toolGate.ts";
import { callsWithin } from "../turn/callsWithin.ts";
import { turns } from "../turn/middleware.ts";
import type { LiveTurns } from "../turn/turnRecord.ts";
import { orElse, quoting } from "./inPlaceOfModel.ts";
import { readWorkspaceInstructions } from "./promptFiles.ts";
import { createSessionSummaries } from "./sessionSummaries.ts";

export interface RunnerServices extends StepServices {
	readonly knowledge: Knowledge;
	readonly worker: { readonly things: Things };
	readonly graph: KnowledgeGraph;
	readonly memory: Memory;
	readonly sessions: SessionJournals;
	readonly origins: ChatOrigins;
	readonly live: LiveTurns;
	/** The commands of plugins, each as a separate tool, and the skills, those that fit the question first. */
	commandTools(signal: AbortSignal, question?: string): Promise<readonly ToolDeclaration[]>;
}

/** Makes runners on models of VS Code. What was learned of a model in one turn is known in the next. */
export interface Runners {
	/** For a request of the chat: the agent loop, `/graph`, or Passages, which needs no model. */
	runnerFor(request: vscode.ChatRequest): Promise<Runner>;
	/** The agent loop outside the chat, or Passages without a model. It may call the given commands, else all. Rejects with NO_MODEL if the wanted one is missing. */
	openRunner(context: { readonly origin?: unknown }, wish?: RunnerWish): Promise<Runner>;
	/** The agent loop for a caller on another channel, on the model that is wanted. Rejects with NO_MODEL. */
	runnerAt(at: DoorCall, wanted?: string): Promise<Runner>;
	/** Runs steps of chains on the model of the chat that requests them. Rejects with NO_MODEL if it has none. */
	stepsIn(origin: unknown): Promise<StepEngine>;
	/** Needs no model. */
	passages(): Promise<Runner>;
	/** The result of a tool in a session, or a part of it. Rejects if it is kept no longer. */
	resultOf(session: string, ref: AssetRef): Promise<string>;
}

export function createRunners(services: RunnerServices): Runners {
	const { graph, sessions, origins, live, turnHooks } = services;
	const counted = createCounted();
	const assets = createAssetShelf();
	const summaries = createSessionSummaries(sessions);
	const runnerOn = (parts: TurnParts): Runner => {
		const model = counted(parts.model);
		const ports = { ...portsOn(model, services), isSteady, assets, summaryOf: summaries.of };
		const summarized = setting("agent.summarizeLongChats") ? [summaries.around(model)] : [];
		return runTurn(loopOn(ports, parts, services), turns.chat(services, [...parts.within, ...summarized]));
	};
	const engine = quoteEngine(services);
	const passages = (why?: string) => runTurn(engine, [quoting(why), ...turns.rescue(services)]);
	const quotes = runTurn(engine, turns.quote(services));
	return {
		passages: async () => runTurn(engine, turns.rescue(services)),
		resultOf: async (session, ref) => textAt(assets.of(session), ref),
		runnerFor: async ({ command, model, toolInvocationToken: origin, toolReferences: named }) => {
			const isNone = model.vendor === PASSAGES_VENDOR;
			if (command === "graph") {
				const writer = isNone ? withoutModel(WRITE_SPARQL) : counted(model);
				return runTurn(graphEngine({ graph, model: writer, say: translated }), turns.graph(services));
			}
			if (command === "quote") return quotes;
			if (isNone) return runTurn(engine, [quoting(), ...turns.quote(services)]);
			return runnerOn({ model, origin, named, within: [orElse(passages)] });
		},
		openRunner: async ({ origin: asked }, { commands: given, model: wanted } = {}) => {
			const model = await (wanted === undefined ? anyModel() : requireModel(wanted));
			if (!model) return quotes;
			const session = origins.sessionOf(asked);
			const own = given && admitted(given, services, session);
			const show = session === undefined ? undefined : live.showIn(session);
			const within = show ? [callsWithin(show)] : [];
			const runner = runnerOn({ model, origin: asked as Origin, named: [], own, within });
			return checkedIf((given ?? wanted) === undefined, runner, services);
		},
		runnerAt: async (at, wanted) => {
			const model = counted(await modelFor(undefined, wanted));
			return createDoorRunner({ ...surroundings(model), ...at, hooks: turnHooks, traces: services.traces });
		},
		stepsIn: async (asked) => {
			const origin = asked as Origin;
			return stepsOn(await modelFor(origins.modelOf(origin)), { counted, origin, services });
		},
	};
}

/** Whole questions say what their lines bear out; what plugins ask for may be read by programs. */
function checkedIf(isQuestion: boolean, runner: Runner, { knowledge, worker }: RunnerServices): Runner {
	return isQuestion ? checkedRunner(runner, { knowledge, things: worker.things, door: "chat" }) : runner;
}

function stepsOn(
	model: vscode.LanguageModelChat,
	{ counted, origin, services }: { counted: Counted; origin: Origin; services: RunnerServices },
): StepEngine {
	return createModelSteps(services, {
		ports: () => portsOn(counted(model), services),
		modelNamed: async (name) => {
			const found = await modelNamed(name);
			return found && counted(found);
		},
		hostTools: { list: toolsOfOthers, call: (asked, signal) => invokeTool(asked, origin, signal) },
	});
}

type Counted = (chat: vscode.LanguageModelChat) => Model;

type Origin = vscode.ChatParticipantToolToken | undefined;

/** The agent loop, with the commands of plugins that there are when a turn begins. */
function loopOn(
	ports: LoopPorts,
	{ origin, named, own }: TurnParts,
	{ memory, commandTools }: RunnerServices,
): Engine {
	return async (turn) => {
		const commands = own ?? (await commandTools(turn.signal, turn.request.question));
		const recall: AgentPorts["recall"] = ({ question, session }, signal) => {
			const chat = session === undefined ? {} : { session };
			return memory.recall({ query: question, workspace: workspaceUri(), door: "chat", ...chat }, signal);
		};
		const tools = [...toolsForTurn(named), ...commands];
		return agentEngine({ ...ports, recall, tools, runTool: callsOf(own ?? [], origin) })(turn);
	};
}

function searchAtChat({ knowledge }: RunnerServices): AgentPorts["search"] {
	return (query, signal) => knowledge.search({ ...query, door: "chat" }, signal);
}

function quoteEngine(services: RunnerServices): Engine {
	return ({ recorder }) => {
		const plain = searchAtChat(services);
		const search = recorder ? measuredSearch(plain, recorder) : plain;
		return createPassages({
			search: (request, asked, signal) =>
				searchFirst({ search: (query, aborted) => search({ ...query, ...asked }, aborted) }, request, signal),
			say: translated,
		});
	};
}

function portsOn(model: Model, services: RunnerServices) {
	return { ...surroundings(model), search: searchAtChat(services) };
}

function surroundings(model: Model) {
	return {
		model,
		readInstructions: readWorkspaceInstructions,
		folderNames: knowledgeFolders().map(({ name }) => name),
		maxRounds: setting("agent.maxRounds"),
	};
}

/** Runs commands as they are, and every other tool through VS Code. */
function callsOf(own: readonly Tool[], origin: Origin): AgentPorts["runTool"] {
	return async (call, signal) => {
		const command = own.find(({ name }) => name === call.name);
		if (!command) return invokeTool(call, origin, signal);
		return (await command.run(call.input, { signal, origin })).text;
	};
}

/** Asks the user if no rule decides on a call. */
function admitted(
	tools: readonly Tool[],
	{ permissions, askPerson: ask }: RunnerServices,
	session: string | undefined,
): readonly Tool[] {
	const from = {
		door: "tools",
		workspace: workspaceUri(),
		...(session !== undefined && { session }),
	} as const;
	return withSteps(tools, { admit: admission(permissions, from, { ask }) });
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

async function modelFor(
	chosen: vscode.LanguageModelChat | undefined,
	wanted?: string,
): Promise<vscode.LanguageModelChat> {
	if (wanted !== undefined) return requireModel(wanted);
	const model = chosen && chosen.vendor !== PASSAGES_VENDOR ? chosen : await anyModel();
	if (model) return model;
	throw new Failure(
		"NO_MODEL",
		vscode.l10n.t("Agents need a language model, and there is none. Sign in to GitHub Copilot."),
	);
}

interface TurnParts {
	readonly model: vscode.LanguageModelChat;
	readonly origin: Origin;
	readonly named: readonly vscode.ChatLanguageModelToolReference[];
	readonly own?: readonly Tool[] | undefined;
	/** Middleware before all other. */
	readonly within: readonly Middleware[];
}
