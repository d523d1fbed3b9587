import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { isMissing } from "../../base/files/fileError.ts";
import { fieldOf, parseJson, textOf } from "../../base/values.ts";

/** A line of a session's `events.jsonl`. Nothing is certain about it except its kind. */
export interface StoredEvent {
	readonly type: string;
	/** Milliseconds since 1970; 0 if unknown. */
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
			// Most bytes are of other kinds, and need no parsing.
			if (!marks.some((mark) => line.includes(mark))) continue;
			const event = toEvent(parseJson(line));
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
