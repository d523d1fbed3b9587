import { createHash } from "node:crypto";
import { EventEmitter, on } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseDocument } from "yaml";
import { Failure } from "../../base/failure.ts";
import { isInside } from "../../base/files/paths.ts";
import { untilAborted } from "../../base/jobs/untilAborted.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { AgentEvent, Runner } from "../../core/agent/agentEvent.ts";
import { mayUse } from "../../core/agent/allowedTools.ts";
import type { AgentDefinition } from "../../core/agent/chain.ts";
import { MCP_SERVER, READING_TOOLS } from "../../core/agent/ourTools.ts";
import type { EngineStep, StepEngine, StepGrant } from "../../core/agent/tool.ts";
import { splitFrontMatter } from "../../loads/frontMatter.ts";
import { runTurn, type TurnRules } from "./cliTurn.ts";
import type { StepPlace, TurnPlace } from "./session/cliSessions.ts";

interface CliRunnerDeps extends TurnRules {
	openSession(report: (text: string) => void): Promise<TurnPlace>;
}

export function createCliRunner({ openSession, ...deps }: CliRunnerDeps): Runner {
	return async function* run(request, signal) {
		const emitter = new EventEmitter();
		const events: AsyncIterable<readonly AgentEvent[]> = on(emitter, "shown", { close: ["ended"] });
		// After the consumer has stopped reading, no failure is reported.
		emitter.on("error", () => undefined);
		const left = new AbortController();
		const either = AbortSignal.any([signal, left.signal]);
		const show = (...shown: readonly AgentEvent[]) => {
			for (const event of shown) {
				deps.onEvent?.(event);
				emitter.emit("shown", event);
			}
		};
		const turn = async () => {
			// If the turn is canceled while the session opens, the session stays open for the next question.
			const place = await untilAborted(
				openSession((text) => show({ kind: "progress", text })),
				either,
			);
			await runTurn({ ...deps, ...place }, request, either, show);
		};
		void turn().then(
			() => emitter.emit("ended"),
			(thrown: unknown) => emitter.emit("error", signal.aborted ? signal.reason : thrown),
		);
		try {
			for await (const shown of events) yield* shown;
		} finally {
			// The consumer stopped reading, so the turn is canceled.
			left.abort();
		}
	};
}

export interface CliStepsDeps {
	runnerDeps(session: string): Promise<TurnRules>;
	folders(): readonly string[];
	/** Opens a session for a step. Closing the session revokes all access that the step was given. */
	openStep(
		session: string,
		step: StepGrant,
		where: { readonly folder: string | undefined; readonly file: string; readonly signal: AbortSignal },
	): Promise<StepPlace>;
	whileAtWork(session: string, run: Runner): Runner;
}

export function createCliSteps(deps: CliStepsDeps): StepEngine {
	return { kind: "cli", runnerFor: (step) => deps.whileAtWork(step.session, runnerFor(deps, step)) };
}

function runnerFor(deps: CliStepsDeps, { session, chain, request }: EngineStep): Runner {
	return async function* run(asked, signal) {
		const { agent, scope } = request;
		const file = await readUnchanged(agent);
		const grant: StepGrant = { chain, agent: agent.name, scope };
		const turn = await deps.runnerDeps(session);
		// Without our hooks, nothing limits the agent to its tools.
		const unguarded = `The agent ${visibleText(agent.name)} may use only some tools, and a Copilot CLI that another program started cannot be limited to them. Clear the setting copilot-LD.cli.server.`;
		if (!turn.hooks && asked.agent?.tools) throw new Failure("NOT_ALLOWED", unguarded);
		// Without our plugin, the CLI finds the file itself.
		const lent = await turn.hooks?.lend(copyOfAgent(file, scope.tools));
		try {
			const [folder, path] = [folderOf(agent, deps.folders()), fileURLToPath(agent.source.uri)];
			const place = await deps.openStep(session, grant, { folder, file: path, signal });
			try {
				const rules = { ...turn, chat: chain, ...(lent && { actsAs: lent.name }) };
				yield* createCliRunner({ ...rules, openSession: async () => place })(asked, signal);
			} finally {
				await place.close().catch(() => undefined);
			}
		} finally {
			await lent?.end();
		}
	};
}

/** Chooses a working folder from which the CLI finds the agent's file: in this folder or above. */
function folderOf({ source }: AgentDefinition, folders: readonly string[]): string | undefined {
	const path = fileURLToPath(source.uri);
	const [, base = ""] = /^(.*?)[/\\]\.(?:github|claude)[/\\]agents[/\\]/s.exec(path) ?? [];
	if (source.level === "user" || base === "") return folders[0];
	const inside = folders.find((folder) => isInside(folder, base));
	return folders.find((folder) => folder === base) ?? inside ?? folders[0];
}

/** Throws a `Failure` if the agent's file has changed since the user saw the plan. */
async function readUnchanged({ name, source }: AgentDefinition): Promise<string> {
	const bytes = await readFile(fileURLToPath(source.uri)).catch(() => Buffer.of());
	if (createHash("sha256").update(bytes).digest("hex") === source.hash) return bytes.toString("utf8");
	const message = `The file of the agent ${visibleText(name)} has changed since the chain was planned. Plan it again.`;
	throw new Failure("NOT_ALLOWED", message);
}

/** Limits a copy of the agent's file to the step's tools, and to reading tools of ours that these include. */
function copyOfAgent(text: string, tools: readonly string[] | undefined): string {
	const split = splitFrontMatter(text.replace(/^\uFEFF/, ""));
	if (!split || tools === undefined) return text;
	const ours = READING_TOOLS.filter((tool) => mayUse(tools, tool)).map((tool) => `${MCP_SERVER}/${tool}`);
	const head = parseDocument(split.head);
	head.set("tools", [...new Set([...tools, ...ours])]);
	return `---\n${head}---\n${split.body}`;
}
