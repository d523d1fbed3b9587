import { inflateRawSync } from "node:zlib";

/** Never unpacks more than the archive states. Throws if it is broken, or (`ERR_BUFFER_TOO_LARGE`) would be more. */
export function inflateEntry(packed: Uint8Array, size: number): Uint8Array {
	if (size === 0) return packed.subarray(0, 0);
	// One chunk: several would have to be joined.
	return inflateRawSync(packed, { maxOutputLength: size, chunkSize: Math.max(size, 64) });
}
