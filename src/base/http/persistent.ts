import { setTimeout as wait } from "node:timers/promises";

export interface Patience {
	readonly tries: number;
	/** Milliseconds before the second try, about; they double with every further one. */
	readonly firstWaitMs: number;
	/** If the endpoint asks for a longer pause, the request fails; the caller may try again later. */
	readonly longestWaitMs: number;
}

/** A failed request. A retry may succeed, after this many milliseconds if the endpoint says so. */
export interface Failed {
	readonly kind: "failed";
	readonly mayRetry: boolean;
	readonly failure: unknown;
	readonly waitMs?: number;
}

/** A request that is sent again while that may help. What makes one wait makes the others wait too: they would only add to the load. */
export type Persistently = <Outcome extends { readonly kind: string }>(
	send: () => Promise<Outcome | Failed>,
	signal: AbortSignal,
) => Promise<Exclude<Outcome, Failed>>;

/** Exponential backoff with jitter (the upper half of each wait is random); the endpoint's `Retry-After` goes first. */
export function createPersistently({ tries, firstWaitMs, longestWaitMs }: Patience): Persistently {
	let restingUntilMs = 0;
	return async <Outcome extends { readonly kind: string }>(
		send: () => Promise<Outcome | Failed>,
		signal: AbortSignal,
	) => {
		for (let attempt = 1; ; attempt++) {
			await rest(signal);
			const outcome = await send();
			if (!isFailed(outcome)) return outcome as Exclude<Outcome, Failed>;
			const backoffMs = firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
			const waitMs = outcome.waitMs ?? Math.min(backoffMs, longestWaitMs);
			if (!outcome.mayRetry || attempt >= tries || waitMs > longestWaitMs) throw outcome.failure;
			restingUntilMs = Math.max(restingUntilMs, Date.now() + waitMs);
		}
	};

	async function rest(signal: AbortSignal): Promise<void> {
		for (let leftMs = restingUntilMs - Date.now(); leftMs > 0; leftMs = restingUntilMs - Date.now()) {
			// The timer's own error would hide the signal's reason.
			await wait(leftMs, undefined, { signal }).catch(() => signal.throwIfAborted());
		}
	}
}

function isFailed(outcome: { readonly kind: string }): outcome is Failed {
	return outcome.kind === "failed";
}

interface StreamPorts {
	readonly persistently: Persistently;
	/** Classifies an error of the stream. After the first part, only its `failure` matters. */
	failedOf(thrown: unknown): Failed;
}

/** A stream that is opened again if it fails before its first part and a retry may help. */
export async function* streamPersistently<Part>(
	{ persistently, failedOf }: StreamPorts,
	open: () => AsyncGenerator<Part>,
	signal: AbortSignal,
): AsyncGenerator<Part> {
	const begin = async () => {
		const parts = open();
		try {
			return { kind: "opened", first: await parts.next(), parts } as const;
		} catch (thrown) {
			signal.throwIfAborted();
			return failedOf(thrown);
		}
	};
	const { first, parts } = await persistently(begin, signal);
	try {
		if (first.done) return;
		yield first.value;
		yield* parts;
	} catch (thrown) {
		signal.throwIfAborted();
		throw failedOf(thrown).failure;
	} finally {
		await parts.return(undefined);
	}
}

/** Milliseconds to wait as the header `Retry-After` says, in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(headers: Headers, nowMs = Date.now()): number | undefined {
	const text = headers.get("retry-after")?.trim();
	if (!text) return undefined;
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
