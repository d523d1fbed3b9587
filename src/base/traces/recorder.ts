import { AsyncLocalStorage } from "node:async_hooks";
import { inTrace, newTraceContext, type TraceContext } from "./traceContext.ts";

export const NAMESPACES = ["host", "worker", "parser", "cli", "mcp"] as const;
export type Namespace = (typeof NAMESPACES)[number];
export type Level = "trace" | "debug" | "info" | "warn" | "error";

export interface RecordEntry extends Happening {
	/** Milliseconds since 1970. */
	readonly at: number;
}

export interface Happening {
	readonly namespace: Namespace;
	readonly level: Level;
	/** A fixed name. Name and facts never contain text of a user, a file or a model. */
	readonly event: string;
	readonly facts?: Readonly<Record<string, number | string | boolean>>;
	/** May contain private text. */
	readonly text?: string;
}

/** Recent events in memory. Each namespace has its own limits, so that a busy namespace does not displace others. */
export type Recorder = ReturnType<typeof createRecorder>;

const BOUNDS = {
	/** Maximum number of entries per namespace. */
	entries: 1000,
	/** Maximum number of characters per namespace. */
	characters: 256 * 1024,
	/** Maximum number of characters of one entry's text. */
	text: 4000,
};

export const unrecorded: Recorder = {
	note: () => undefined,
	entries: () => [],
	dropped: () => 0,
	clear: () => undefined,
};

export function createRecorder(now: () => number = Date.now, bounds = BOUNDS) {
	const rings = new Map<Namespace, { readonly entries: RecordEntry[]; characters: number }>();
	let dropped = 0;
	const note = ({ text, ...happening }: Happening) => {
		const ring = rings.get(happening.namespace) ?? { entries: [], characters: 0 };
		rings.set(happening.namespace, ring);
		const cut = text === undefined ? {} : { text: cutText(text, bounds.text) };
		const entry = { at: now(), ...happening, ...cut };
		ring.entries.push(entry);
		ring.characters += sizeOf(entry);
		while (ring.entries.length > bounds.entries || ring.characters > bounds.characters) {
			const oldest = ring.entries.shift();
			if (!oldest) return;
			ring.characters -= sizeOf(oldest);
			dropped++;
		}
	};
	return {
		note,
		/** Oldest first. */
		entries: () => [...rings.values()].flatMap(({ entries }) => entries).sort((a, b) => a.at - b.at),
		dropped: () => dropped,
		clear: () => {
			rings.clear();
			dropped = 0;
		},
	};
}

function sizeOf({ event, facts, text = "" }: RecordEntry): number {
	return event.length + text.length + (facts ? JSON.stringify(facts).length : 0);
}

/** Omits the word that the limit would split. The word may be a secret, whose first part no rule would recognize. */
export function cutText(text: string, most: number): string {
	return text.length <= most ? text : `${text.slice(0, most).replace(/\S+$/, "")}…`;
}

export async function timed<Result>(
	recorder: Recorder,
	{ facts, ...about }: Omit<Happening, "level" | "text">,
	step: () => Promise<Result>,
): Promise<Result> {
	const begun = performance.now();
	const end = (outcome: string) => {
		const level = outcome === "done" ? "debug" : "warn";
		const ms = Math.round(performance.now() - begun);
		recorder.note({ ...about, level, facts: { ms, outcome, ...facts } });
	};
	try {
		const result = await step();
		end("done");
		return result;
	} catch (thrown) {
		end(outcomeOf(thrown));
		throw thrown;
	}
}

/** Records error codes only, because messages may contain private text. */
function outcomeOf(thrown: unknown): string {
	const code = thrown instanceof Error && "code" in thrown ? `${thrown.code}` : "";
	return /^(?:[A-Z][A-Z_]{0,30}|-?\d{1,6})$/.test(code) ? code : "failed";
}

/** Part of a program's work, measured for a span of another program. */
export interface InnerSpan extends TraceContext {
	readonly parentId: string;
	readonly title: string;
	/** Milliseconds since 1970, with fractions. */
	readonly startedAt: number;
	readonly durationMs: number;
	readonly isDone: boolean;
}

const store = new AsyncLocalStorage<{ readonly parent: TraceContext; readonly spans: InnerSpan[] }>();

/** Runs an action and measures its inner spans for the span `asking`. Without `asking`, only runs the action. */
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
