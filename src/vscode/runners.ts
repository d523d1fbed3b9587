import * as vscode from "vscode";
import { createAgent } from "../agent/agentLoop.ts";
import { createGraphAgent } from "../agent/graphAgent.ts";
import type { Runner } from "../core/agentEvent.ts";
import { Failure } from "../core/failure.ts";
import type { KnowledgeGraph } from "../core/graph.ts";
import type { Knowledge } from "../core/knowledge.ts";
import { knowledgeFolders } from "./folders.ts";
import { toModel } from "./languageModel.ts";
import { invokeTool, toolsForTurn } from "./languageModelTools.ts";
import { maxRounds } from "./settings.ts";

type ToolReferences = readonly vscode.ChatLanguageModelToolReference[];

/** The agent loop on a model of VS Code. */
export function runnerOn(
	knowledge: Knowledge,
	turn: {
		readonly model: vscode.LanguageModelChat;
		readonly origin: vscode.ChatParticipantToolToken | undefined;
		readonly named: ToolReferences;
	},
): Runner {
	return createAgent({
		model: toModel(turn.model),
		tools: toolsForTurn(turn.named),
		runTool: (call, signal) => invokeTool(call, turn.origin, signal),
		search: (query, signal) => knowledge.search(query, signal),
		folderNames: knowledgeFolders().map(({ name }) => name),
		maxRounds: maxRounds(),
	});
}

/** `/graph` on a model of VS Code. */
export function graphRunnerOn(graph: KnowledgeGraph, model: vscode.LanguageModelChat): Runner {
	return createGraphAgent({ graph, model: toModel(model) });
}

/** A model for a question that does not come from the chat: Copilot's where there is one. */
export async function chooseModel(): Promise<vscode.LanguageModelChat> {
	const models = await vscode.lm.selectChatModels();
	const model = models.find(({ vendor }) => vendor === "copilot") ?? models[0];
	if (model) return model;
	throw new Failure(
		"NO_MODEL",
		"No language model is available. Sign in to GitHub Copilot or install another model provider; copilot-ld_search_knowledge works without one.",
	);
}
