import { l10n } from "vscode";
import { withSteps } from "../../agent/call/toolCall.ts";
import { hookedStep } from "../../agent/loop/middleware.ts";
import { type Engine, runTurn, traced } from "../../agent/loop/runTurn.ts";
import { agentEngine } from "../../agent/loop/tracedAgent.ts";
import type { TurnObserver } from "../../agent/loop/turnTracer.ts";
import type { AgentPorts, LoopPorts, Model } from "../../agent/ports.ts";
import { lazily } from "../../base/jobs/lazily.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentEvent, ToolCall } from "../../core/agent/agentEvent.ts";
import { mayUse } from "../../core/agent/allowedTools.ts";
import type { AgentDefinition } from "../../core/agent/chain.ts";
import type { EngineStep, StepEngine, Tool, TurnHooks } from "../../core/agent/tool.ts";
import type { ToolDeclaration } from "../../core/agent/toolDeclaration.ts";
import type { Decided, Permissions } from "../../core/permission/permission.ts";
import { admission, requireAllowed } from "../../permissions/admission.ts";
import { argumentsIn } from "../../permissions/arguments/callArguments.ts";
import { folderPath } from "../../permissions/arguments/pattern.ts";
import { type AskPerson, decide } from "../../permissions/decide.ts";
import { workspaceUri } from "../folders.ts";

export interface StepServices {
	readonly permissions: Permissions;
	readonly askPerson: AskPerson;
	readonly turnHooks: TurnHooks;
	readonly traces: TurnObserver;
	stepTools(session: string): Promise<readonly Tool[]>;
}

interface StepModels {
	ports(): LoopPorts;
	modelNamed(name: string): Promise<Model | undefined>;
	/** Tools of VS Code and its extensions. These tools do not ask the user, so each call is decided here. */
	readonly hostTools: {
		list(): readonly ToolDeclaration[];
		call(call: ToolCall, signal: AbortSignal): Promise<string>;
	};
}

/** Runs steps of chains in our agent loop, on a model of VS Code. Decides on calls in the agent's name. */
export function createModelSteps(services: StepServices, models: StepModels): StepEngine {
	return {
		kind: "model",
		runnerFor: (step) => {
			const engine: Engine = async (turn) => {
				const { agent } = step.request;
				const named = agent.model === undefined ? undefined : await models.modelNamed(agent.model);
				for (const text of noticesFor(agent, named)) turn.tell({ kind: "notice", text });
				const calls = await callsOf(services, models, step, turn.tell);
				return agentEngine({ ...models.ports(), ...(named && { model: named }), ...calls })(turn);
			};
			const { turnHooks, traces } = services;
			return runTurn(engine, [hookedStep(turnHooks, step.chain), traced("chat", traces)]);
		},
	};
}

async function callsOf(
	services: StepServices,
	{ hostTools }: StepModels,
	{ session, chain, request: { agent, scope } }: EngineStep,
	show: (event: AgentEvent) => void,
): Promise<{ tools: readonly ToolDeclaration[]; runTool: AgentPorts["runTool"] }> {
	const { askPerson: ask } = services;
	const permissions = telling(services.permissions, show);
	const from = { channel: "tools", workspace: workspaceUri(), session: chain, agent: agent.name } as const;
	const admit = admission(permissions, from, { ask });
	const ours = withSteps(await services.stepTools(session), { admit });
	// Tools of VS Code and other extensions are only for agents whose file names them.
	const byName = (scope.tools ?? []).filter((name) => name !== "*");
	const others = hostTools.list().filter(({ name }) => mayUse(byName, name));
	const own = ours.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
	return {
		tools: [...own, ...others],
		runTool: async (call, signal) => {
			const tool = ours.find(({ name }) => name === call.name);
			if (tool) return (await tool.run(call.input, { signal, scope })).text;
			// The tool is unknown to us: it may change anything that its input names.
			const given = argumentsIn(call.input, folderPath(from.workspace) ?? "");
			const nature = { tool: call.name, title: `Call ${call.name}`, arguments: given, mutates: true };
			const asker = { ask, by: "person", signal } as const;
			requireAllowed(
				await decide(permissions, { ...from, ...nature }, asker),
				"Not allowed: nobody could be asked.",
			);
			return hostTools.call(call, signal);
		},
	};
}

function noticesFor({ name, model, servers }: AgentDefinition, found: Model | undefined): string[] {
	const notices: string[] = [];
	if (model !== undefined && !found)
		notices.push(
			l10n.t(
				"The agent {0} asks for the model “{1}”, which is not available in VS Code. It runs on the model of the chat.",
				name,
				visibleText(model),
			),
		);
	if (servers.length > 0)
		notices.push(
			l10n.t(
				"The MCP servers of the agent {0} ({1}) are not started: only the Copilot CLI starts them.",
				name,
				servers.map((server) => visibleText(server)).join(", "),
			),
		);
	return notices;
}

function telling(permissions: Permissions, show: (event: AgentEvent) => void): Permissions {
	const record = async (decision: Decided) => {
		await permissions.record(decision);
		const { request, effect, by } = decision;
		show({ kind: "permission", tool: request.tool, title: request.title, effect, by });
	};
	return lazily(async () => permissions, { record });
}
