/** Location of the index, from the settings `copilot-LD.storage.*`. */
export interface StorageSettings {
	/** Absolute path of a folder, or an address (`s3://…`, `gs://…`, `az://…`, `db://…`); the extension's own folder if omitted. */
	readonly uri?: string;
	/** Options of the object store that are no secrets, as LanceDB names them. */
	readonly options?: Readonly<Record<string, string>>;
	readonly readOnly?: boolean;
	/** Maximum megabytes for a copy of the index in memory; a larger index is searched on the disk. */
	readonly memoryMb?: number;
}
