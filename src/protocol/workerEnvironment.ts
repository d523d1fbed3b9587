/**
 * The worker's environment. Few query threads are as fast on a small machine, and leave the others to the editor; LanceDB
 * warns of what is normal.
 */
export const WORKER_ENVIRONMENT = {
	TOKIO_WORKER_THREADS: "2",
	LANCE_CPU_THREADS: "2",
	LANCEDB_LOG: "error",
};
