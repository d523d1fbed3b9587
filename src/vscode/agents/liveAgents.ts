import { join } from "node:path";
import * as vscode from "vscode";
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
	const ending = new AbortController();
	let isWatching = false;

	let isSeen = false;
	const look = tellingLook(files.registry, read);
	const watch = async () => {
		if (isWatching) return;
		isWatching = true;
		try {
			await files.watch(() => changed.fire(), ending.signal);
		} catch (thrown) {
			if (!ending.signal.aborted) log.debug(`Agents: ${thrown}`);
		}
		isWatching = false;
		// The worker ended: further changes are noticed only by a new look. A worker that never answered is left alone.
		if (!isSeen || ending.signal.aborted) return;
		isSeen = false;
		changed.fire();
	};
	const registry = async () => {
		void watch();
		const found = await look(ending.signal);
		isSeen = true;
		return found;
	};
	return {
		registry,
		registryOrNone: (): Promise<AgentRegistry> =>
			registry().catch((thrown: unknown) => {
				log.debug(`Agents: ${thrown}`);
				return { agents: [], problems: [] };
			}),
		/** Fires with what every look finds, but for one that a later look has overtaken. */
		onDidRead: read.event,
		/** Fires when what was looked at is old. */
		onDidChange: changed.event,
		refresh: () => changed.fire(),
		dispose: () => {
			ending.abort();
			read.dispose();
			changed.dispose();
		},
	};
}
