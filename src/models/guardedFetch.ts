import { keyHeaders } from "../base/http/endpointWords.ts";
import { outgoingTrace } from "../base/traces/traceContext.ts";
import type { ServerAddress } from "./serverAddress.ts";
import { ModelTrouble } from "./troubleOf.ts";

export interface GuardOptions {
	readonly address: ServerAddress;
	readonly key: string | undefined;
	/** Maximum number of milliseconds without data from a server, before and during its answer. */
	readonly silenceMs: number;
}

const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** Maximum size of an answer, in which each word may be an event. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Keep-alives without content extend the wait up to this multiple of `silenceMs`. */
const SIGNS_OF_LIFE = 6;

/**
 * Creates `fetch` for the client library. Sends only our own headers, because the library would add values from the
 * environment and about the machine. Does not follow redirects, which would pass on the key and the question.
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
	// The timer must not keep the process alive if nobody reads the answer.
	const timer = setTimeout(silent, silenceMs).unref();
	return {
		base,
		signal: controller.signal,
		/** Called for each chunk. `says` is `false` for keep-alives and incomplete events. */
		heard: (says: boolean) => {
			if (says) saidAt = Date.now();
			if (Date.now() - saidAt < silenceMs * SIGNS_OF_LIFE) timer.refresh();
			else silentMs = silenceMs * SIGNS_OF_LIFE;
		},
		end: () => clearTimeout(timer),
	};
}

/** Yields complete events. Throws if an answer or event is too large. */
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
/** Number of earlier characters that may begin a blank line. */
const OVERLAP = 3;

/**
 * Cuts a stream into events at blank lines, so that the library never processes keep-alive comments or endless
 * events. Keeps bytes as Latin-1, one character each, which is fast to join and search.
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
		/** Returns a last event that looks complete, because some servers omit the final blank line. */
		rest: () => take([held].filter((event) => /[}\]]\s*$/.test(event))),
		get idleBytes() {
			return idleBytes;
		},
	};
}
