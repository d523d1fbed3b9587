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
		init.signal?.addEventListener("abort", watch.end, { once: true });
		try {
			const response = await fetch(url, {
				method: init.method ?? "GET",
				headers: headersFor(options, init),
				body: init.body ?? null,
				redirect: "manual",
				signal: AbortSignal.any(signals),
			});
			if (response.body) return guarded(response, options.address, watch);
			watch.end();
			return response;
		} catch (thrown) {
			watch.end();
			throw thrown;
		}
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

function guarded({ body, status, headers }: Response, address: ServerAddress, watch: Watch): Response {
	const isWhole = status >= 300 || /\bjson\b/.test(headers.get("content-type") ?? "");
	const guard = createGuard(address, watch, isWhole ? WHOLE_ANSWER : createEventCutter());
	return new Response(body?.pipeThrough(guard) ?? null, { status, headers });
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
	const timer = setTimeout(silent, silenceMs);
	return {
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
function createGuard(
	address: ServerAddress,
	watch: Watch,
	cutter: EventCutter,
): TransformStream<Uint8Array, Uint8Array> {
	let bytes = 0;
	return new TransformStream({
		transform: (chunk, controller) => {
			const events = cutter.add(chunk);
			watch.heard(events.length > 0);
			bytes += chunk.byteLength;
			if (bytes > MAX_BYTES || cutter.idleBytes > MAX_EVENT_BYTES) throw tooLarge(address, watch);
			for (const event of events) controller.enqueue(event);
		},
		flush: (controller) => {
			watch.end();
			for (const event of cutter.rest()) controller.enqueue(event);
		},
		cancel: () => watch.end(),
	});
}

function tooLarge({ base }: ServerAddress, watch: Watch): ModelTrouble {
	watch.end();
	const words = `The answer from ${base} is too large for the answer of a language model.`;
	return new ModelTrouble("malformed", words);
}

type EventCutter = ReturnType<typeof createEventCutter>;

const WHOLE_ANSWER: EventCutter = { add: (chunk) => [chunk], rest: () => [], idleBytes: 0 };

const END = /(?:\r?\n){2,}|\r{2,}/g;
const WHOLE = /[}\]]\s*$/;
/** Number of previous characters that may begin a blank line. */
const OVERLAP = 3;

/**
 * Cuts a stream into its events, each at the blank line that ends it, without keep-alive comments: the library would be
 * busy with them, and with an event without end. Bytes are kept as Latin 1, one character each: such texts are fast to
 * join and to search.
 */
function createEventCutter() {
	let held: string[] = [];
	let idleBytes = 0;
	let tail = "";
	const hold = (text: string) => {
		held.push(text);
		idleBytes += text.length;
	};
	const take = (isWhole: (text: string) => boolean) => {
		const event = held.join("");
		held = [];
		if (!isWhole(event)) return [];
		idleBytes = 0;
		return [Buffer.from(event, "latin1")];
	};
	return {
		/** The events that are whole now. */
		add: (chunk: Uint8Array) => {
			const text = tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
			const events: Uint8Array[] = [];
			let from = tail.length;
			for (const { 0: end, index } of text.matchAll(END)) {
				hold(text.slice(from, index + end.length));
				from = index + end.length;
				events.push(...take((event) => event.includes("data")));
			}
			hold(text.slice(from));
			tail = text.slice(from > tail.length ? from : 0).slice(-OVERLAP);
			return events;
		},
		/** What came after the last blank line, if it looks whole: some servers leave the last one out. */
		rest: () => take((text) => WHOLE.test(text)),
		get idleBytes() {
			return idleBytes;
		},
	};
}
