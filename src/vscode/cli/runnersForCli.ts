import type { DoorCall } from "../../agent/loop/doorRunner.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import type { RunnerWish, Tool, ToolContext } from "../../core/agent/tool.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { AskPerson } from "../../permissions/decide.ts";
import { admittedTools } from "../permissions/link.ts";

export interface CliRunnerParts {
	readonly knowledge: Knowledge;
	readonly permissions: Permissions;
	readonly askPerson: AskPerson;
	/** The agent loop on a model of VS Code. Rejects with NO_MODEL if there is none, or none with that name. */
	runnerAt(at: DoorCall, wanted: string | undefined): Promise<Runner>;
	tools(session: string): readonly Tool[];
}

/** Answers plugin commands that ask a model: the CLI lends none, so VS Code's does, which sees and may do what the CLI's session may. */
export function runnersForCli(parts: CliRunnerParts) {
	const { knowledge, runnerAt, tools } = parts;
	return (session: string) =>
		async (context: ToolContext, { commands = [], model }: RunnerWish = {}): Promise<Runner> => {
			const admitted = admittedTools([...tools(session), ...commands], parts, { door: "cli", session });
			return runnerAt({ knowledge, door: "cli", tools: admitted, context }, model);
		};
}
