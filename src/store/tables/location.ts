import { type Connection, connect, Session } from "@lancedb/lancedb";

export interface Location {
	/** Absolute path of a folder in which nothing else is kept, or an address: `s3://…`, `gs://…`, `az://…`, `db://…`. */
	readonly folder: string;
	/** As LanceDB and its object stores name them: `region`, `endpoint`, `access_key_id` and so on. */
	readonly storageOptions?: Readonly<Record<string, string>>;
	readonly memoryBytes?: number;
}

/** Size of LanceDB's indexes of 1,000,000 passages; with a smaller cache, searches read them again and again. */
const LEAST_INDEX_CACHE = 300_000_000;
/** By itself LanceDB would take 6 GB for indexes and 1 GB for this. */
const METADATA_CACHE = 64_000_000n;

/** Whether an address is not a folder. One letter before the colon is a drive. */
export function isRemote(uri: string): boolean {
	return /^[a-z][a-z0-9+.-]+:\/\//i.test(uri);
}

/** Commits of other processes are seen at once. What LanceDB holds in memory is bounded by its session. */
export function connectTo(location: Location): Promise<Connection> {
	const { folder, storageOptions = {}, memoryBytes = 0 } = location;
	const bytes = Math.min(Math.max(LEAST_INDEX_CACHE, Math.ceil(memoryBytes)), Number.MAX_SAFE_INTEGER);
	const { api_key: apiKey, region } = storageOptions;
	return connect(folder, {
		readConsistencyInterval: 0,
		// As an option, because LanceDB ignores a session in its own parameter.
		session: new Session(BigInt(bytes), METADATA_CACHE),
		storageOptions: { ...storageOptions },
		...(apiKey !== undefined && { apiKey }),
		...(region !== undefined && { region }),
	});
}

export async function dropTable(location: Location, name: string): Promise<void> {
	const connection = await connectTo(location);
	if ((await connection.tableNames()).includes(name)) await connection.dropTable(name);
}
