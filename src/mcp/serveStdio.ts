import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MARK } from "../acp/link/processTree.ts";
import { type CallSteps, withSteps } from "../agent/call/toolCall.ts";
import type { TurnObserver } from "../agent/loop/runTurn.ts";
import { type Lazy, lazily, once } from "../base/jobs/lazily.ts";
import type { Runner } from "../core/agent/agentEvent.ts";
import type { AgentFiles } from "../core/agent/chain.ts";
import { ourTools, startsAgents } from "../core/agent/ourTools.ts";
import type { SkillPlace } from "../core/agent/skill.ts";
import type { RunnerWish, Tool, ToolContext, TurnHooks } from "../core/agent/tool.ts";
import type { KnowledgeGraph } from "../core/knowledge/graph.ts";
import type { Knowledge } from "../core/knowledge/knowledge.ts";
import type { Permissions } from "../core/permission/permission.ts";
import { skillPlace } from "../loads/skillFiles.ts";
import type { Orchestrator } from "../orchestrator/orchestrator.ts";
import { admission } from "../permissions/admission.ts";
import type { AskPerson } from "../permissions/decide.ts";
import { openPermissionsOutside } from "../permissions/openPermissions.ts";
import type {
	AgentLimits,
	AgreedPlugin,
	ModelChoice,
	OtlpChoice,
	WorkerOptions,
} from "../protocol/worker.ts";
import type { IndexPlace } from "../tools/knowledge/describeOntology.ts";
import { createPrompts } from "../tools/skills/prompts.ts";
import { skillTools } from "../tools/skills/skillTools.ts";
import { createCommandTools, createHooks, createToolset } from "../tools/toolset.ts";
import { checkedChains, type EvidencePorts } from "./agents/checkedChains.ts";
import type { Secrets } from "./arguments/secrets.ts";
import { askByElicitation } from "./client/elicitation.ts";
import { type AskedPorts, createOpenRunner, serverModelOf } from "./client/openRunner.ts";
import type { Programs } from "./programs.ts";
import { createMcpServer, type ServerOptions } from "./server/server.ts";
import { serveUntilClosed } from "./server/serveUntilClosed.ts";
import { type ClientJournal, openClientJournal } from "./service/clientJournal.ts";
import { consentsOf, permissionsFolder } from "./service/consents.ts";
import { readContents } from "./service/contents.ts";
import { type KnowledgeService, openService } from "./service/knowledgeService.ts";
import { openPlugins } from "./service/plugins.ts";
import { openTraces } from "./service/traces.ts";

interface StdioOptions {
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
	readonly isStructured: boolean;
	/** Path of the folder with the permission rules and their log; next to the index if omitted. */
	readonly permissions: string | undefined;
	/** Values of rules that the command line allows, and versions of plugins that it agrees to. */
	readonly allowed: readonly object[] | undefined;
	readonly agreed: readonly AgreedPlugin[] | undefined;
	/** What answers in place of the client's model. */
	readonly model: ModelChoice | undefined;
	readonly limits: AgentLimits | undefined;
	readonly otlp: OtlpChoice | undefined;
}

type McpPlugins = ReturnType<typeof openPlugins>;

interface AskingPlaces extends AskedPorts {
	readonly graph: KnowledgeGraph;
	readonly plugins: McpPlugins;
	readonly skills: SkillPlace;
}

/** What the offered tools work with. */
interface OfferedPlaces {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly index: IndexPlace;
	readonly plugins: McpPlugins;
	readonly skills: SkillPlace;
	readonly orchestrator?: Lazy<Orchestrator>;
	openRunner(context: ToolContext, wish?: RunnerWish): Promise<Runner>;
}

interface AgentsDeps {
	readonly knowledge: Knowledge;
	readonly graph: KnowledgeGraph;
	readonly agents: AgentFiles;
	readonly plugins: McpPlugins;
	readonly options: WorkerOptions;
	readonly limits: AgentLimits | undefined;
	readonly traces: TurnObserver | undefined;
	readonly version: string;
	readonly permissions: Permissions;
	readonly ask: AskPerson;
	readonly turnHooks: TurnHooks;
	/** Environment of the CLI, without our secrets, because the programs it runs see all of it. */
	readonly env: NodeJS.ProcessEnv;
	readonly onError: (message: string) => void;
}

/** Answers until the client closes a pipe or a signal asks to stop; then puts the work down and lets the process end. */
export function serveStdio(
	{ worker, version }: Programs,
	{ options, secrets, isStructured, permissions, allowed, agreed, model, limits, otlp }: StdioOptions,
): void {
	const onError = (message: string) => void process.stderr.write(`${message}\n`);
	const clientName = () => {
		const { title, name } = server.getClientVersion() ?? {};
		return title ?? name;
	};
	const traces = otlp && openTraces(otlp, { version, secrets, onError });
	const service = openService({ program: worker, options, secrets, clientName, onError, traces });
	const folderNames = options.folders.map(({ name }) => name);
	const client = () => server;
	const workspace = options.folders[0]?.uri ?? "";
	const ruled = openPermissionsOutside(permissionsFolder(permissions, options), workspace, allowed);
	const asking = { permissions: ruled, ask: askByElicitation(client) };
	const plugins = openPlugins(service.plugins, {
		folders: options.folders,
		consents: consentsOf({ options, permissions, agreed }),
		tellChange: () => server.sendToolListChanged(),
	});
	const { knowledge, graph, things, index, prepare } = service;
	const admit = admitBy(asking, workspace);
	const journal = openClientJournal(options, { ...service, workspace, clientName, onError });
	const serverModel = model && serverModelOf({ choice: model, key: secrets.modelKey, limits });
	const skills = skillsOf(options, service);
	const asked = { client, knowledge, graph, things, plugins, skills, folderNames, serverModel, traces };
	const { hooks, openRunner } = openAsking(asked, admit, journal);
	const running = { ...service, ...asking, plugins, options, version, onError, limits, traces };
	const agents = lazyAgents({ ...running, turnHooks: hooks, env: secrets.others });
	const chains = agents.orchestrator && checkedChains(agents.orchestrator, { knowledge, things });
	const orchestrator = chains && journal.duringChains(chains);
	const reading = { knowledge, graph, index, plugins, skills };
	const answering = { ...reading, openRunner, ...(orchestrator && { orchestrator }) };
	const record = traces ? traces.recording(journal.record) : journal.record;
	const offered = offer(answering, { record, hooks, admit: admit.asking });
	const shown = { contents: readContents(options.dataFolder, folderNames), resources: resourcesOf(service) };
	const server = createMcpServer({ version, isStructured, prepare, ...shown, ...offered });
	const closers = [() => server.close(), plugins.close, agents.close, traces?.close, service.close];
	serveUntilClosed(server, onError, closers);
}

function skillsOf({ folders }: WorkerOptions, { agents }: KnowledgeService): SkillPlace {
	const paths = folders.map(({ uri }) => fileURLToPath(uri));
	return skillPlace(agents, () => paths);
}

function resourcesOf({ things, onIndexChange }: KnowledgeService): NonNullable<ServerOptions["resources"]> {
	return {
		documents: (query, signal) => things.documents({ ...query, door: "mcp" }, signal),
		things: (query, signal) => things.find({ ...query, kinds: ["thing"], door: "mcp" }, signal),
		onChange: onIndexChange,
	};
}

/** How whole questions are answered, and what plugins run around them and around calls. */
function openAsking(
	{ plugins, skills, graph, ...asking }: AskingPlaces,
	admit: ReturnType<typeof admitBy>,
	journal: ClientJournal,
) {
	const deps = { knowledge: asking.knowledge, graph, door: "mcp" } as const;
	const hooks = createHooks({ ...deps, plugins }, (tools) => withSteps(tools, { admit: admit.unasked }));
	const toolsWith = async (commands: readonly Tool[], signal: AbortSignal) => {
		const all = [...createToolset(deps), ...commands, ...(await skillTools(skills, signal))];
		return withSteps(all, { admit: admit.asking });
	};
	const open = createOpenRunner({ ...asking, hooks, toolsWith });
	const openRunner: typeof open = async (context, wish) => {
		const runner = await open(context, wish);
		// What plugins ask for may be read by programs.
		return journal.during(wish ? runner : await checked(runner, asking));
	};
	return { hooks, openRunner };
}

/** Decides on calls. Hooks run automatically, so their calls are never put to the user. */
function admitBy(asking: { readonly permissions: Permissions; readonly ask: AskPerson }, workspace: string) {
	const { permissions } = asking;
	const from = { door: "mcp", workspace } as const;
	return {
		asking: admission(permissions, from, asking),
		unasked: admission(permissions, from),
	};
}

/** The tools of this program, each of whose calls is decided on. */
function offer({ plugins, skills, ...answering }: OfferedPlaces, steps: CallSteps) {
	const deps = { ...answering, door: "mcp" } as const;
	const problems = async (signal: AbortSignal) => {
		const found = await Promise.all([plugins.registry(signal), skills.list(signal)]);
		return found.flatMap((one) => one.problems);
	};
	const ofPlugins = createCommandTools({ ...deps, plugins, skills });
	return {
		prompts: createPrompts(plugins, skills),
		tools: withSteps(createToolset({ ...deps, problems }), steps).map(withAdvice),
		commands: async (signal: AbortSignal) => withSteps(await ofPlugins.list(signal), steps),
	};
}

async function checked(runner: Runner, { knowledge, things }: EvidencePorts): Promise<Runner> {
	const { checkedRunner } = await import("../evidence/checkedRunner.ts");
	return checkedRunner(runner, { knowledge, things, door: "mcp" });
}

/** Chains of agents for this program; the first call loads what they need. */
function lazyAgents({ options, plugins, ...deps }: AgentsDeps): {
	readonly orchestrator?: Lazy<Orchestrator>;
	close(): Promise<void>;
} {
	const [first, ...more] = options.folders.map(({ uri }) => uri);
	// Within a CLI of ours, agents are started over its endpoint, which knows how deep it is.
	if (first === undefined || process.env[MARK] !== undefined) return { close: async () => undefined };
	const agents = once(async () => {
		const { createAgents } = await import("./agents/agents.ts");
		const commands = () => createCommandTools({ ...deps, plugins, door: "mcp", orchestrator }).list;
		const checkpointFolder = join(options.dataFolder, "chains");
		return createAgents({ ...deps, folders: [first, ...more], checkpointFolder, tools, commands });
	});
	const orchestrator: Lazy<Orchestrator> = lazily(async () => (await agents.get()).orchestrator);
	// Whatever a step finds goes to our client: it sees what this door may see.
	const tools = () => createToolset({ ...deps, door: "mcp", orchestrator });
	return {
		orchestrator,
		close: async () => (await agents.peek()?.catch(() => undefined))?.close(),
	};
}

const ADVICE =
	"Steps run on the GitHub Copilot CLI. What would be asked, this call included, is refused unless a rule of the user allows it or this client asks its user (elicitation).";

const AGENT_STARTERS: ReadonlySet<string> = new Set(ourTools(startsAgents));

/** Says what callers must know of tools that run agents here. */
function withAdvice(tool: Tool): Tool {
	return AGENT_STARTERS.has(tool.name) ? { ...tool, description: `${tool.description} ${ADVICE}` } : tool;
}
