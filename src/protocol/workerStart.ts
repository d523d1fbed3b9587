/**
 * The worker's environment. Few query threads are as fast on a small machine, and leave the others to the editor; LanceDB
 * warns of what is normal, as docs/experiments.md explains; and glibc keeps what it was given back for each thread apart,
 * a tenth of the memory over a large index.
 */
export const WORKER_ENVIRONMENT = {
	TOKIO_WORKER_THREADS: "2",
	LANCE_CPU_THREADS: "2",
	LANCEDB_LOG: "error",
	MALLOC_ARENA_MAX: "2",
};

/**
 * V8 would let the part of its heap for new objects grow to 128 MB and never shrink; a quarter of that takes no more time.
 * Beginning with it saves a twelfth of the time to the first answer after opening 100,000 passages.
 */
export const WORKER_FLAGS = ["--min-semi-space-size=16", "--max-semi-space-size=16"];
