import { join } from "node:path";
import * as vscode from "vscode";
import type { AgentFiles, AgentRegistry } from "../../core/agent/chain.ts";
import { cliHome } from "../../loads/cliHome.ts";
import { createLiveFiles } from "../liveFiles.ts";

export function ownAgentsFolder(): vscode.Uri {
	return vscode.Uri.file(join(cliHome(process.env), "agents"));
}

export function agentDocuments(): vscode.DocumentSelector {
	return [
		{ scheme: "file", pattern: "**/.{github,claude}/agents/**/*.md" },
		{ scheme: "file", pattern: new vscode.RelativePattern(ownAgentsFolder(), "**/*.md") },
	];
}

export type LiveAgents = ReturnType<typeof createLiveAgents>;

export function createLiveAgents(files: AgentFiles, log: { debug(message: string): void }) {
	const followed = createLiveFiles(files);
	const registry = () => followed.registry(new AbortController().signal);
	return {
		...followed,
		registry,
		registryOrNone: (): Promise<AgentRegistry> =>
			registry().catch((thrown: unknown) => {
				log.debug(`Agents: ${thrown}`);
				return { agents: [], problems: [] };
			}),
	};
}
