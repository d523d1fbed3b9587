import type { Store, StoredDocument } from "../../store/port/store.ts";

/** A batch is written when it reaches one of these limits. */
const PASSAGES = 2000;
const CHARACTERS = 4_000_000;
const QUADS = 20_000;
const DOCUMENTS = 500;

/** Size of the first batch as a fraction of the limits: a user may be waiting. Sizes double up to the limits. */
const FIRST = 1 / 16;

/** A batch of this many times the limits is written before another document is read. */
const LARGE = 4;

export type BatchWriter = ReturnType<typeof createBatchWriter>;

export function createBatchWriter(write: Store["replace"]) {
	let batch: StoredDocument[] = [];
	let load = 0;
	let full = FIRST;
	let writing: Promise<void> = Promise.resolve();
	return {
		/** Waits if two batches are full, or until a large batch is written, to limit memory. */
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
		/** Waits for the current write and drops all other documents. Never rejects. */
		settle: async () => {
			batch = [];
			await writing.catch(() => undefined);
		},
	};

	async function send(): Promise<void> {
		// Loop, because another call may start a write while this call waits.
		for (let last: Promise<void> | undefined; last !== writing; await last) last = writing;
		if (batch.length === 0) return;
		writing = write(batch);
		// The next call throws the error; until then, the rejection must not count as unhandled.
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
