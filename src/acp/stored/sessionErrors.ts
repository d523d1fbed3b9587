import { open } from "node:fs/promises";
import { join } from "node:path";
import { fieldOf, isRecord, parseJson, textOf } from "../../base/values.ts";

/** An error as the CLI stores it; on the wire it is only a line of the answer. */
export interface SessionError {
	/** `rate_limit`, `authentication`, … */
	readonly type: string;
	readonly message: string;
}

/** The most that a turn may write between its error and its end. */
const TAIL_BYTES = 64 * 1024;

/** The last error in a session's journal since a time in milliseconds, if there is one. */
export async function lastErrorSince(folder: string, since: number): Promise<SessionError | undefined> {
	const lines = await tailOf(join(folder, "events.jsonl"));
	return lines.toReversed().flatMap((line) => toError(line, since))[0];
}

async function tailOf(file: string): Promise<string[]> {
	try {
		await using handle = await open(file);
		const { size } = await handle.stat();
		const start = Math.max(0, size - TAIL_BYTES);
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
		return buffer.toString("utf8", 0, bytesRead).split("\n");
	} catch {
		return [];
	}
}

function toError(line: string, since: number): SessionError[] {
	const event = parseJson(line);
	const at = Date.parse(textOf(event, "timestamp") ?? "");
	const data = fieldOf(event, "data");
	if (textOf(event, "type") !== "session.error" || !(at >= since) || !isRecord(data)) return [];
	return [{ type: textOf(data, "errorType") ?? "unknown", message: textOf(data, "message") ?? "" }];
}
