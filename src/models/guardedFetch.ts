import { keyHeaders } from "../base/http/keyHeaders.ts";
import { outgoingTrace } from "../base/traceContext.ts";
import { ModelTrouble } from "./modelTrouble.ts";
import type { ServerAddress } from "./serverAddress.ts";

export interface GuardOptions {
	readonly address: ServerAddress;
	readonly key: string | undefined;
	/** How long a server may be silent, before and during its answer. */
	readonly silenceMs: number;
}

const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * `fetch` for the client library. The library would add what it finds in the environment and tell of the machine, so
 * the headers are ours alone; a redirect is not followed, because the key and the question would go along.
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
			if (response.body)
				return withBody(response, response.body.pipeThrough(bounded(options.address, watch)));
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

function withBody({ status, statusText, headers }: Response, body: ReadableStream): Response {
	return new Response(body, { status, statusText, headers });
}

interface Watch {
	readonly signal: AbortSignal;
	heard(): void;
	end(): void;
}

function watchSilence({ address: { base }, silenceMs }: GuardOptions): Watch {
	const controller = new AbortController();
	const words = `${base} said nothing for ${silenceMs / 1000} s. Look at the server: it may be loading the model, or be stuck.`;
	const timer = setTimeout(() => controller.abort(new ModelTrouble("silent", words)), silenceMs);
	return { signal: controller.signal, heard: () => timer.refresh(), end: () => clearTimeout(timer) };
}

/** Passes the bytes on; fails once there are more than any answer needs. */
function bounded({ base }: ServerAddress, watch: Watch): TransformStream<Uint8Array, Uint8Array> {
	let lineBytes = 0;
	let bytes = 0;
	return new TransformStream({
		transform: (chunk, controller) => {
			watch.heard();
			bytes += chunk.byteLength;
			const lastBreak = chunk.lastIndexOf(10);
			lineBytes = lastBreak < 0 ? lineBytes + chunk.byteLength : chunk.byteLength - lastBreak - 1;
			if (lineBytes <= MAX_LINE_BYTES && bytes <= MAX_BYTES) return controller.enqueue(chunk);
			watch.end();
			throw new ModelTrouble(
				"malformed",
				`The answer of ${base} is larger than any answer of a language model.`,
			);
		},
		flush: () => watch.end(),
		cancel: () => watch.end(),
	});
}
