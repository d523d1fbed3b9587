import { inflateRawSync } from "node:zlib";
import { codeOf } from "../files/file.ts";

/** Unpacks what was deflated, and never more than the archive states. Throws if it is broken, or would be more. */
export function inflateEntry(packed: Uint8Array, size: number): Uint8Array {
	if (size === 0) return packed.subarray(0, 0);
	// One chunk: several would have to be joined.
	return inflateRawSync(packed, { maxOutputLength: size, chunkSize: Math.max(size, 64) });
}

/** Whether unpacking failed because there is more than the archive states. */
export function isMoreThanStated(thrown: unknown): boolean {
	return codeOf(thrown) === "ERR_BUFFER_TOO_LARGE";
}
