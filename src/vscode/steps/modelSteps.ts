import { l10n } from "vscode";
import { withSteps } from "../../agent/call/toolCall.ts";
import { hookedCalls, hookedStep } from "../../agent/loop/hookedTurn.ts";
import type { AgentPorts, Model } from "../../agent/ports.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentDefinition } from "../../core/agent/agentDefinition.ts";
import type { AgentEvent, Runner } from "../../core/agent/agentEvent.ts";
import { mayUse } from "../../core/agent/allowedTools.ts";
import type { ToolCall } from "../../core/agent/message.ts";
import type { EngineStep, StepEngine } from "../../core/agent/stepEngine.ts";
import type { Tool, ToolDeclaration } from "../../core/agent/tool.ts";
import type { TurnHooks } from "../../core/agent/turnHooks.ts";
import type { Decided, PermissionRequest, Permissions } from "../../core/permission/permission.ts";
import { admission, requireAllowed } from "../../permissions/admission.ts";
import { argumentsIn } from "../../permissions/arguments/callArguments.ts";
import { folderPath } from "../../permissions/arguments/folderPath.ts";
import { type AskPerson, decide } from "../../permissions/decide.ts";

/** Tools of VS Code and its extensions, which ask nobody for us. */
interface HostTools {
	list(): readonly ToolDeclaration[];
	call(call: ToolCall, signal: AbortSignal): Promise<string>;
}

export interface ModelStepsDeps {
	agent(ports: AgentPorts): Runner;
	/** What the loop needs but for its tools. */
	ports(): Promise<Omit<AgentPorts, "tools" | "runTool">>;
	/** The model that an agent's file names; `undefined` if there is none of that name. */
	modelNamed(name: string): Promise<Model | undefined>;
	tools(session: string): Promise<readonly Tool[]>;
	readonly hostTools: HostTools;
	readonly permissions: Permissions;
	readonly askPerson: AskPerson;
	readonly turnHooks: TurnHooks;
	workspace(): string;
}

/** Runs steps of chains in our own loop, on a model of VS Code. Each call is decided on here, in the agent's name. */
export function createModelSteps(deps: ModelStepsDeps): StepEngine {
	return {
		kind: "model",
		runnerFor: (step) =>
			hookedStep(deps.turnHooks, step.chain, async function* run(asked, signal) {
				const { agent } = step.request;
				const named = agent.model === undefined ? undefined : await deps.modelNamed(agent.model);
				yield* noticesFor(agent, named);
				const decided: AgentEvent[] = [];
				const ports = await portsFor(deps, { ...step, named }, (event) => decided.push(event));
				const events = deps.agent(ports)(asked, signal);
				for await (const event of events) {
					// A decision is told before what came of it.
					yield* decided.splice(0);
					yield event;
				}
			}),
	};
}

async function portsFor(
	deps: ModelStepsDeps,
	{
		session,
		chain,
		request: { agent, scope },
		named: model,
	}: EngineStep & { readonly named: Model | undefined },
	show: (event: AgentEvent) => void,
): Promise<AgentPorts> {
	const { askPerson: ask, hostTools } = deps;
	const permissions = telling(deps.permissions, show);
	const around = hookedCalls(deps.turnHooks, (text) => show({ kind: "notice", text }));
	const from = { door: "tools", workspace: deps.workspace(), session: chain, agent: agent.name } as const;
	const admit = admission(permissions, from, { ask });
	const ours = withSteps(await deps.tools(session), { admit });
	// What others bring is for those whose file asks for it by name.
	const byName = (scope.tools ?? []).filter((name) => name !== "*");
	const others = hostTools.list().filter(({ name }) => mayUse(byName, name));
	return {
		...(await deps.ports()),
		...(model && { model }),
		tools: [...ours.map(declarationOf), ...others],
		runTool: around(async (call, signal) => {
			const own = ours.find(({ name }) => name === call.name);
			if (own) return (await own.run(call.input, { signal, scope })).text;
			const wanted = hostRequest(call, from);
			const asker = { ask, by: "person", signal } as const;
			requireAllowed(await decide(permissions, wanted, asker), "Not allowed: nobody could be asked.");
			return hostTools.call(call, signal);
		}),
	};
}

/** What of an agent's file holds only on the CLI, or cannot be had here. */
function* noticesFor(
	{ name, model, servers }: AgentDefinition,
	found: Model | undefined,
): Generator<AgentEvent> {
	if (model !== undefined && !found)
		yield {
			kind: "notice",
			text: l10n.t(
				"The agent {0} asks for the model “{1}”, which is not available in VS Code. It runs on the model of the chat.",
				name,
				visibleText(model),
			),
		};
	if (servers.length === 0) return;
	const names = servers.map((server) => visibleText(server)).join(", ");
	const text = l10n.t(
		"The MCP servers of the agent {0} ({1}) are not started: only the Copilot CLI starts them.",
		name,
		names,
	);
	yield { kind: "notice", text };
}

function declarationOf({ name, description, inputSchema }: Tool): ToolDeclaration {
	return { name, description, inputSchema };
}

/** A tool that we know nothing of: it may change anything that its input names. */
function hostRequest(
	{ name, input }: ToolCall,
	from: Pick<PermissionRequest, "door" | "workspace" | "session" | "agent">,
): PermissionRequest {
	const args = argumentsIn(input, folderPath(from.workspace) ?? "");
	return { ...from, tool: name, title: `Call ${name}`, arguments: args, mutates: true };
}

function telling(permissions: Permissions, show: (event: AgentEvent) => void): Permissions {
	const record = async (decision: Decided) => {
		await permissions.record(decision);
		const { request, effect, by } = decision;
		show({ kind: "permission", tool: request.tool, title: request.title, effect, by });
	};
	return { ...permissions, record };
}
