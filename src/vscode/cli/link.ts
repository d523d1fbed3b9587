import type { ChannelCall } from "../../agent/loop/tracedAgent.ts";
import { lazily, once } from "../../base/jobs/lazily.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { RunnerWish, Tool, ToolContext } from "../../core/agent/tool.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { admittedTools } from "../permissions/link.ts";
import { registerEach } from "../registerEach.ts";
import { chooseCliCommand } from "./cliAnswer.ts";
import { createCliSessionMap } from "./cliState.ts";
import type { CliLinkDeps } from "./engine.ts";

export function createCliLink(deps: CliLinkDeps) {
	// Global state, because the list of sessions includes all workspaces.
	const chats = createCliSessionMap(deps.context.globalState);
	const engine = once(async () => (await import("./engine.ts")).createCliEngine(deps, chats));
	const link = lazily(engine.get, {
		chats: chats.all,
		bind: chats.set,
		engine: engine.get,
		history: lazily(async () => (await engine.get()).history),
		dispose: () => {
			commands.dispose();
			void engine.peek()?.then((started) => started.dispose());
		},
	});
	const commands = registerEach<[target?: unknown]>(
		{
			"copilot-ld.signInToCli": link.signIn,
			"copilot-ld.openCliChange": link.openChange,
			"copilot-ld.showCliOutput": link.showOutput,
			"copilot-ld.chooseCliOption": link.chooseOption,
			"copilot-ld.chooseCliCommand": () => chooseCliCommand(link),
		},
		deps.log,
	);
	return link;
}

export interface CliRunnerParts {
	readonly knowledge: Knowledge;
	readonly permissions: Permissions;
	readonly askPerson: AskPerson;
	/** Opens the agent loop on a VS Code model. Rejects with NO_MODEL if there is none with the wanted name. */
	runnerAt(at: ChannelCall, wanted: string | undefined): Promise<Runner>;
	tools(session: string): readonly Tool[];
}

/** Runs plugin commands that need a model on VS Code's models, with the permissions of the CLI's session. */
export function runnersForCli(parts: CliRunnerParts) {
	const { knowledge, runnerAt, tools } = parts;
	return (session: string) =>
		async (context: ToolContext, { commands = [], model }: RunnerWish = {}): Promise<Runner> => {
			const admitted = admittedTools([...tools(session), ...commands], parts, { channel: "cli", session });
			return runnerAt({ knowledge, channel: "cli", tools: admitted, context }, model);
		};
}
