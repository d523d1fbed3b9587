import { AsyncLocalStorage } from "node:async_hooks";
import { inTrace, newTraceContext, type TraceContext } from "./traceContext.ts";

/** A part of what a program did for a span of another program. */
export interface InnerSpan extends TraceContext {
	readonly parentId: string;
	readonly title: string;
	/** Milliseconds since 1970, with fractions. */
	readonly startedAt: number;
	readonly durationMs: number;
	readonly isDone: boolean;
}

interface Collecting {
	readonly parent: TraceContext;
	readonly spans: InnerSpan[];
}

const store = new AsyncLocalStorage<Collecting>();

/** Measures an action, and what is measured in it, for the span that asks; only runs it where none does. */
export async function collectSpans<Result>(
	{ asking, title }: { readonly asking: TraceContext | undefined; readonly title: string },
	action: () => Promise<Result>,
	onEnd: (spans: readonly InnerSpan[]) => void,
): Promise<Result> {
	if (!asking) return inTrace(undefined, action);
	const spans: InnerSpan[] = [];
	try {
		return await store.run({ parent: asking, spans }, () => measured(title, action));
	} finally {
		onEnd(spans);
	}
}

/** Measures an action where somebody collects spans. */
export async function measured<Result>(title: string, action: () => Promise<Result>): Promise<Result> {
	const collecting = store.getStore();
	if (!collecting) return action();
	const { parent, spans } = collecting;
	const context = newTraceContext(parent);
	const startedAt = performance.timeOrigin + performance.now();
	let isDone = false;
	try {
		const result = await store.run({ parent: context, spans }, () => inTrace(context, action));
		isDone = true;
		return result;
	} finally {
		const durationMs = performance.timeOrigin + performance.now() - startedAt;
		spans.push({ ...context, parentId: parent.spanId, title, startedAt, durationMs, isDone });
	}
}
