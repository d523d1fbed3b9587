const MAX_BYTES = 64 * 1024 * 1024;

/** Throws if the body is larger than any answer of ours. */
export async function readLimited({ body }: Response): Promise<string> {
	if (!body) return "";
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.byteLength;
		if (bytes > MAX_BYTES) throw new Error(`its answer is larger than ${MAX_BYTES / 1024 / 1024} MB`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString("utf8");
}
