import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createCliSteps } from "../../../src/acp/turn/cliRunner.ts";
import { openStepPlace } from "../../../src/acp/turn/turnPlace.ts";
import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { AgentDefinition, Chain } from "../../../src/core/agent/chain.ts";
import type { StepEngine } from "../../../src/core/agent/tool.ts";
import type { Sessions } from "../../../src/core/session/session.ts";
import { systemClock } from "../../../src/orchestrator/run/clock.ts";
import { type ChainRun, runChain } from "../../../src/orchestrator/run/runChain.ts";
import { createStepRunner } from "../../../src/vscode/steps/stepRunner.ts";
import { createLiveTurns, type LiveTurns } from "../../../src/vscode/turn/turnRecord.ts";
import { never, type RealCli, type TestAnswer, toAnswer } from "../../acp/realCli.ts";
import type { ScriptedReply } from "../../acp/scriptedModelServer.ts";
import { agentNamed, runOf } from "../../orchestrator/scripted.ts";
import { WORKSPACE } from "../../sessions/turns.ts";
import { createFakePermissions } from "../../support/fakePermissions.ts";

const bashCall = (command: string) => ({ name: "bash", input: { command, description: "Does it" } });
export const bash = (command: string): ScriptedReply => ({ calls: [bashCall(command)] });

export const agent = (name: string, fields = "") => [fields, `You are PERSONA-${name}.`] as const;

export interface ChainScene {
	readonly work: string;
	readonly agents: ReadonlyMap<string, AgentDefinition>;
	has(file: string): boolean;
}

type AgentTexts = Readonly<Record<string, readonly [frontMatter: string, persona: string]>>;

export async function makeScene(parent: string, files: AgentTexts): Promise<ChainScene> {
	const work = await mkdtemp(join(parent, "chain-"));
	const folder = join(work, ".github", "agents");
	await mkdir(folder, { recursive: true });
	const agents = new Map<string, AgentDefinition>();
	for (const [name, [fields, persona]] of Object.entries(files)) {
		const text = `---\nname: ${name}\ndescription: ${name}\n${fields}---\n${persona}`;
		const path = join(folder, `${name}.md`);
		await writeFile(path, text);
		const hash = createHash("sha256").update(text).digest("hex");
		const tools = /^tools: (.*)$/m.exec(fields)?.[1];
		const source = { uri: pathToFileURL(path).href, level: "workspace", hash } as const;
		const own = { ...(tools && { tools: JSON.parse(tools) }), persona, source };
		agents.set(name, agentNamed(name, own));
	}
	return { work, agents, has: (file) => existsSync(join(work, file)) };
}

export interface CliChainOptions {
	answer?(agent: string | undefined, title: string): TestAnswer | Promise<TestAnswer>;
}

export function cliEngine(cli: RealCli, { work }: ChainScene, options: CliChainOptions = {}) {
	const permissions = createFakePermissions();
	const engine = createCliSteps({
		runnerDeps: async () => ({
			permissions,
			askPerson: async ({ request, offers }) =>
				toAnswer((await options.answer?.(request.agent, request.title)) ?? "reject", offers),
			...(cli.hooks && { hooks: cli.hooks }),
		}),
		whileAtWork: (_, run) => run,
		folders: () => [work],
		openStep: async () => openStepPlace(cli, { cwd: work, mcpServers: [], workspace: "" }),
	});
	return { engine, permissions };
}

export interface PlayOptions extends Partial<ChainRun> {
	readonly sessions: Sessions;
	readonly signal?: AbortSignal;
	readonly live?: LiveTurns;
	watch?(event: AgentEvent): void;
}

/** Runs a chain as a turn of the session `chain`, whose journal tells of it. */
export async function playChain(engine: StepEngine, scene: ChainScene, chain: Chain, options: PlayOptions) {
	const { agents } = scene;
	const { sessions, signal = never, live = createLiveTurns(), watch, ...more } = options;
	const journal = createSessionJournal({ sessions, engine: "model", workspace: () => WORKSPACE });
	const question = { text: "Do it", command: "agents", attachments: [], isFirst: false };
	const turn = await journal.begin("chain", question);
	const log = { error: () => undefined };
	const runner = createStepRunner({ engine, chain: "chain", journal, live, log });
	const events: AgentEvent[] = [];
	const show = (event: AgentEvent) => {
		events.push(event);
		turn.note(event);
		watch?.(event);
	};
	const run = { ...runOf(chain), agents, ...more };
	const report = await runChain(run, { runner, clock: systemClock, show }, signal);
	await turn.end({ text: report.context.finalOutput, outcome: "done" });
	return { report, events };
}
