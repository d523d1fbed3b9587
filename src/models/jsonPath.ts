/** The value at a path in a server's answer, if there is one. */
export function valueAt(json: unknown, ...path: readonly string[]): unknown {
	let value = json;
	for (const name of path) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
		value = (value as Record<string, unknown>)[name];
	}
	return value;
}

/** A positive integer. */
export function numberAt(json: unknown, ...path: readonly string[]): number | undefined {
	const value = valueAt(json, ...path);
	return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

export function textsAt(json: unknown, ...path: readonly string[]): string[] | undefined {
	const value = valueAt(json, ...path);
	return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}
