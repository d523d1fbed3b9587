import type * as vscode from "vscode";
import { lazily } from "../base/jobs/lazily.ts";
import { once } from "../base/jobs/once.ts";
import { createAgentsLink } from "../vscode/agents/link.ts";
import { createCliLink } from "../vscode/cli/link.ts";
import { registerModelProvider } from "../vscode/models/provider.ts";
import { uniteSessions } from "../vscode/sessionsView/link.ts";
import { createStepEngines } from "../vscode/steps/stepEngines.ts";
import { type Calls, createCalls, createIndex } from "./calls.ts";
import { createCliTools, createToolsets } from "./toolsets.ts";

/** What the features of the extension share. Each of them was built of those before it, and none of those after it. */
type Services = ReturnType<typeof createEngines>;

export function createServices(context: vscode.ExtensionContext): Services {
	return createEngines(createCalls(createIndex(context)));
}

/** What answers: agents, the loop on models of VS Code, and the Copilot CLI. */
function createEngines(calls: Calls) {
	const { context, log, logs, worker } = calls;
	const steps = createStepEngines();
	const agents = createAgentsLink({ ...calls, chooseSteps: steps.choose });
	const toolsets = createToolsets(calls, agents.orchestrator);
	const runners = lazily(async () =>
		(await import("../vscode/chat/runners.ts")).createRunners({ ...calls, ...toolsets }),
	);
	const tools = once(() => toolsets.hostTools(runners.openRunner));
	const cliTools = createCliTools(calls, toolsets, runners);
	const { turnHooks } = toolsets;
	const cli = createCliLink({ ...calls, ...logs.of("cli"), turnHooks, mcpAccess: cliTools.access });
	steps.offer({ cli, model: runners.stepsIn });
	const allSessions = uniteSessions(worker, cli, log);
	const models = registerModelProvider(context, log);
	context.subscriptions.push(agents, cli, cliTools, allSessions, models);
	return { ...calls, agents, runners, tools: tools.get, turnHooks, cli, allSessions, models };
}
