import { cutText, type InnerSpan } from "../../base/traces/recorder.ts";
import { currentTrace, inTrace, newTraceContext, type TraceContext } from "../../base/traces/traceContext.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { Span, SpanOutcome, SpanTexts, TurnSubject, TurnTrace } from "../../core/session/trace.ts";

export type TurnTracer = ReturnType<typeof createTurnTracer>;

export interface TurnObserver {
	begin(start: TurnStart): TurnRecorder;
	ended(recorder: TurnRecorder, trace: TurnTrace): void;
}

interface TracedCall {
	/** Name of the tool as the caller knows it. */
	readonly title: string;
	readonly session?: string | undefined;
	readonly input: unknown;
}

export interface TracerDeps {
	keepsTexts(): boolean;
	onEnd(trace: TurnTrace): void;
}

export function createTurnTracer({ keepsTexts, onEnd }: TracerDeps) {
	const running = new Set<TurnRecorder>();
	const begin: TurnObserver["begin"] = (start) => {
		const recorder = createTurnRecorder({ ...start, keepsTexts: keepsTexts() });
		running.add(recorder);
		return recorder;
	};
	const ended: TurnObserver["ended"] = (recorder, trace) => {
		running.delete(recorder);
		onEnd(trace);
	};
	const run = async <Result>(
		start: TurnStart,
		signal: AbortSignal,
		action: (recorder: TurnRecorder) => Promise<Result>,
	) => {
		const recorder = begin(start);
		const end = (outcome: SpanOutcome) => ended(recorder, recorder.end(outcome));
		return doneInTrace(recorder.context, { signal, end }, () => action(recorder));
	};
	return {
		begin,
		ended,
		run,
		/** Records a call in the turn that makes the call, or else in a trace of its own. */
		call: <Result extends { readonly text: string }>(
			{ title, session, input }: TracedCall,
			signal: AbortSignal,
			action: () => Promise<Result>,
		): Promise<Result> => {
			const turns = [...running].filter((turn) => !session || !turn.session || turn.session === session);
			const made = turns.map((turn) => turn.spanOf(title)).find((span) => span !== undefined);
			if (made) return inTrace(made, action);
			const told = telling(input, action);
			const turn = turns.find((each) => session !== undefined && each.session === session);
			if (turn) return turn.measure({ kind: "tool", title }, signal, told);
			return run({ kind: "tool", title, question: "", session }, signal, told);
		},
		inner: (spans: readonly InnerSpan[]) => {
			for (const span of spans)
				[...running].find(({ context }) => context.traceId === span.traceId)?.addInner(span);
		},
		decided: (decision: CallDecision, durationMs: number) => {
			const here = currentTrace();
			const turn = here && [...running].find((recorder) => recorder.holds(here));
			turn?.decided(decision, durationMs);
		},
	};
}

function telling<Result extends { readonly text: string }>(input: unknown, action: () => Promise<Result>) {
	return async ({ tell }: { readonly tell: OpenSpan["tell"] }) => {
		tell(() => ({ input: JSON.stringify(input) }));
		const result = await action();
		tell(() => ({ output: result.text }));
		return result;
	};
}

interface SpanName {
	readonly kind: Span["kind"];
	readonly title: string;
}

type CallDecision = Extract<AgentEvent, { readonly kind: "permission" }>;

export interface TurnStart extends TurnSubject {
	readonly session?: string | undefined;
	readonly keepsTexts?: boolean;
}

export interface OpenSpan {
	readonly context: TraceContext;
	readonly facts: Record<string, number | string>;
	/** Records input or output. `texts` is called only if contents are kept. */
	tell(texts: () => SpanTexts): void;
	end(outcome: SpanOutcome): void;
}

export type TurnRecorder = ReturnType<typeof createTurnRecorder>;

/** Records a turn's spans. A turn that starts within a span of another turn joins the trace of that turn. */
function createTurnRecorder({ keepsTexts = false, session, ...named }: TurnStart) {
	const outer = currentTrace();
	const context = newTraceContext(outer);
	const [startedAt, zero] = [Date.now(), performance.now()];
	const since = () => performance.now() - zero;
	const spans = createSpans(context, since, keepsTexts);
	const decisions: CallDecision[] = [];
	const texts = createTexts(keepsTexts);
	return {
		context,
		session,
		begin: spans.begin,
		addInner: (span: InnerSpan) => void spans.ended.push(innerSpan(span, startedAt)),
		decided: (decision: CallDecision, durationMs: number) => {
			const { tool: title, effect, by } = decision;
			const span = spans.begin({ kind: "permission", title }, durationMs);
			Object.assign(span.facts, { effect, by });
			span.end("done");
			decisions.push(decision);
		},
		takeDecisions: () => decisions.splice(0),
		spanOf: spans.ofTool,
		/** Whether a context is the turn itself or one of its open spans. */
		holds: ({ spanId }: TraceContext) => spanId === context.spanId || spans.isOpen(spanId),
		measure: <Result>(name: SpanName, signal: AbortSignal, action: (span: OpenSpan) => Promise<Result>) => {
			const span = spans.begin(name);
			return doneInTrace(span.context, { signal, end: span.end }, () => action(span));
		},
		note: (event: AgentEvent) => {
			if (event.kind === "text") texts.add(event.text);
			if (event.kind === "usage") spans.used(event);
		},
		tell: texts.tell,
		end: (outcome: SpanOutcome): TurnTrace => ({
			...named,
			...context,
			...(session !== undefined && { session }),
			...(outer && { parentId: outer.spanId }),
			startedAt,
			durationMs: since(),
			outcome,
			spans: [...spans.ended],
			...texts.told(),
		}),
	};
}

async function doneInTrace<Result>(
	context: TraceContext,
	{ signal, end }: { readonly signal: AbortSignal; end(outcome: SpanOutcome): void },
	action: () => Promise<Result>,
): Promise<Result> {
	let outcome: SpanOutcome = "failed";
	try {
		const result = await inTrace(context, action);
		outcome = "done";
		return result;
	} finally {
		end(signal.aborted ? "cancelled" : outcome);
	}
}

/** The span comes from another program on this machine, which shares our clock. */
function innerSpan({ startedAt, isDone, traceId: _, ...span }: InnerSpan, turnStartedAt: number): Span {
	const startMs = Math.max(0, startedAt - turnStartedAt);
	return { ...span, kind: "worker", startMs, outcome: isDone ? "done" : "failed", facts: {} };
}

/** `since` returns the milliseconds since the turn began. */
function createSpans(context: TraceContext, since: () => number, keepsTexts: boolean) {
	const ended: Span[] = [];
	const open = new Map<string, { readonly context: TraceContext; readonly name: SpanName }>();
	const parentId = () => {
		const here = currentTrace();
		return here?.traceId === context.traceId ? here.spanId : context.spanId;
	};
	const begin = (name: SpanName, agoMs = 0): OpenSpan => {
		const own = { context: newTraceContext(context), name };
		const { spanId } = own.context;
		const [startMs, parent] = [Math.max(0, since() - agoMs), parentId()];
		const facts: OpenSpan["facts"] = {};
		const texts = createTexts(keepsTexts);
		open.set(spanId, own);
		const end = (outcome: SpanOutcome) => {
			open.delete(spanId);
			const times = { startMs, durationMs: since() - startMs };
			ended.push({ ...name, spanId, parentId: parent, ...times, outcome, facts, ...texts.told() });
		};
		return { context: own.context, facts, tell: texts.tell, end };
	};
	return {
		begin,
		used: ({ inputTokens, outputTokens, isEstimate }: Extract<AgentEvent, { readonly kind: "usage" }>) => {
			const { facts = {} } = ended.findLast(({ kind }) => kind === "model") ?? {};
			Object.assign(facts, { inputTokens, outputTokens, ...(isEstimate && { isEstimate: 1 }) });
		},
		/** The open span of a tool's call. */
		ofTool: (title: string) =>
			[...open.values()].find(({ name }) => name.kind === "tool" && name.title === title)?.context,
		isOpen: (spanId: string) => open.has(spanId),
		ended,
	};
}

const LONGEST = 16_000;

function createTexts(isKept: boolean) {
	let texts: SpanTexts | undefined;
	const tell: OpenSpan["tell"] = (tellNow) => {
		if (isKept) texts = { ...texts, ...tellNow() };
	};
	return {
		tell,
		add: (words: string) => {
			const output = texts?.output ?? "";
			if (output.length <= LONGEST) tell(() => ({ output: output + words }));
		},
		told: () => {
			const cut = Object.entries(texts ?? {}).map(([name, text]) => [name, cutText(text, LONGEST)]);
			return cut.length > 0 ? { texts: Object.fromEntries(cut) as SpanTexts } : {};
		},
	};
}
