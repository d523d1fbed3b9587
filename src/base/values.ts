/** Whether a value is an object with named fields, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldOf(value: unknown, name: string): unknown {
	return isRecord(value) ? value[name] : undefined;
}

/** A field's text; `undefined` if the field is not a string. */
export function textOf(value: unknown, name: string): string | undefined {
	const field = fieldOf(value, name);
	return typeof field === "string" ? field : undefined;
}

/** A field's finite number; `undefined` if the field is anything else. */
export function numberOf(value: unknown, name: string): number | undefined {
	const field = fieldOf(value, name);
	return typeof field === "number" && Number.isFinite(field) ? field : undefined;
}

/** A field's items; empty if the field is not a list. */
export function listOf(value: unknown, name: string): readonly unknown[] {
	const field = fieldOf(value, name);
	return Array.isArray(field) ? field : [];
}

/** Parses JSON; `undefined` if the text is invalid. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

/** Lowest index that is reached; `length` if none is. Requires all higher indexes to be reached, too. */
export function firstIndex(length: number, isReached: (index: number) => boolean): number {
	let [from, to] = [0, length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if (isReached(middle)) to = middle;
		else from = middle + 1;
	}
	return from;
}

/** Splits items into runs: each item continues the current run or begins another run. */
export function runsOf<Item>(items: Iterable<Item>, goesOn: (run: readonly Item[], item: Item) => boolean) {
	const runs: Item[][] = [];
	for (const item of items) {
		const run = runs.at(-1);
		if (run && goesOn(run, item)) run.push(item);
		else runs.push([item]);
	}
	return runs;
}

export function* batchesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
	for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
