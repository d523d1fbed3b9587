import { messageOf } from "../../base/failure.ts";
import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import { boundedText } from "../../base/text/visibleText.ts";
import { fieldOf, textOf } from "../../base/values.ts";
import { wordSet } from "../../base/words/wordList.ts";
import type { AgentEvent, AskedStep, StepRunner } from "../../core/agent/agentEvent.ts";
import { onlyRead } from "../../core/agent/allowedTools.ts";
import type { StepOutcome } from "../../core/agent/chain.ts";
import { type Citation, formatCitation } from "../../core/knowledge/citation.ts";
import type { Budget, Clock } from "./scope.ts";
import type { StepResult } from "./stepResult.ts";

export interface RunPorts {
	readonly runner: StepRunner;
	readonly clock: Clock;
	/** Missing if every step must run again. */
	readonly cache?: ResultCache | undefined;
	show(event: AgentEvent): void;
}

export interface StepPorts extends RunPorts {
	readonly budget: Budget;
}

export interface ReadyStep extends AskedStep {
	/** Time limit for one attempt, in milliseconds. */
	readonly timeout: number;
	nextAttempt(): number;
}

/** Pause before each retry if the engine cannot be reached. */
const BACKOFFS_MS = [1_000, 2_000, 4_000];

/** Time limit for an engine to end a step that was stopped. */
const GRACE_MS = 10_000;

interface Ending {
	readonly outcome: StepOutcome | "disconnected";
	readonly reason?: string;
	readonly isLoose?: boolean;
}

interface Attempt extends Ending {
	readonly record: ReturnType<typeof watchStep>;
	readonly tokens: number;
}

const LONGEST_OUTPUT = 60_000;
const MOST_AREAS = 50;
const PATH_FIELDS = ["path", "fileName", "file", "filePath", "file_path", "target", "uri"];

/** Retries once after a timeout, and up to three times if the engine cannot be reached. */
export async function runStep(step: ReadyStep, ports: StepPorts, signal: AbortSignal): Promise<StepResult> {
	const entry = mayChange(step) ? undefined : ports.cache?.open(step);
	if (entry?.found) return { ...entry.found, step: step.id, executedAt: ports.clock.now(), isCached: true };
	const result = await tryUntilDone(step, ports, signal);
	if (result.outcome === "succeeded" && !result.hasChanged) entry?.keep(result);
	return result;
}

function mayChange({ scope }: ReadyStep): boolean {
	return !onlyRead(scope.tools);
}

async function tryUntilDone(step: ReadyStep, ports: StepPorts, signal: AbortSignal): Promise<StepResult> {
	const waits = { timedOut: [0], disconnected: [...BACKOFFS_MS] };
	const begun = ports.clock.now();
	let tokens = 0;
	for (;;) {
		const tried = await tryStep(step, ports, signal);
		tokens += tried.tokens;
		const executedAt = ports.clock.now();
		const spent = { tokens, milliseconds: executedAt - begun };
		const result = { ...toResult(step, tried), executedAt, spent };
		if (result.hasChanged || signal.aborted || ports.budget.shortage() !== undefined) return result;
		const isAgain = tried.outcome === "timedOut" || tried.outcome === "disconnected";
		const wait = isAgain ? waits[tried.outcome].shift() : undefined;
		if (wait === undefined) return result;
		await ports.clock.wait(wait, signal);
	}
}

function toResult(step: ReadyStep, { outcome, reason, record, isLoose: wasLeft = false }: Attempt) {
	const isLoose = mayChange(step) && wasLeft;
	return {
		step: step.id,
		agent: step.agent.name,
		outcome: outcome === "disconnected" ? "failed" : outcome,
		output: [record.output(), reason].filter(Boolean).join("\n\n"),
		focusAreas: record.focusAreas(),
		citations: record.citations(),
		hasChanged: record.hasActed(mayChange(step)) || isLoose,
		...(record.refused().length > 0 && { refused: record.refused() }),
		...(isLoose && { isLoose }),
	};
}

async function tryStep(step: ReadyStep, ports: StepPorts, signal: AbortSignal): Promise<Attempt> {
	const { runner, clock, budget } = ports;
	const record = watchStep();
	const meter = createTokenMeter(budget);
	const over = new AbortController();
	const late = new AbortController();
	const stop = AbortSignal.any([signal, late.signal, budget.spent]);
	const timeout = Math.min(step.timeout, budget.left().time);
	clock.wait(timeout, over.signal).then(() => over.signal.aborted || late.abort(), late.abort);
	const request = { ...step, attempt: step.nextAttempt() };
	const { prompt } = step;
	const started = { step: step.id, agent: step.agent.name, attempt: request.attempt, prompt };
	ports.show({ kind: "stepStarted", ...started });
	const note = (event: AgentEvent) => {
		record.note(event);
		meter.note(event);
		// Events of a stopped step are recorded and its tokens are counted, but the events are no longer shown.
		if (event.kind !== "ended" && !stop.aborted) ports.show({ ...event, step: step.id });
	};
	const whyStopped = () => reasonToStop(signal, budget, timeout);
	const endingOf = async (): Promise<Ending> => {
		try {
			const isLoose = await hear(runner.run(request, stop), note, { stop, clock });
			const ended = isLoose || stop.aborted ? whyStopped() : { outcome: "succeeded" as const };
			return { ...ended, ...(isLoose && { isLoose }) };
		} catch (thrown) {
			return stop.aborted ? whyStopped() : failureOf(thrown);
		} finally {
			over.abort();
		}
	};
	const ending = await endingOf();
	return { ...ending, record, tokens: meter.close(() => record.estimatedTokens(prompt)) };
}

const CANCELLED: Ending = { outcome: "cancelled", reason: "It was canceled." };

function reasonToStop(signal: AbortSignal, budget: Budget, timeout: number): Ending {
	if (signal.aborted) return CANCELLED;
	const shortage = budget.shortage();
	if (shortage !== undefined) return { outcome: "failed", reason: shortage };
	return { outcome: "timedOut", reason: `It took longer than ${Math.round(timeout / 1000)} s.` };
}

function failureOf(thrown: unknown): Ending {
	if (thrown instanceof Error && thrown.name === "AbortError") return CANCELLED;
	return { outcome: isConnectionError(thrown) ? "disconnected" : "failed", reason: messageOf(thrown) };
}

/** Reads events to the end. Resolves with `true` if a stopped engine does not end within `GRACE_MS`. */
async function hear(
	events: AsyncIterable<AgentEvent>,
	note: (event: AgentEvent) => void,
	{ stop, clock }: { readonly stop: AbortSignal; readonly clock: Clock },
): Promise<boolean> {
	const over = new AbortController();
	const listening = (async () => {
		for await (const event of events) note(event);
	})().finally(() => over.abort());
	const stopped = new Promise<void>((resolve) => {
		if (stop.aborted) resolve();
		stop.addEventListener("abort", () => resolve(), { signal: over.signal });
	});
	const patience = stopped.then(() => clock.wait(GRACE_MS, over.signal));
	await Promise.race([listening, patience]);
	if (over.signal.aborted) {
		await listening;
		return false;
	}
	// Later errors are ignored, because nobody reads the events any longer.
	listening.catch(() => undefined);
	return true;
}

const CONNECTION_CODES = wordSet(`
	ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN ENETUNREACH UND_ERR_SOCKET
	UND_ERR_CONNECT_TIMEOUT CLI_STOPPED
`);

/** Whether an error, or any of its causes, means that the engine is unreachable. */
function isConnectionError(thrown: unknown): boolean {
	for (let cause = thrown, depth = 0; cause !== undefined && depth < 5; depth++) {
		if (!(cause instanceof Error)) return false;
		if (CONNECTION_CODES.has(String(fieldOf(cause, "code")))) return true;
		cause = cause.cause;
	}
	return false;
}

/** Spends an attempt's tokens as they are reported. Some engines report only input before the end. */
function createTokenMeter({ spend }: Budget) {
	let counted = 0;
	let spent = 0;
	const spendUpTo = (tokens: number) => {
		if (tokens === spent) return;
		spend(tokens - spent);
		spent = tokens;
	};
	return {
		note: (event: AgentEvent) => {
			if (event.kind === "window") spendUpTo(Math.max(spent, event.usedTokens));
			if (event.kind !== "usage") return;
			counted += event.inputTokens + event.outputTokens;
			spendUpTo(counted);
		},
		/** Returns the tokens spent, which are estimated if the engine reported no usage. */
		close: (estimate: () => number) => {
			if (counted === 0) spendUpTo(Math.max(spent, estimate()));
			return spent;
		},
	};
}

function watchStep() {
	const words: string[] = [];
	const cited = new Map<string, Citation>();
	const areas = new Set<string>();
	const refused = new Set<string>();
	let calls = 0;
	let hasDiff = false;
	const cite = (citation: Citation) => {
		const mark = formatCitation(citation);
		cited.set(mark, citation);
		areas.add(citation.path);
		words.push(mark);
	};
	const act = (event: AgentEvent) => {
		if (event.kind === "diff") {
			hasDiff = true;
			areas.add(event.path);
		}
		if (event.kind === "permission") {
			if (event.effect === "deny") refused.add(event.title);
			else refused.delete(event.title);
		}
		if (event.kind !== "toolStarted") return;
		calls += 1;
		for (const path of pathsIn(event.call.input)) areas.add(path);
	};
	return {
		note: (event: AgentEvent) => {
			if (event.kind === "text") words.push(event.text);
			else if (event.kind === "citation") cite(event.citation);
			else act(event);
		},
		output: () => boundedText(words.join("").trim(), LONGEST_OUTPUT),
		citations: () => [...cited.values()],
		refused: () => [...refused].slice(0, MOST_AREAS),
		focusAreas: () => [...areas].slice(0, MOST_AREAS),
		/** Whether the step produced a diff, or made any call with tools that may change something. */
		hasActed: (mayChange: boolean) => hasDiff || (mayChange && calls > 0),
		estimatedTokens: (prompt: string) =>
			Math.ceil((prompt.length + words.join("").length) / CHARACTERS_PER_TOKEN),
	};
}

function pathsIn(input: unknown): string[] {
	return PATH_FIELDS.flatMap((field) => textOf(input, field) ?? []).filter((path) => path.length < 500);
}

/** Caches results of read-only steps until any file changes. */
export type ResultCache = ReturnType<typeof createResultCache>;

const MOST_RESULTS = 200;

/** Evicts the least recently used result if the cache is full. */
export function createResultCache() {
	const empty = () => createBoundedMap<string, StepResult>(MOST_RESULTS);
	let results = empty();
	return {
		open: (request: AskedStep) => {
			const opened = results;
			// The prompt includes the results of earlier steps.
			const { agent, prompt, scope } = request;
			const key = JSON.stringify([agent.name, agent.source.hash, scope.tools ?? null, prompt]);
			const found = opened.get(key);
			const keep = (result: StepResult) => opened.set(key, result);
			if (found) keep(found);
			return { found, keep };
		},
		/** Call this after files change, and when the user wants to run everything again. */
		clear: () => {
			results = empty();
		},
	};
}
