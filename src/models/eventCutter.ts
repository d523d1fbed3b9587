/** Cuts a stream into its events, each at the blank line that ends it, and leaves out what is only a sign of life. */
export interface EventCutter {
	/** The events that are whole now. */
	add(chunk: Uint8Array): Uint8Array[];
	/** What came after the last blank line, if it looks whole: some servers leave the last one out. */
	rest(): Uint8Array[];
	/** Bytes since the last event. */
	readonly idleBytes: number;
}

const END = /(?:\r?\n){2,}|\r{2,}/g;
const WHOLE = /[}\]]\s*$/;
/** Of what came before, as much as the beginning of a blank line can be. */
const OVERLAP = 3;

/** Bytes are kept as characters of Latin 1, one for each: such texts are put together and searched fast. */
export function createEventCutter(): EventCutter {
	let held: string[] = [];
	let idleBytes = 0;
	let tail = "";
	const hold = (text: string) => {
		held.push(text);
		idleBytes += text.length;
	};
	const take = (isWhole: (text: string) => boolean) => {
		const event = held.join("");
		held = [];
		if (!isWhole(event)) return [];
		idleBytes = 0;
		return [Buffer.from(event, "latin1")];
	};
	return {
		add: (chunk) => {
			const text = tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
			const events: Uint8Array[] = [];
			let from = tail.length;
			for (const { 0: end, index } of text.matchAll(END)) {
				hold(text.slice(from, index + end.length));
				from = index + end.length;
				events.push(...take(carriesData));
			}
			hold(text.slice(from));
			tail = text.slice(from > tail.length ? from : 0).slice(-OVERLAP);
			return events;
		},
		rest: () => take((text) => WHOLE.test(text)),
		get idleBytes() {
			return idleBytes;
		},
	};
}

function carriesData(event: string): boolean {
	return event.includes("data");
}
