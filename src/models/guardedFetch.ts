import { keyHeaders } from "../base/http/endpointWords.ts";
import { outgoingTrace } from "../base/traces/traceContext.ts";
import type { ServerAddress } from "./serverAddress.ts";
import { ModelTrouble } from "./troubleOf.ts";

export interface GuardOptions {
	readonly address: ServerAddress;
	readonly key: string | undefined;
	/** How long a server may be silent, before and during its answer. */
	readonly silenceMs: number;
}

/** Until the end of an event; and of a whole answer, of which each word may be an event. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** For how many times the longest silence signs of life are enough. */
const SIGNS_OF_LIFE = 6;

/**
 * `fetch` for the client library. Uses only our own headers, because the library would add values from the environment
 * and describe the machine. Does not follow redirects, which would pass on the key and the question.
 */
export function createGuardedFetch(options: GuardOptions): typeof fetch {
	return async (url, init = {}) => {
		const watch = watchSilence(options);
		const signals = init.signal ? [init.signal, watch.signal] : [watch.signal];
		const { body, status, headers } = await fetch(url, {
			method: init.method ?? "GET",
			headers: headersFor(options, init),
			body: init.body ?? null,
			redirect: "manual",
			signal: AbortSignal.any(signals),
		});
		const isWhole = status >= 300 || /\bjson\b/.test(headers.get("content-type") ?? "");
		const cutter = isWhole ? WHOLE_ANSWER : createEventCutter();
		return new Response(body && ReadableStream.from(guarded(body, cutter, watch)), { status, headers });
	};
}

function headersFor({ address, key }: GuardOptions, { body }: RequestInit): Record<string, string> {
	return {
		accept: "application/json, text/event-stream",
		...(body && { "content-type": "application/json" }),
		...outgoingTrace(),
		...(key && keyHeaders(new URL(address.origin).hostname, key)),
	};
}

type Watch = ReturnType<typeof watchSilence>;

function watchSilence({ address: { base }, silenceMs }: GuardOptions) {
	const controller = new AbortController();
	let saidAt = Date.now();
	let silentMs = silenceMs;
	const silent = () => {
		const words = `${base} did not respond for ${silentMs / 1000} s. Check the server: it may be loading the model, or be stuck.`;
		controller.abort(new ModelTrouble("silent", words));
	};
	// An answer that nobody reads keeps no process alive.
	const timer = setTimeout(silent, silenceMs).unref();
	return {
		base,
		signal: controller.signal,
		/** Whether the server said something, or only that it is there. */
		heard: (says: boolean) => {
			if (says) saidAt = Date.now();
			if (Date.now() - saidAt < silenceMs * SIGNS_OF_LIFE) timer.refresh();
			else silentMs = silenceMs * SIGNS_OF_LIFE;
		},
		end: () => clearTimeout(timer),
	};
}

/** Passes on what the cutter gives; fails once there is more than any answer needs. */
async function* guarded(body: ReadableStream<Uint8Array>, cutter: EventCutter, watch: Watch) {
	let bytes = 0;
	try {
		for await (const chunk of body) {
			const events = cutter.add(chunk);
			watch.heard(events.length > 0);
			bytes += chunk.byteLength;
			if (bytes > MAX_BYTES || cutter.idleBytes > MAX_EVENT_BYTES) {
				const words = `The answer from ${watch.base} is too large for the answer of a language model.`;
				throw new ModelTrouble("malformed", words);
			}
			yield* events;
		}
		yield* cutter.rest();
	} finally {
		watch.end();
	}
}

type EventCutter = ReturnType<typeof createEventCutter>;

const WHOLE_ANSWER: EventCutter = { add: (chunk) => [chunk], rest: () => [], idleBytes: 0 };

const END = /(?:\r?\n){2,}|\r{2,}/;
/** Number of previous characters that may begin a blank line. */
const OVERLAP = 3;

/**
 * Cuts a stream into its events, each at the blank line that ends it, without keep-alive comments: the library would be
 * busy with them, and with an event without end. Bytes are kept as Latin 1, one character each: such texts are fast to
 * join and to search.
 */
function createEventCutter() {
	let held = "";
	let tail = "";
	let idleBytes = 0;
	const take = (events: readonly string[]): Uint8Array[] => {
		if (events.length > 0) idleBytes = held.length;
		return events.map((event) => Buffer.from(`${event}\n\n`, "latin1"));
	};
	return {
		/** The events that are whole now. */
		add: (chunk: Uint8Array) => {
			const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
			const hasEnd = END.test(tail + text);
			held += text;
			tail = (tail + text).slice(-OVERLAP);
			idleBytes += text.length;
			if (!hasEnd) return [];
			const events = held.split(END);
			held = events.pop() ?? "";
			return take(events.filter((event) => event.includes("data")));
		},
		/** What came after the last blank line, if it looks whole: some servers leave the last one out. */
		rest: () => take([held].filter((event) => /[}\]]\s*$/.test(event))),
		get idleBytes() {
			return idleBytes;
		},
	};
}
