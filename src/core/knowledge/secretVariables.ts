/** Environment variables with secrets, which must not be in settings or on a command line. */
export const SECRET_VARIABLES = {
	/** Options of the object store, as `name=value`. */
	storage: "COPILOT_LD_STORAGE_CREDENTIALS",
	embedding: "COPILOT_LD_EMBEDDING_KEY",
	/** API key of the server whose model answers and judges tests. */
	model: "COPILOT_LD_MODEL_KEY",
} as const;
