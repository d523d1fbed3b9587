import type { Store, StoredDocument } from "../../store/port/store.ts";

/** Limits of a batch: it is written when it reaches one of them. */
const PASSAGES = 2000;
const CHARACTERS = 4_000_000;
const QUADS = 20_000;
const DOCUMENTS = 500;

/** Size of the first batch as a fraction; sizes double up to 1. Small at first, because a user may be waiting. */
const FIRST = 1 / 16;

/** A batch of this many times the normal size is written before anything else is read. */
const LARGE = 4;

/** Writes documents in batches, one at a time. While one is written, the next is gathered. */
export type BatchWriter = ReturnType<typeof createBatchWriter>;

export function createBatchWriter(write: Store["replace"]) {
	let batch: StoredDocument[] = [];
	let load = 0;
	let full = FIRST;
	let writing: Promise<void> = Promise.resolve();
	return {
		/** Adds a document. Waits if two batches are full, or until a large one is written, to limit memory. */
		add: async (document: StoredDocument) => {
			batch.push(document);
			load += loadOf(document);
			const isLarge = load >= LARGE;
			if (load >= full) await send();
			if (isLarge) await writing;
		},
		flush: async () => {
			if (batch.length > 0) await send();
			await writing;
		},
		/** Finishes the current write and drops the rest. Never rejects. */
		settle: async () => {
			batch = [];
			await writing.catch(() => undefined);
		},
	};

	async function send(): Promise<void> {
		// Loop: while this call waits, another call may start the next write.
		for (let last: Promise<void> | undefined; last !== writing; await last) last = writing;
		if (batch.length === 0) return;
		writing = write(batch);
		// The next call throws the error; until then, it must not count as unhandled.
		writing.catch(() => undefined);
		batch = [];
		load = 0;
		full = Math.min(1, 2 * full);
	}
}

function loadOf({ passages, quads }: StoredDocument): number {
	const characters = passages.reduce((sum, { text }) => sum + text.length, 0);
	return Math.max(passages.length / PASSAGES, characters / CHARACTERS, quads.length / QUADS, 1 / DOCUMENTS);
}
