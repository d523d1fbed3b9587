const LINE_BREAK = 0x0a;

/** Bytes kept at each end of a line that is too long. */
const KEPT = 4096;

export interface LineListener {
	onLine(line: string): void;
	/** Gets both ends of a line that is too long. */
	onTooLong(head: string, tail: string): void;
}

/** Splits a stream of bytes into lines. Never buffers more than one line of the limit. */
export interface BoundedLines {
	add(chunk: Buffer): void;
}

export function createBoundedLines(maxBytes: number, { onLine, onTooLong }: LineListener): BoundedLines {
	let held = Buffer.alloc(0);
	let size = 0;
	let passed: { readonly head: string; tail: Buffer } | undefined;
	return {
		add: (chunk) => {
			let start = 0;
			for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
				take(chunk.subarray(start, end));
				endLine();
				start = end + 1;
			}
			take(chunk.subarray(start));
		},
	};

	function take(part: Buffer): void {
		if (!passed && size + part.length <= maxBytes) hold(part);
		else passOver(part);
	}

	function hold(part: Buffer): void {
		if (size + part.length > held.length) {
			const larger = Buffer.alloc(Math.min(maxBytes, 2 * (size + part.length)));
			held.copy(larger, 0, 0, size);
			held = larger;
		}
		size += part.copy(held, size);
	}

	function passOver(part: Buffer): void {
		const before = passed?.tail ?? held.subarray(0, size);
		const head = passed?.head ?? Buffer.concat([before, part.subarray(0, KEPT)]).toString("utf8", 0, KEPT);
		passed = { head, tail: Buffer.concat([before.subarray(-KEPT), part.subarray(-KEPT)]).subarray(-KEPT) };
		size = 0;
	}

	function endLine(): void {
		const line = passed ? "" : held.toString("utf8", 0, size);
		const tooLong = passed;
		passed = undefined;
		size = 0;
		if (tooLong) onTooLong(tooLong.head, tooLong.tail.toString());
		else if (line.trim() !== "") onLine(line);
	}
}
