import type { Latency } from "./timing.ts";

/** What one program of the benchmark found out about one engine that holds so many passages. */
export interface SearchMeasurement extends Latency {
	readonly engine: string;
	readonly by: "text" | "vector" | "both" | "all legs";
	readonly size: number;
	readonly buildSeconds: number;
	readonly residentMb: number;
}

/** The same for ours, which has more to answer for. */
export interface OwnMeasurement extends SearchMeasurement {
	/** Of the ten nearest vectors by a full scan, the share that the vector leg finds among its first ten. */
	readonly recall: number;
	/** Milliseconds from opening what is on the disk to the first answer. */
	readonly reopenMs: number;
	/** Searches while documents are being replaced. */
	readonly whileWriting: Latency;
	/** Absent above the size up to which documents are edited one by one. */
	readonly edits?: EditMeasurement;
}

export interface EditMeasurement {
	readonly documents: number;
	/** Milliseconds to replace one document. */
	readonly replace: Latency;
	/** Searches before the edits and after them. */
	readonly before: Latency;
	readonly after: Latency;
	/** Bytes on the disk, in shares of what a fresh index of the same passages takes. */
	readonly diskShare: number;
}

/** A folder of files through the worker, over its pipe. */
export interface FilesMeasurement {
	readonly name: string;
	readonly files: number;
	readonly passages: number;
	readonly indexSeconds: number;
	/** From the start of the process to the end of the first search of the new index. */
	readonly firstAnswerSeconds: number;
	readonly peakMb: number;
	readonly search: Latency;
	/** The same searches inside of one process, without a pipe. */
	readonly withoutPipe: Latency;
	readonly whileIndexing: Latency;
	/** From the start of a second process, over unchanged files, to the first answer. */
	readonly reopenMs: number;
	/** From a file's save to its being found. */
	readonly editMs: Latency;
}
