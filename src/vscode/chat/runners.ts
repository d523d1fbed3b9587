import type * as vscode from "vscode";
import { measuredSearch } from "../../agent/loop/measuredSearch.ts";
import { searchFirst } from "../../agent/loop/searchFirst.ts";
import { createTracedAgent, createTracedGraphAgent } from "../../agent/loop/tracedAgent.ts";
import { type TurnObserver, traced } from "../../agent/loop/tracedTurn.ts";
import type { TurnRecorder } from "../../agent/loop/turnRecorder.ts";
import type { AgentPorts } from "../../agent/ports.ts";
import { createTokenCounts } from "../../agent/window/tokenCounts.ts";
import type { AgentRequest, Runner } from "../../core/agent/agentEvent.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Knowledge, ReadQuery, SearchQuery } from "../../core/knowledge/knowledge.ts";
import type { Memory, Recollection } from "../../core/session/memory.ts";
import type { Sessions } from "../../core/session/session.ts";
import { createPassages } from "../../passages/passages.ts";
import { knowledgeFolders } from "../folders.ts";
import { anyModel } from "../models/chooseModel.ts";
import { toModel } from "../models/languageModel.ts";
import { PASSAGES_VENDOR, withoutModel } from "../models/passagesModel.ts";
import { maxRounds, summarizesLongChats } from "../settings.ts";
import { invokeTool, isSteady, toolsForTurn } from "../tools/languageModelTools.ts";
import { orElse, quoting } from "./inPlaceOfModel.ts";
import { readWorkspaceInstructions } from "./promptFiles.ts";
import { createSessionSummaries } from "./sessionSummaries.ts";

interface Places {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly memory: { readonly memory: Memory; workspace(): string };
	readonly sessions: Pick<Sessions, "append" | "read">;
}

/** Makes runners on models of VS Code. What was learned of a model in one turn is known in the next. */
export interface Runners {
	/** For a request of the chat: the agent loop, `/graph`, or Passages, which needs no model. */
	runnerFor(request: vscode.ChatRequest): Runner;
	/** The agent loop for a question that does not come from the chat; Passages where there is no model. */
	runnerOutside(origin: vscode.ChatParticipantToolToken | undefined): Promise<Runner>;
	/** Needs no model. */
	readonly passages: Runner;
}

/** The knowledge as the chat may see it. */
function atChat({ search, read }: Knowledge) {
	return {
		search: (query: SearchQuery, signal: AbortSignal) => search({ ...query, door: "chat" }, signal),
		read: (query: ReadQuery, signal: AbortSignal) => read({ ...query, door: "chat" }, signal),
	};
}

export function createRunners(
	observer: TurnObserver,
	{ knowledge, graph, memory, sessions }: Places,
): Runners {
	const { search, read } = atChat(knowledge);
	const counts = createTokenCounts();
	const counted = (chat: vscode.LanguageModelChat) => {
		const model = toModel(chat);
		return {
			...model,
			countTokens: (text: string, signal: AbortSignal) =>
				counts.of(chat.id, (asked) => model.countTokens(asked, signal))(text),
		};
	};
	const summaries = createSessionSummaries(sessions);
	const runnerOn = ({ model: chat, origin, named }: TurnParts) => {
		const model = counted(chat);
		const ports: AgentPorts = {
			model,
			isSteady,
			summaryOf: summaries.of,
			readInstructions: readWorkspaceInstructions,
			tools: toolsForTurn(named),
			runTool: (call, signal) => invokeTool(call, origin, signal),
			search,
			recall: (asked, signal) => recallFrom(memory, asked, signal),
			folderNames: knowledgeFolders().map(({ name }) => name),
			maxRounds: maxRounds(),
		};
		const agent = createTracedAgent(ports, observer);
		return summarizesLongChats() ? summaries.around(agent, model) : agent;
	};
	const quotes = (recorder: TurnRecorder) =>
		createPassages({
			search: (request, signal) => searchFirst({ search: measuredSearch(search, recorder) }, request, signal),
			read,
		});
	const passages = traced("quote", quotes, observer);
	return {
		passages,
		runnerFor: ({ command, model, toolInvocationToken: origin, toolReferences: named }) => {
			const isNone = model.vendor === PASSAGES_VENDOR;
			const writer = isNone ? withoutModel(WRITE_SPARQL) : counted(model);
			if (command === "graph") return createTracedGraphAgent({ graph, model: writer }, observer);
			if (command === "quote") return passages;
			return isNone ? quoting(passages) : orElse(runnerOn({ model, origin, named }), passages);
		},
		runnerOutside: async (origin) => {
			const model = await anyModel();
			return model ? runnerOn({ model, origin, named: [] }) : passages;
		},
	};
}

const WRITE_SPARQL = "Without one, write SPARQL after /graph.";
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
}
