import { join } from "node:path";
import * as vscode from "vscode";
import { follow } from "../../base/jobs/follow.ts";
import type { AgentFiles, AgentRegistry } from "../../core/agent/chain.ts";
import { cliHome } from "../../loads/cliHome.ts";
import { tellingLook } from "../registerEach.ts";

export function ownAgentsFolder(): vscode.Uri {
	return vscode.Uri.file(join(cliHome(process.env), "agents"));
}

export function agentDocuments(): vscode.DocumentSelector {
	return [
		{ scheme: "file", pattern: "**/.{github,claude}/agents/**/*.md" },
		{ scheme: "file", pattern: new vscode.RelativePattern(ownAgentsFolder(), "**/*.md") },
	];
}

/** The agents as they are now. The first look starts the worker, and the watch for changes. */
export type LiveAgents = ReturnType<typeof createLiveAgents>;

export function createLiveAgents(files: AgentFiles, log: { debug(message: string): void }) {
	const changed = new vscode.EventEmitter<void>();
	const read = new vscode.EventEmitter<AgentRegistry>();
	const followed = follow(
		{ watch: files.watch, registry: tellingLook(files.registry, read) },
		{ onChange: () => changed.fire() },
	);
	const registry = () => followed.registry(new AbortController().signal);
	return {
		registry,
		registryOrNone: (): Promise<AgentRegistry> =>
			registry().catch((thrown: unknown) => {
				log.debug(`Agents: ${thrown}`);
				return { agents: [], problems: [] };
			}),
		/** Fires with what every look finds, but for one that a later look has overtaken. */
		onDidRead: read.event,
		onDidChange: changed.event,
		refresh: () => {
			followed.forget();
			changed.fire();
		},
		dispose: () => {
			followed.close();
			vscode.Disposable.from(read, changed).dispose();
		},
	};
}
