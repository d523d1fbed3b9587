import { createHash } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createSessionJournal } from "../../../src/agent/journal/sessionJournal.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { AgentDefinition, Chain } from "../../../src/core/agent/chain.ts";
import type { StepEngine } from "../../../src/core/agent/tool.ts";
import type { Sessions } from "../../../src/core/session/session.ts";
import { systemClock } from "../../../src/orchestrator/run/clock.ts";
import { type ChainRun, runChain } from "../../../src/orchestrator/run/runChain.ts";
import { createStepRunner } from "../../../src/vscode/steps/stepRunner.ts";
import { createLiveTurns, type LiveTurns } from "../../../src/vscode/turn/turnRecord.ts";
import { agentNamed, runOf } from "../../orchestrator/scripted.ts";
import { never } from "../../sessions/temporarySessions.ts";
import { WORKSPACE } from "../../sessions/turns.ts";

export interface ChainScene {
	readonly work: string;
	readonly agents: ReadonlyMap<string, AgentDefinition>;
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
	return { work, agents };
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
