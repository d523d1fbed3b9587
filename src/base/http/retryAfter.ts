/** Milliseconds to wait as the header `Retry-After` says, in seconds or as a date (RFC 9110, section 10.2.3). */
export function retryAfterOf({ headers }: Pick<Response, "headers">, nowMs = Date.now()): number | undefined {
	const text = headers.get("retry-after")?.trim();
	if (!text) return undefined;
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
