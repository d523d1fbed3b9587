import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAcpClient } from "../../acp/link/acpClient.ts";
import { startCallHooks } from "../../acp/link/callHooks.ts";
import { startCli } from "../../acp/link/cliProcess.ts";
import { findCli } from "../../acp/link/findCli.ts";
import { createIdleStop } from "../../acp/link/idleStop.ts";
import { folderLoads, START_CLI } from "../../acp/loads/preflight.ts";
import { createSessionFiles } from "../../acp/stored/storedSessions.ts";
import { createCliSteps } from "../../acp/turn/cliRunner.ts";
import type { CliQuestion } from "../../acp/turn/guard/permissionDesk.ts";
import { mayAllowAll } from "../../acp/turn/session/cliSession.ts";
import { createCliSessions, openStepPlace } from "../../acp/turn/session/cliSessions.ts";
import { citeEvents } from "../../agent/loop/citationStream.ts";
import { hookedStep, inUse } from "../../agent/loop/middleware.ts";
import { measuredCalls, runTurn, tracedBy } from "../../agent/loop/runTurn.ts";
import type { TurnObserver } from "../../agent/loop/turnTracer.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import { readInFirst, undefinedIfMissing } from "../../base/files/file.ts";
import { once } from "../../base/jobs/lazily.ts";
import { parseJson } from "../../base/values.ts";
import type { StepRunner } from "../../core/agent/agentEvent.ts";
import { mayStartAgents } from "../../core/agent/allowedTools.ts";
import type { ChainLimits } from "../../core/agent/chain.ts";
import { OUR_TOOLS_ON_CLI } from "../../core/agent/ourTools.ts";
import {
	requestOf,
	type StepEngine,
	type StepGrant,
	type Tool,
	type TurnHooks,
} from "../../core/agent/tool.ts";
import type { PermissionRequest } from "../../core/permission/permission.ts";
import { inWords } from "../../core/phrase.ts";
import { storedEvent } from "../../core/session/journalEntry.ts";
import { settings } from "../../core/settings.ts";
import { cliHome } from "../../loads/cliHome.ts";
import type { FoundFile } from "../../loads/walk.ts";
import { findNamesBy } from "../../orchestrator/evaluate/refine.ts";
import { createOrchestrator, type OrchestratorPorts } from "../../orchestrator/orchestrator.ts";
import { CHAINS_FOLDER } from "../../orchestrator/plan/chainFile.ts";
import { earlierRun } from "../../orchestrator/run/earlierRun.ts";
import { requireAllowed } from "../../permissions/admission.ts";
import { createConsents } from "../../permissions/consents.ts";
import { type AskPerson, decide } from "../../permissions/decide.ts";
import { tell } from "../arguments/mcpRun.ts";
import { openCliTools } from "../endpoint/cliTools.ts";
import type { Places } from "../service/places.ts";

interface OfferedTools {
	tools(): readonly Tool[];
	commands(): (signal: AbortSignal) => Promise<readonly Tool[]>;
}

const IDLE_MS = 10 * 60_000;

/** Runs agents on the Copilot CLI, without an editor. The first step starts the CLI. */
export function createAgents(places: Places, hooks: TurnHooks, offered: OfferedTools) {
	const { run, service, traces } = places;
	const { agents, knowledge } = service;
	const cli = createCli(places, hooks, offered);
	const { stepTimeout, ...most } = { ...settings.parse({})["agents.limits"], ...run.args.agents };
	const limits: ChainLimits = {
		depth: most.maxDepth,
		tokens: most.maxTokens,
		time: most.maxMinutes * 60_000,
		concurrency: most.concurrency,
	};
	const orchestrator = createOrchestrator({
		registry: agents.registry,
		fits: agents.fits,
		findNames: findNamesBy(knowledge, "mcp"),
		readChain: (name) => readInFirst(run.paths, join(CHAINS_FOLDER, `${name}.yaml`)),
		runner: async () => {
			await cli.requireThere();
			return runnerOn(cli.steps, hooks, traces);
		},
		checkpoints: createCheckpoints(join(run.options.dataFolder, "chains")),
		limits: () => limits,
		timeout: () => stepTimeout * 1000,
	});
	return { orchestrator, close: cli.close };
}

function runnerOn(engine: StepEngine, hooks: TurnHooks, traces: TurnObserver | undefined): StepRunner {
	const chain = randomUUID();
	return {
		run: async function* (request, signal) {
			const { agent, attempt } = request;
			const step = { session: randomUUID(), chain, request };
			yield { kind: "stepStarted", agent: agent.name, session: step.session, attempt };
			const within = [hookedStep(hooks, chain), ...tracedBy("cli", traces), measuredCalls];
			const run = runTurn(() => engine.runnerFor(step), within);
			const isOurs = (tool: string) => OUR_TOOLS_ON_CLI.has(tool);
			yield* citeEvents(run(requestOf(step), signal), { before: [], isOurs });
		},
	};
}

function createCli(places: Places, turnHooks: TurnHooks, offered: OfferedTools) {
	const { run, permissions } = places;
	const { workspace, programs, secrets } = run;
	const found = once(findOnPath);
	const hooks = once(startCallHooks);
	const client = createAcpClient({
		open: async () => {
			const [{ command }, { args, env }] = await Promise.all([found.get(), hooks.get()]);
			// Our secrets are excluded, because programs that the CLI runs see the environment.
			const all = { ...secrets.others, ...env };
			return startCli({ command, args: ["--acp", "--stdio", ...args], cwd: homedir(), env: all });
		},
		version: programs.version,
	});
	const idle = createIdleStop({ idleMs: () => IDLE_MS, stop: client.stop });
	const files = createSessionFiles(cliHome(process.env));
	const allowsAll = (session: string) => mayAllowAll(permissions, { session, workspace });
	const sessions = createCliSessions({ client, files, mayAllowAll: allowsAll });
	const ours = openStepTools(places, offered);
	const checkLoads = createLoadsCheck(places);
	const steps = createCliSteps({
		runnerDeps: async (session) => ({
			permissions,
			askPerson: ours.asking(session),
			hooks: await hooks.get(),
			turnHooks,
		}),
		folders: () => run.paths,
		openStep: async (session, grant, { folder: cwd = fileURLToPath(workspace), file, signal }) => {
			await checkLoads(cwd, await mayRunIn(grant, file), signal);
			const mcpServers = await ours.access(session, grant);
			return openStepPlace(sessions, { cwd, workspace, mcpServers });
		},
		whileAtWork: (session, work) =>
			runTurn(() => work, [inUse(idle), () => ({ end: () => ours.forget(session) })]),
	});
	return {
		requireThere: async () => void (await found.get()),
		steps,
		close: async () => {
			idle.dispose();
			await client.stop();
			await Promise.all([ours.close(), hooks.peek()?.then(({ stop }) => stop())]);
		},
	};
}

async function findOnPath() {
	try {
		return await findCli({ setting: "", env: process.env });
	} catch (thrown) {
		if (!isFailure(thrown) || thrown.code !== "CLI_MISSING") throw thrown;
		const words =
			"The GitHub Copilot CLI, on which agents run, was not found. Install it with “npm install -g @github/copilot”, so that it is on the PATH of this program.";
		throw new Failure("CLI_MISSING", words, { cause: thrown });
	}
}

/** Asks before the CLI starts in a folder whose files make the CLI run programs, and again after changes. */
function createLoadsCheck({ run: { workspace }, permissions, ask }: Places) {
	const agreed = new Set<string>();
	return async (folder: string, mayRun: (file: FoundFile) => boolean, signal: AbortSignal): Promise<void> => {
		const loads = await folderLoads(folder, mayRun);
		if (!loads || loads.running.length === 0) return;
		const lines = loads.running.map((line) => inWords(line));
		const what = [folder, loads.fingerprint, ...lines].join("\n");
		const request: PermissionRequest = {
			channel: "mcp",
			tool: START_CLI,
			title: `Start the Copilot CLI, which will run what the folder ${folder} names: ${lines.join("; ")}`,
			arguments: [],
			workspace,
			mutates: true,
		};
		const askOnce: AskPerson = async (question, until) => {
			if (agreed.has(what)) return { kind: "once" };
			const answer = await ask(question, until);
			if (answer?.kind === "once") agreed.add(what);
			return answer;
		};
		const decision = await decide(permissions, request, { ask: askOnce, by: "person", signal });
		requireAllowed(decision, unasked(lines));
	};
}

/** Whether the CLI would load a file. Other agents' servers are loaded only if the step may start agents. */
async function mayRunIn({ scope }: StepGrant, agentFile: string): Promise<(file: FoundFile) => boolean> {
	const own = await realpath(agentFile);
	return ({ kind, path, real }) =>
		kind === "agent"
			? real === own || mayStartAgents(scope.tools)
			: !path.endsWith(join(".vscode", "mcp.json"));
}

const MOST_LINES = 10;

function unasked(lines: readonly string[]): string {
	const more = lines.length > MOST_LINES ? `; and ${lines.length - MOST_LINES} more` : "";
	const rule = JSON.stringify({ effect: "allow", channel: "mcp", tool: START_CLI });
	return `Not allowed: files of this folder make the Copilot CLI run programs, and the user cannot be asked here. ${lines.slice(0, MOST_LINES).join("; ")}${more}. Review these files, then allow the start: in VS Code, add ${rule} to the setting copilot-LD.permissions.rules.`;
}

function openStepTools({ run, permissions, ask }: Places, offered: OfferedTools) {
	const consents = createConsents();
	const { version } = run.programs;
	const workspace = () => run.workspace;
	return {
		...openCliTools({ ...offered, version, permissions, ask, workspace, consents, onError: tell }),
		/** Keeps the user's consent, because our endpoint decides again if the call is one of our tools. */
		asking:
			(session: string): AskPerson<CliQuestion> =>
			async (question, signal) => {
				const answer = await ask(question, signal);
				if (answer?.kind === "once" && !signal.aborted) consents.give(session, question.request.tool);
				return answer;
			},
		forget: consents.forget,
	};
}

/** Maximum number of saved chains; the oldest are deleted. */
const MOST_RUNS = 100;
const ID = /^[\w-]{1,64}$/;
const ENDING = ".jsonl";
const KEPT: readonly string[] = ["chain", "stepStarted", "stepFinished"];

/** Stores each chain in a file, with a line for the start and for the end of each step. */
function createCheckpoints(folder: string): NonNullable<OrchestratorPorts["checkpoints"]> {
	const fileOf = (id: string) => join(folder, id + ENDING);
	return {
		begin: async () => {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			const old = (await newestFirst(folder)).slice(MOST_RUNS - 1);
			await Promise.all(old.map((one) => rm(fileOf(one), { force: true })));
			const id = randomUUID();
			return {
				id,
				path: fileOf(id),
				keep: (events) => {
					const lines = events.filter(({ kind }) => KEPT.includes(kind)).map((one) => JSON.stringify(one));
					if (lines.length > 0) appendFileSync(fileOf(id), `${lines.join("\n")}\n`, { mode: 0o600 });
				},
			};
		},
		read: async (id) => {
			const wanted = id === "last" ? (await newestFirst(folder))[0] : id;
			if (wanted === undefined || !ID.test(wanted)) return undefined;
			const text = (await readFile(fileOf(wanted), "utf8").catch(undefinedIfMissing)) ?? "";
			const events = text.split("\n").flatMap((line) => storedEvent.safeParse(parseJson(line)).data ?? []);
			return earlierRun([{ at: Date.now(), events }]);
		},
	};
}

async function newestFirst(folder: string): Promise<string[]> {
	const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
	const files = names.filter((name) => name.endsWith(ENDING));
	const dated = files.map(async (name) => ({
		id: name.slice(0, -ENDING.length),
		at: (await stat(join(folder, name))).mtimeMs,
	}));
	return (await Promise.all(dated)).sort((a, b) => b.at - a.at).map(({ id }) => id);
}
