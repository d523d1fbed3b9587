import { setTimeout as wait } from "node:timers/promises";
import { messageOf } from "../failure.ts";

export interface Patience {
	readonly tries: number;
	/** Approximate milliseconds before the second try; doubles with each further try. */
	readonly firstWaitMs: number;
	/** Maximum milliseconds before the next try. If the endpoint asks for a longer pause, the request fails. */
	readonly longestWaitMs: number;
}

/** Thrown by a request that may succeed later. `waitMs` is the pause that the endpoint asks for. */
export class Passing extends Error {
	/** The error for the caller if all tries fail. */
	override readonly cause: unknown;
	readonly waitMs: number | undefined;

	constructor(cause: unknown, waitMs?: number) {
		super(messageOf(cause));
		this.cause = cause;
		this.waitMs = waitMs;
	}
}

/** Retries a request that may still succeed. Each wait also delays all other requests, to reduce the load. */
export type Persistently = <Result>(send: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Exponential backoff with jitter (the upper half of each wait is random); `Retry-After` takes precedence. */
export function createPersistently({ tries, firstWaitMs, longestWaitMs }: Patience): Persistently {
	let restingUntilMs = 0;
	return async (send, signal) => {
		for (let attempt = 1; ; attempt++)
			try {
				await rest(signal);
				return await send();
			} catch (thrown) {
				restAfter(thrown, attempt);
			}
	};

	function restAfter(thrown: unknown, attempt: number): void {
		if (!(thrown instanceof Passing)) throw thrown;
		const backoffMs = firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
		const waitMs = thrown.waitMs ?? Math.min(backoffMs, longestWaitMs);
		if (attempt >= tries || waitMs > longestWaitMs) throw thrown.cause;
		restingUntilMs = Math.max(restingUntilMs, Date.now() + waitMs);
	}

	async function rest(signal: AbortSignal): Promise<void> {
		for (let leftMs = restingUntilMs - Date.now(); leftMs > 0; leftMs = restingUntilMs - Date.now()) {
			// Throw the signal's reason instead of the timer's own error.
			await wait(leftMs, undefined, { signal }).catch(() => signal.throwIfAborted());
		}
	}
}

/** Opens a stream again if it fails before its first part with an error that `failureOf` turns into a `Passing`. */
export async function* streamPersistently<Part>(
	{ persistently, failureOf }: { persistently: Persistently; failureOf(thrown: unknown): unknown },
	open: () => AsyncGenerator<Part>,
	signal: AbortSignal,
): AsyncGenerator<Part> {
	const failureNow = (thrown: unknown) => {
		signal.throwIfAborted();
		return failureOf(thrown);
	};
	const begin = async () => {
		const parts = open();
		try {
			return { first: await parts.next(), parts };
		} catch (thrown) {
			throw failureNow(thrown);
		}
	};
	const { first, parts } = await persistently(begin, signal);
	try {
		if (first.done) return;
		yield first.value;
		yield* parts;
	} catch (thrown) {
		const failure = failureNow(thrown);
		throw failure instanceof Passing ? failure.cause : failure;
	} finally {
		await parts.return(undefined);
	}
}

/** Milliseconds to wait according to `Retry-After`: seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(headers: Headers): number | undefined {
	const text = headers.get("retry-after")?.trim();
	if (!text) return undefined;
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
