import type { Store, StoredDocument } from "../../store/port/store.ts";

/** A batch is written when it reaches one of these numbers of passages, characters, quads or documents. */
const PASSAGES = 2000;
const CHARACTERS = 4_000_000;
const QUADS = 20_000;
const DOCUMENTS = 500;

/** The part of a full batch that the first one is; each later one is twice as large. Somebody may wait for the first. */
const FIRST = 1 / 16;

/** A batch as large as this many others is written before anything else is read. */
const LARGE = 4;

/** Writes documents in batches, one batch at a time; while one is written, the next is gathered. */
export type BatchWriter = ReturnType<typeof createBatchWriter>;

export function createBatchWriter(write: Store["replace"]) {
	let batch: StoredDocument[] = [];
	let load = 0;
	let full = FIRST;
	let writing: Promise<void> = Promise.resolve();
	return {
		/** Waits while two batches are full, and until a large one is written: what is in memory is bounded. */
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
		/** Lets what is being written come to its end, and drops what is not. Never rejects. */
		settle: async () => {
			batch = [];
			await writing.catch(() => undefined);
		},
	};

	async function send(): Promise<void> {
		// Two may wait for the same batch: the second waits for that of the first, too.
		for (let last: Promise<void> | undefined; last !== writing; await last) last = writing;
		if (batch.length === 0) return;
		writing = write(batch);
		// The next call rises the error; until then it is not unhandled.
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
