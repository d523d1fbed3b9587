import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** A span as W3C Trace Context identifies it: 32 and 16 hexadecimal digits. */
export interface TraceContext {
	readonly traceId: string;
	readonly spanId: string;
}

/** Each bundle has its own copy of this module; all copies in one process share this store. */
const STORE = Symbol.for("copilot-ld.traceContext");
const shared = globalThis as { [STORE]?: AsyncLocalStorage<TraceContext | undefined> };
shared[STORE] ??= new AsyncLocalStorage();
const store = shared[STORE];

/** Creates the identifiers of a span in the parent's trace, or in a new trace without a parent. */
export function newTraceContext(parent?: TraceContext): TraceContext {
	return { traceId: parent?.traceId ?? digits(16), spanId: digits(8) };
}

export function currentTrace(): TraceContext | undefined {
	return store.getStore();
}

/** Runs an action in a span instead of the caller's span; `undefined` means outside any span. */
export function inTrace<Result>(context: TraceContext | undefined, action: () => Result): Result {
	return store.run(context, action);
}

/** Like `inTrace`, for a stream: each request for an item runs in the span. */
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

/** The current span as a message field for another program; empty outside any span. */
export function outgoingTrace(): { readonly traceparent?: string } {
	const context = currentTrace();
	return context ? { traceparent: `00-${context.traceId}-${context.spanId}-01` } : {};
}

/** Parses another program's `traceparent`; `undefined` if invalid. */
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
