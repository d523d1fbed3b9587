import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { MARK } from "../acp/link/processTree.ts";
import { type CallSteps, withSteps } from "../agent/call/toolCall.ts";
import { messageOf } from "../base/failure.ts";
import { type Lazy, lazily, once } from "../base/jobs/lazily.ts";
import type { Runner } from "../core/agent/agentEvent.ts";
import { ourTools, startsAgents } from "../core/agent/ourTools.ts";
import type { RunnerWish, Tool, ToolContext, TurnHooks } from "../core/agent/tool.ts";
import type { PermissionRequest } from "../core/permission/permission.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { citedOutput, type StepResult } from "../orchestrator/run/stepResult.ts";
import { admission } from "../permissions/admission.ts";
import { createPrompts, skillTools } from "../tools/skills/skillTools.ts";
import { createCommandTools, createHooks, createToolset } from "../tools/toolset.ts";
import { type McpRun, tell } from "./arguments/mcpRun.ts";
import { createOpenRunner } from "./client/openRunner.ts";
import { createMcpServer } from "./server/server.ts";
import { createStdioTransport } from "./server/stdioTransport.ts";
import { readContents } from "./service/knowledgeService.ts";
import { openPlaces, type Places } from "./service/places.ts";

const howToAllow = ({ tool }: PermissionRequest) =>
	`by starting the program with --allow ${tool}, or with a client that can ask (elicitation)`;

/** Serves until the client closes a pipe or a signal arrives; then closes everything and exits. */
export function serveStdio(run: McpRun): void {
	const { options, args, programs } = run;
	const places = openPlaces(run, () => server);
	const { service, plugins, journal, traces } = places;
	const from = { channel: "mcp", workspace: run.workspace } as const;
	const admit = admission(places.permissions, from, { ask: places.ask, howToAllow });
	const { knowledge, graph, index } = service;
	const reading = { knowledge, graph, channel: "mcp" } as const;
	// Hooks run automatically, so the user is never asked about their calls.
	const unasked = admission(places.permissions, from, { howToAllow });
	const hooks = createHooks({ ...reading, plugins }, (tools) => withSteps(tools, { admit: unasked }));
	const toolsWith = async (commands: readonly Tool[], signal: AbortSignal) => {
		const all = [...createToolset(reading), ...commands, ...(await skillTools(places.skills, signal))];
		return withSteps(all, { admit });
	};
	const openRunner = checkedRunners(places, createOpenRunner(places, hooks, toolsWith));
	const agents = lazyAgents(places, hooks);
	const orchestrator = agents.orchestrator && recordedChains(agents.orchestrator, places);
	const answering = { ...reading, index, openRunner, ...(orchestrator && { orchestrator }) };
	const record = traces ? traces.recording(journal.record) : journal.record;
	const offered = offer(places, answering, { record, hooks, admit });
	const folderNames = options.folders.map(({ name }) => name);
	const server = createMcpServer({
		version: programs.version,
		isStructured: !args.isTextOnly,
		prepare: service.prepare,
		contents: readContents(options.dataFolder, folderNames),
		resources: service,
		...offered,
	});
	const closers = [() => server.close(), plugins.close, agents.close, traces?.close, service.close];
	serveUntilClosed(server, closers);
}

function checkedRunners(
	{ service: { knowledge, things }, journal }: Places,
	open: ReturnType<typeof createOpenRunner>,
) {
	return async (context: ToolContext, wish?: RunnerWish): Promise<Runner> => {
		const runner = await open(context, wish);
		// Programs may parse the answers to commands of plugins, so no remarks are added.
		if (wish) return recorded(runner, journal);
		const { checkedRunner } = await import("../evidence/checkTurn.ts");
		return recorded(checkedRunner(runner, { knowledge, things, channel: "mcp" }), journal);
	};
}

/** Records the events of a runner in the turn of the current call. */
function recorded(runner: Runner, { noteNow }: Places["journal"]): Runner {
	return async function* run(request, signal) {
		const note = noteNow();
		for await (const event of runner(request, signal)) {
			note?.(event);
			yield event;
		}
	};
}

function offer(
	{ plugins, skills }: Places,
	answering: Parameters<typeof createToolset>[0],
	steps: CallSteps,
) {
	const problems = async (signal: AbortSignal) => {
		const found = await Promise.all([plugins.registry(signal), skills.list(signal)]);
		return found.flatMap((one) => one.problems);
	};
	const ofPlugins = createCommandTools({ ...answering, plugins, skills });
	return {
		prompts: createPrompts(plugins, skills),
		tools: withSteps(createToolset({ ...answering, problems }), steps).map((tool) => ({
			...tool,
			description: AGENT_STARTERS.has(tool.name) ? `${tool.description} ${ADVICE}` : tool.description,
		})),
		commands: async (signal: AbortSignal) => withSteps(await ofPlugins.list(signal), steps),
	};
}

function lazyAgents(
	places: Places,
	hooks: TurnHooks,
): { readonly orchestrator?: Lazy<Orchestrator>; close(): Promise<void> } {
	// Inside our own CLI, agents start through the CLI's endpoint, which knows the nesting depth.
	if (process.env[MARK] !== undefined) return { close: async () => undefined };
	const { knowledge, graph } = places.service;
	const agents = once(async () => {
		const { createAgents } = await import("./agents/agents.ts");
		// Results of steps go to our client, so the policies of the client's channel apply.
		const offered = { knowledge, graph, orchestrator, channel: "mcp" } as const;
		return createAgents(places, hooks, {
			tools: () => createToolset(offered),
			commands: () => createCommandTools({ ...offered, plugins: places.plugins }).list,
		});
	});
	const orchestrator: Lazy<Orchestrator> = lazily(async () => (await agents.get()).orchestrator);
	return { orchestrator, close: async () => (await agents.peek()?.catch(() => undefined))?.close() };
}

const ADVICE =
	"Steps run on the GitHub Copilot CLI. Calls that need the user's consent, this call included, are refused unless a rule of the user allows them or this client asks its user (elicitation).";

const AGENT_STARTERS: ReadonlySet<string> = new Set(ourTools(startsAgents));

function serveUntilClosed(server: Server, closers: readonly ((() => unknown) | undefined)[]): void {
	const close = once(async () => {
		for (const part of closers) await part?.();
	});
	const stop = () =>
		void close
			.get()
			.catch((thrown: unknown) => tell(messageOf(thrown)))
			.finally(() => process.exit());
	server.onerror = (error) => tell(error.message);
	server.onclose = stop;
	// A client that closed stderr may still read answers.
	process.stderr.on("error", () => undefined);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
	server.connect(createStdioTransport(process.stdin, process.stdout)).catch((thrown: unknown) => {
		tell(messageOf(thrown));
		stop();
	});
}

/** Records the events of chains in the turn of the current call, and adds remarks to the outputs. */
function recordedChains(chains: Lazy<Orchestrator>, { service: { knowledge, things }, journal }: Places) {
	const noted = async (result: StepResult, signal: AbortSignal) => {
		if (result.citations.length === 0) return { result, notes: [] };
		const { remarksOn } = await import("../evidence/checkTurn.ts");
		const turn = { answer: citedOutput(result), events: [], channel: "mcp" } as const;
		const notes = (await remarksOn(turn, { knowledge, things }, signal)).map((text) => `\n\nNote: ${text}`);
		return { result: { ...result, output: result.output + notes.join("") }, notes };
	};
	const run: Orchestrator["run"] = async (draft, watch, signal) => {
		const onEvent = journal.noteNow();
		const scope = { ...draft.scope, ...(onEvent && { onEvent }) };
		const report = await chains.run({ ...draft, scope }, watch, signal);
		const all = await Promise.all(report.results.map((result) => noted(result, signal)));
		const finalOutput = [report.context.finalOutput, ...all.flatMap(({ notes }) => notes)].join("");
		const results = all.map(({ result }) => result);
		return { ...report, results, context: { ...report.context, finalOutput } };
	};
	return lazily(async () => chains, { run });
}
