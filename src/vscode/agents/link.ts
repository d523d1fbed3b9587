import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { createSessionJournal, type SessionJournal } from "../../agent/journal/sessionJournal.ts";
import type { TurnTracer } from "../../agent/loop/turnTracer.ts";
import { type Lazy, lazily, once } from "../../base/jobs/lazily.ts";
import { listOf, textOf } from "../../base/values.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { AgentRegistry } from "../../core/agent/chain.ts";
import type { StepEngine } from "../../core/agent/tool.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Caller, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { withFreeIds } from "../../orchestrator/plan/editChain.ts";
import { workspaceUri } from "../folders.ts";
import { createLiveFiles, showProblemsOf } from "../liveFiles.ts";
import { type MarkdownViewer, requireTrust, setContext } from "../registerEach.ts";
import { createStepRunner } from "../steps/stepRunner.ts";
import type { ChatOrigins } from "../tools/toolGate.ts";
import { showProblems } from "../treeLines.ts";
import { keepTurn, type LiveTurns } from "../turn/turnRecord.ts";
import type { WorkerLink } from "../worker/link.ts";
import { agentDocuments } from "./agentDocuments.ts";
import { type AgentsDeps, eventsOf } from "./agentsCommand.ts";
import { registerAgentsView } from "./agentsView.ts";
import { createPlans } from "./plans.ts";

type Run = Orchestrator["run"];

/** Returns an orchestrator that opens on first use and runs its chains in the given session. */
export function partOf(open: () => Promise<Orchestrator>, session: string): Lazy<Orchestrator> {
	return lazily(async () => {
		const orchestrator = await open();
		const run: Run = (draft, options, signal) => orchestrator.run(draft, { ...options, session }, signal);
		return { ...orchestrator, run };
	});
}

export interface ChainTurnDeps {
	readonly origins: { readonly sessionOf: ChatOrigins["sessionOf"] };
	readonly live: LiveTurns;
	readonly journal: SessionJournal;
	readonly log: vscode.LogOutputChannel;
	readonly traces: TurnTracer;
}

/** Traces chains. Runs a chain in the session that starts it; callers outside our chat get a new session. */
export function withTurns(orchestrator: Orchestrator, deps: ChainTurnDeps): Orchestrator {
	const run: Run = (draft, options, signal) => {
		const question = draft.plan.task.prompt;
		const start = { kind: "agent", title: "agents", question, session: options.session } as const;
		return deps.traces.run(start, signal, () => orchestrator.run(draft, options, signal));
	};
	return {
		...orchestrator,
		run: (draft, options, signal) => {
			const session = options.session ?? deps.origins.sessionOf(options.origin);
			const showIn = session === undefined ? undefined : deps.live.showIn(session);
			if (session === undefined || !(showIn || options.session))
				return runAlone(run, deps, [draft, options, signal]);
			const show = (event: AgentEvent) => {
				options.show(event);
				if (showIn !== options.show) showIn?.(event);
			};
			// A turn may run several chains, also concurrently, so their steps need different ids.
			const chain = withFreeIds(draft.plan.chain, deps.live.stepsIn(session));
			return run({ ...draft, plan: { ...draft.plan, chain } }, { ...options, session, show }, signal);
		},
	};
}

async function runAlone(run: Run, { journal, log }: ChainTurnDeps, given: Parameters<Run>) {
	const [draft, options, signal] = given;
	const session = randomUUID();
	const { prompt: text } = draft.plan.task;
	const question = { text, command: "agents", attachments: [], isFirst: true };
	// No chat shows this turn: errors while saving it are only logged.
	const turn = await keepTurn(journal, { session, question }, log);
	const show = (event: AgentEvent) => {
		options.show(event);
		turn.note(event);
	};
	try {
		const report = await run(draft, { ...options, session, show }, signal);
		for (const event of eventsOf(report.context.finalOutput)) turn.note(event);
		await turn.end(signal.aborted ? signal.reason : undefined);
		return report;
	} catch (thrown) {
		await turn.end(thrown);
		throw thrown;
	}
}

interface AgentParts {
	readonly context: vscode.ExtensionContext;
	readonly log: vscode.LogOutputChannel;
	readonly worker: WorkerLink;
	readonly knowledge: Knowledge;
	readonly documents: MarkdownViewer;
	readonly origins: ChatOrigins;
	readonly live: LiveTurns;
	readonly traces: TurnTracer;
	/** Chooses the engine for steps that a chat requests. Rejects with a `Failure` if there is none. */
	chooseSteps(origin: unknown): Promise<StepEngine>;
}

export function createAgentsLink(parts: AgentParts): AgentsDeps & vscode.Disposable {
	const { context, log, worker, knowledge, documents } = parts;
	const { sessions } = worker;
	const journal = createSessionJournal({ sessions, engine: "model", workspace: workspaceUri });
	const host = once(async () => {
		const { createOrchestratorHost } = await import("./orchestratorHost.ts");
		const runner = async ({ origin, session: chain = randomUUID() }: Caller) => {
			requireTrust(UNTRUSTED);
			const engine = await parts.chooseSteps(origin);
			return createStepRunner({ ...parts, engine, chain, journal });
		};
		return createOrchestratorHost(worker, knowledge, context.workspaceState, runner);
	});
	const orchestrator = once(async () => withTurns((await host.get()).orchestrator, { ...parts, journal }));
	const plans = createPlans(orchestrator.get, documents);
	const view = showAgents(worker, log);
	return {
		orchestrator: orchestrator.get,
		plans,
		journals: sessions,
		dispose: () => {
			vscode.Disposable.from(plans, view).dispose();
			void host.peek()?.then((opened) => opened.dispose());
		},
	};
}

const UNTRUSTED = vscode.l10n.t(
	"Agents are not run in an untrusted folder, because its files would define them. Trust the folder first.",
);

function showAgents({ agents, onDidChangeIndex }: WorkerLink, log: vscode.LogOutputChannel) {
	const live = createLiveFiles(agents);
	const shown = { name: "agents", files: agentDocuments(), show: showRegistry, log, onDidChangeIndex };
	return vscode.Disposable.from(live, registerAgentsView(live), showProblemsOf(live, shown));
}

function showRegistry(shown: vscode.DiagnosticCollection, { agents, problems }: AgentRegistry): void {
	setContext("hasAgents", agents.length + problems.length > 0);
	const known = contributedTools();
	const wrong = problems.filter(({ tool }) => tool === undefined || !known.has(tool));
	showProblems(shown, wrong);
}

function contributedTools(): ReadonlySet<string> {
	const declared = vscode.extensions.all.flatMap(({ packageJSON }) =>
		["languageModelTools", "languageModelToolSets"]
			.flatMap((kind) => listOf(packageJSON?.contributes, kind))
			.flatMap((tool) => [textOf(tool, "toolReferenceName"), textOf(tool, "name")]),
	);
	const names = [...declared, ...vscode.lm.tools.map(({ name }) => name)];
	return new Set(names.filter((name) => name !== undefined));
}
