import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** A span, as W3C Trace Context names it: 32 and 16 hexadecimal digits. */
export interface TraceContext {
	readonly traceId: string;
	readonly spanId: string;
}

/** Our programs are bundled apart, each with a copy of this module: those in one process share the store. */
const STORE = Symbol.for("copilot-ld.traceContext");
const shared = globalThis as { [STORE]?: AsyncLocalStorage<TraceContext | undefined> };
shared[STORE] ??= new AsyncLocalStorage();
const store = shared[STORE];

/** Names a new span, in the trace of its parent if there is one. */
export function newTraceContext(parent?: TraceContext): TraceContext {
	return { traceId: parent?.traceId ?? digits(16), spanId: digits(8) };
}

export function currentTrace(): TraceContext | undefined {
	return store.getStore();
}

/** Everything that the action starts belongs to this span, or to no span if it is `undefined`, regardless of the caller's span. */
export function inTrace<Result>(context: TraceContext | undefined, action: () => Result): Result {
	return store.run(context, action);
}

/** The same for a stream, which works whenever its next item is requested. */
export async function* streamInTrace<Item>(context: TraceContext, open: () => AsyncIterable<Item>) {
	const items = inTrace(context, () => open()[Symbol.asyncIterator]());
	try {
		for (;;) {
			const { done, value } = await inTrace(context, () => items.next());
			if (done) return;
			yield value;
		}
	} finally {
		await inTrace(context, () => items.return?.());
	}
}

/** The current span for a message to another program; empty outside of one. */
export function outgoingTrace(): { readonly traceparent?: string } {
	const context = currentTrace();
	return context ? { traceparent: `00-${context.traceId}-${context.spanId}-01` } : {};
}

/** What another program says of the span that it calls from; it may be anything. */
export function readTraceparent(value: unknown): TraceContext | undefined {
	if (typeof value !== "string" || value.length > LONGEST) return undefined;
	const [, version, traceId = "", spanId = "", rest = ""] = TRACEPARENT.exec(value) ?? [];
	const isKnown = version !== undefined && version !== "ff" && (version !== "00" || rest === "");
	return isKnown && /[^0]/.test(traceId) && /[^0]/.test(spanId) ? { traceId, spanId } : undefined;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const LONGEST = 512;

function digits(bytes: number): string {
	return randomBytes(bytes).toString("hex");
}
