import * as vscode from "vscode";
import type { AgentProblem, AgentRegistry } from "../../core/agent/agentDefinition.ts";
import { toDiagnostic } from "../knowledgeView/diagnostics.ts";
import { agentDocuments } from "./agentDocuments.ts";
import { contributedTools } from "./contributedTools.ts";
import type { LiveAgents } from "./liveAgents.ts";

/** Shows what is wrong with files of agents, from when one of them is opened or the agents are looked at. */
export function registerAgentDiagnostics(live: LiveAgents): vscode.Disposable {
	const collection = vscode.languages.createDiagnosticCollection("copilot-ld.agents");
	const show = ({ problems }: AgentRegistry) => {
		const known = contributedTools();
		const shown = problems.filter(({ tool }) => tool === undefined || !known.has(tool));
		collection.clear();
		for (const [uri, found] of Map.groupBy(shown, (problem) => problem.uri))
			collection.set(vscode.Uri.parse(uri), found.map(diagnosticOf));
	};
	const selector = agentDocuments();
	const look = (document: vscode.TextDocument) => {
		if (vscode.languages.match(selector, document) > 0) void live.registryOrNone();
	};
	return vscode.Disposable.from(
		collection,
		live.onDidRead(show),
		live.onDidChange(() => void live.registryOrNone()),
		vscode.workspace.onDidOpenTextDocument(look),
	);
}

function diagnosticOf({ severity, message, line }: AgentProblem): vscode.Diagnostic {
	return toDiagnostic({ severity, message, lines: { start: line, end: line } });
}
