import * as vscode from "vscode";
import { createAssetShelf } from "../../agent/assets/assetShelf.ts";
import { textAt } from "../../agent/assets/lookUp.ts";
import { withSteps } from "../../agent/call/toolCall.ts";
import { createDoorRunner, type DoorParts } from "../../agent/loop/doorRunner.ts";
import { hookedQuote, hookedTurn } from "../../agent/loop/hookedTurn.ts";
import { measuredSearch } from "../../agent/loop/measuredSearch.ts";
import { searchFirst } from "../../agent/loop/searchFirst.ts";
import { createTracedAgent, createTracedGraphAgent } from "../../agent/loop/tracedAgent.ts";
import { type TurnObserver, traced } from "../../agent/loop/tracedTurn.ts";
import type { TurnRecorder } from "../../agent/loop/turnRecorder.ts";
import type { AgentPorts, Model } from "../../agent/ports.ts";
import { createTokenCounts } from "../../agent/window/tokenCounts.ts";
import { Failure } from "../../base/failure.ts";
import type { AgentRequest, Runner } from "../../core/agent/agentEvent.ts";
import type { AssetRef } from "../../core/agent/assetRef.ts";
import type { StepEngine } from "../../core/agent/stepEngine.ts";
import type { RunnerWish, Tool, ToolDeclaration } from "../../core/agent/tool.ts";
import type { TurnHooks } from "../../core/agent/turnHooks.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Knowledge, ReadQuery, SearchQuery } from "../../core/knowledge/knowledge.ts";
import type { Memory, Recollection } from "../../core/session/memory.ts";
import type { Sessions } from "../../core/session/session.ts";
import { createPassages } from "../../passages/passages.ts";
import { admission } from "../../permissions/admission.ts";
import { knowledgeFolders, workspaceUri } from "../folders.ts";
import { anyModel, modelNamed, requireModel } from "../models/chooseModel.ts";
import { toModel } from "../models/languageModel.ts";
import { PASSAGES_VENDOR, withoutModel } from "../models/passagesModel.ts";
import { translated } from "../reported.ts";
import { maxRounds, summarizesLongChats } from "../settings.ts";
import { createModelSteps, type ModelStepsDeps } from "../steps/modelSteps.ts";
import type { ChatOrigins } from "../tools/chatOrigins.ts";
import { invokeTool, isSteady, toolsForTurn, toolsOfOthers } from "../tools/languageModelTools.ts";
import { callsWithin } from "../turn/callsWithin.ts";
import type { LiveTurns } from "../turn/liveTurns.ts";
import { orElse, quoting } from "./inPlaceOfModel.ts";
import { readWorkspaceInstructions } from "./promptFiles.ts";
import { createSessionSummaries } from "./sessionSummaries.ts";

interface Places {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly memory: { readonly memory: Memory; workspace(): string };
	readonly sessions: Pick<Sessions, "append" | "read">;
	readonly origins: Pick<ChatOrigins, "modelOf" | "sessionOf">;
	readonly live: Pick<LiveTurns, "showIn">;
	commands(signal: AbortSignal): Promise<readonly ToolDeclaration[]>;
	readonly turnHooks: TurnHooks;
	readonly steps: Pick<ModelStepsDeps, "tools" | "permissions" | "askPerson">;
}

/** Makes runners on models of VS Code. What was learned of a model in one turn is known in the next. */
export interface Runners {
	/** For a request of the chat: the agent loop, `/graph`, or Passages, which needs no model. */
	runnerFor(request: vscode.ChatRequest): Runner;
	/** The agent loop outside the chat, or Passages without a model. It may call the given commands, else all. Rejects with NO_MODEL if the wanted one is missing. */
	runnerOutside(origin: vscode.ChatParticipantToolToken | undefined, wish?: RunnerWish): Promise<Runner>;
	/** The agent loop for a caller on another channel, on the model that is wanted. Rejects with NO_MODEL. */
	runnerAt(
		at: Omit<DoorParts, "model" | "hooks" | "folderNames" | "maxRounds">,
		wanted?: string,
	): Promise<Runner>;
	/** Runs steps of chains on the model of the chat that they are asked for in. Rejects with NO_MODEL if there is none. */
	stepsIn(origin: vscode.ChatParticipantToolToken | undefined): Promise<StepEngine>;
	/** Needs no model. */
	readonly passages: Runner;
	/** What a tool gave in a session, or a part of it. Throws if it is kept no longer. */
	resultOf(session: string, ref: AssetRef): string;
}

function atChat({ search, read }: Knowledge) {
	return {
		search: (query: SearchQuery, signal: AbortSignal) => search({ ...query, door: "chat" }, signal),
		read: (query: ReadQuery, signal: AbortSignal) => read({ ...query, door: "chat" }, signal),
	};
}

export function createRunners(
	observer: TurnObserver,
	{ knowledge, graph, memory, sessions, origins, live, steps, commands, turnHooks }: Places,
): Runners {
	const { search } = atChat(knowledge);
	const counted = createCounted();
	const assets = createAssetShelf();
	const summaries = createSessionSummaries(sessions);
	const placesOf = (model: Model) => ({ ...placeOf(model), search });
	const runnerOn = ({ model: chat, origin, named, own }: TurnParts) => {
		const model = counted(chat);
		const portsWith = (more: readonly ToolDeclaration[]): AgentPorts => ({
			...placesOf(model),
			...{ isSteady, assets },
			summaryOf: summaries.of,
			tools: [...toolsForTurn(named), ...more],
			runTool: callsOf(own ?? [], origin),
			recall: (asked, signal) => recallFrom(memory, asked, signal),
		});
		const agent = withCommands(portsWith, { turnHooks, commands: commandsOf(own) ?? commands }, observer);
		return summarizesLongChats() ? summaries.around(agent, model) : agent;
	};
	const passages = passagesOf(knowledge, observer);
	const quotes = hookedQuote(turnHooks, passages);
	const graphOn = graphLoops({ graph, turnHooks }, observer);
	return {
		passages,
		resultOf: (session, ref) => textAt(assets.of(session), ref),
		runnerFor: ({ command, model, toolInvocationToken: origin, toolReferences: named }) => {
			const isNone = model.vendor === PASSAGES_VENDOR;
			const writer = isNone ? withoutModel(WRITE_SPARQL) : counted(model);
			if (command === "graph") return graphOn(writer);
			if (command === "quote") return quotes;
			return isNone ? quoting(quotes) : orElse(runnerOn({ model, origin, named }), passages);
		},
		runnerOutside: async (origin, { commands: given, model: wanted } = {}) => {
			const model = await (wanted === undefined ? anyModel() : requireModel(wanted));
			if (!model) return quotes;
			const session = origins.sessionOf(origin);
			const own = given && { own: admitted(given, steps, session) };
			const runner = runnerOn({ model, origin, named: [], ...own });
			return callsWithin(runner, session === undefined ? undefined : live.showIn(session));
		},
		runnerAt: loopsAtDoors(counted, turnHooks),
		stepsIn: async (origin) => {
			const model = counted(await modelFor(origins.modelOf(origin)));
			const ports = async () => placesOf(model);
			return createModelSteps({ ...steps, turnHooks, ...stepsAt(observer, counted, origin), ports });
		},
	};
}

function passagesOf(knowledge: Knowledge, observer: TurnObserver): Runner {
	const { search } = atChat(knowledge);
	const quotes = (recorder: TurnRecorder) => {
		const measured = measuredSearch(search, recorder);
		return createPassages({
			search: (request, asked, signal) =>
				searchFirst(
					{ search: (query, aborted) => measured({ ...query, ...asked }, aborted) },
					request,
					signal,
				),
			say: translated,
		});
	};
	return traced("quote", quotes, observer);
}

function placeOf(model: Model) {
	return {
		model,
		readInstructions: readWorkspaceInstructions,
		folderNames: knowledgeFolders().map(({ name }) => name),
		maxRounds: maxRounds(),
	};
}

function withCommands(
	portsWith: (more: readonly ToolDeclaration[]) => AgentPorts,
	{ commands, turnHooks }: Pick<Places, "commands" | "turnHooks">,
	observer: TurnObserver,
): Runner {
	return hookedTurn(
		turnHooks,
		(around) =>
			async function* run(request, signal) {
				const ports = portsWith(await commands(signal));
				const runTool = around(ports.runTool);
				yield* createTracedAgent({ ...ports, runTool }, observer)(request, signal);
			},
	);
}

function commandsOf(own: readonly Tool[] | undefined): Places["commands"] | undefined {
	return own && (async () => own);
}

/** Runs commands as they are, and every other tool through VS Code. */
function callsOf(
	own: readonly Tool[],
	origin: vscode.ChatParticipantToolToken | undefined,
): AgentPorts["runTool"] {
	return async (call, signal) => {
		const command = own.find(({ name }) => name === call.name);
		if (!command) return invokeTool(call, origin, signal);
		return (await command.run(call.input, { signal, origin })).text;
	};
}

/** The person is asked where no rule says whether a call may be. */
function admitted(
	tools: readonly Tool[],
	{ permissions, askPerson: ask }: Pick<ModelStepsDeps, "permissions" | "askPerson">,
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

function graphLoops(
	{ graph, turnHooks }: Pick<Places, "graph" | "turnHooks">,
	observer: TurnObserver,
): (model: Model) => Runner {
	return (model) =>
		hookedTurn(turnHooks, () => createTracedGraphAgent({ graph, model, say: translated }, observer));
}

function loopsAtDoors(
	counted: (chat: vscode.LanguageModelChat) => Model,
	hooks: TurnHooks,
): Runners["runnerAt"] {
	return async (at, wanted) => {
		const model = counted(await modelFor(undefined, wanted));
		return createDoorRunner({ ...placeOf(model), ...at, hooks });
	};
}

function stepsAt(
	observer: TurnObserver,
	counted: (chat: vscode.LanguageModelChat) => Model,
	origin: vscode.ChatParticipantToolToken | undefined,
): Pick<ModelStepsDeps, "agent" | "modelNamed" | "hostTools" | "workspace"> {
	return {
		agent: (ports) => createTracedAgent(ports, observer),
		modelNamed: async (name) => {
			const found = await modelNamed(name);
			return found && counted(found);
		},
		hostTools: { list: toolsOfOthers, call: (asked, signal) => invokeTool(asked, origin, signal) },
		workspace: workspaceUri,
	};
}

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

function recallFrom(
	{ memory, workspace }: Places["memory"],
	{ question, session }: Pick<AgentRequest, "question" | "session">,
	signal: AbortSignal,
): Promise<readonly Recollection[]> {
	const here = { workspace: workspace(), door: "chat", ...(session !== undefined && { session }) } as const;
	return memory.recall({ query: question, ...here }, signal);
}

interface TurnParts {
	readonly model: vscode.LanguageModelChat;
	readonly origin: vscode.ChatParticipantToolToken | undefined;
	readonly named: readonly vscode.ChatLanguageModelToolReference[];
	readonly own?: readonly Tool[];
}
