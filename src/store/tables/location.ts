import { type Connection, connect, Session } from "@lancedb/lancedb";

/** Where an index is. */
export interface Location {
	/** Absolute path of a folder in which nothing else is kept, or an address: `s3://…`, `gs://…`, `az://…`, `db://…`. */
	readonly folder: string;
	/** As LanceDB and its object stores name them: `region`, `endpoint`, `access_key_id` and so on. */
	readonly storageOptions?: Readonly<Record<string, string>>;
}

/** Bytes that LanceDB may keep in memory; by itself it would take 7 GB, and with a tenth of this a search takes twice as long. */
const INDEX_CACHE = 200_000_000n;
const METADATA_CACHE = 64_000_000n;

/** Whether an address is none of a folder. One letter before the colon is a drive. */
export function isRemote(uri: string): boolean {
	return /^[a-z][a-z0-9+.-]+:\/\//i.test(uri);
}

/** Commits of other processes are seen at once. */
export function connectTo({ folder, storageOptions = {} }: Location): Promise<Connection> {
	const { api_key: apiKey, region } = storageOptions;
	const options = {
		readConsistencyInterval: 0,
		storageOptions: { ...storageOptions },
		...(apiKey !== undefined && { apiKey }),
		...(region !== undefined && { region }),
	};
	return connect(folder, options, new Session(INDEX_CACHE, METADATA_CACHE));
}
