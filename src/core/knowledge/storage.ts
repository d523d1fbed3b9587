/** Values of the settings `copilot-LD.storage.*`. */
export interface StorageSettings {
	/** Absolute path or URL (`s3://…`, `gs://…`, `az://…`, `db://…`); defaults to the extension's folder. */
	readonly uri?: string;
	/** Non-secret options of the object store, named as in LanceDB. */
	readonly options?: Readonly<Record<string, string>>;
	readonly readOnly?: boolean;
	/** Maximum megabytes for an in-memory copy of the index; a larger index is searched on disk. */
	readonly memoryMb?: number;
}
