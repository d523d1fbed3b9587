const LINE_BREAK = 0x0a;

/** Bytes kept at each end of a line that is too long. */
const KEPT = 4096;

export interface LineListener {
	onLine(line: string): void;
	/** Gets both ends of a line that is too long. */
	onTooLong(head: string, tail: string): void;
}

/** Splits a stream of bytes into lines. Never buffers more than one line of the limit. */
export function createBoundedLines(maxBytes: number, { onLine, onTooLong }: LineListener) {
	let held: Buffer[] = [];
	let size = 0;
	const take = (part: Buffer) => {
		held.push(part);
		size += part.length;
		if (size <= maxBytes) return;
		const line = Buffer.concat(held);
		held = [line.subarray(0, KEPT), line.subarray(-KEPT)].map((end) => Buffer.from(end));
	};
	const endLine = () => {
		const line = Buffer.concat(held);
		if (size > maxBytes) onTooLong(line.toString("utf8", 0, KEPT), line.toString("utf8", line.length - KEPT));
		else if (line.toString().trim() !== "") onLine(line.toString());
		held = [];
		size = 0;
	};
	return {
		add: (chunk: Buffer) => {
			let start = 0;
			for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
				take(chunk.subarray(start, end));
				endLine();
				start = end + 1;
			}
			take(chunk.subarray(start));
		},
	};
}
