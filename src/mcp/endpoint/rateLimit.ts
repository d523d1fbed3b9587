/** A token bucket for every caller (Turner 1986, "New directions in communications"). */
export interface RateLimit {
	/** Takes one token. Returns the seconds until the next one, or 0 if the call may go on. */
	take(caller: string): number;
	forget(caller: string): void;
}

export interface RateLimitOptions {
	/** Calls that may come at once. */
	readonly burst: number;
	/** Calls that each second makes room for. */
	readonly perSecond: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}

interface Bucket {
	tokens: number;
	/** When the tokens were counted. */
	at: number;
}

export function createRateLimit({ burst, perSecond, now }: RateLimitOptions): RateLimit {
	const buckets = new Map<string, Bucket>();
	return {
		take: (caller) => {
			const at = now();
			const last = buckets.get(caller) ?? { tokens: burst, at };
			// A clock that was set back must not take tokens away.
			const gained = (Math.max(0, at - last.at) / 1000) * perSecond;
			const tokens = Math.min(burst, last.tokens + gained);
			const isFree = tokens >= 1;
			buckets.set(caller, { tokens: isFree ? tokens - 1 : tokens, at });
			return isFree ? 0 : Math.ceil((1 - tokens) / perSecond);
		},
		forget: (caller) => void buckets.delete(caller),
	};
}
