/** Where the index is kept, as the settings `copilot-ld.storage.*` say. */
export interface StorageSettings {
	/** Absolute path of a folder, or an address (`s3://…`, `gs://…`, `az://…`, `db://…`); the extension's own folder if omitted. */
	readonly uri?: string;
	/** Options of the object store that are no secrets, as LanceDB names them. */
	readonly options?: Readonly<Record<string, string>>;
	readonly readOnly?: boolean;
	/** Megabytes that a copy of the index may take in memory; a larger index is searched where it lies. */
	readonly memoryMb?: number;
}
