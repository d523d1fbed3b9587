import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { isMissing } from "../../base/fileError.ts";
import { fieldOf, textOf } from "../../base/values.ts";

/** A line of a session's `events.jsonl`, of which nothing is sure but that it is of a kind that was wanted. */
export interface StoredEvent {
	readonly type: string;
	/** Milliseconds since 1970; 0 where it is not known. */
	readonly at: number;
	readonly data: unknown;
}

/**
 * The events of some kinds, oldest first. The CLI nowhere describes the file, and may be writing it: a line that is
 * not JSON is left out, and a file that is not there has no lines.
 */
export async function* readStoredEvents(
	file: string,
	types: readonly string[],
	signal?: AbortSignal,
): AsyncGenerator<StoredEvent> {
	const input = createReadStream(file, { ...(signal && { signal }) });
	const marks = types.map((type) => `"${type}"`);
	try {
		for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
			// Most bytes are of kinds that nobody wants, and need not be parsed.
			if (!marks.some((mark) => line.includes(mark))) continue;
			const event = toEvent(parse(line));
			if (types.includes(event.type)) yield event;
		}
	} catch (thrown) {
		if (!isMissing(thrown)) throw thrown;
	} finally {
		input.destroy();
	}
}

function toEvent(value: unknown): StoredEvent {
	const at = Date.parse(textOf(value, "timestamp") ?? "") || 0;
	return { type: textOf(value, "type") ?? "", at, data: fieldOf(value, "data") };
}

function parse(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
