import { type Connection, connect, Session } from "@lancedb/lancedb";
import { Failure, messageOf } from "../core/failure.ts";
import { SECRET_VARIABLES } from "../core/secretVariables.ts";

/** Where an index is. */
export interface Location {
	/** Absolute path of a folder in which nothing else is kept, or an address: `s3://…`, `gs://…`, `az://…`, `db://…`. */
	readonly folder: string;
	/** As LanceDB and its object stores name them: `region`, `endpoint`, `access_key_id` and so on. */
	readonly storageOptions?: Readonly<Record<string, string>>;
}

/** Bytes that LanceDB may keep in memory; by itself it would take 7 GB. */
const INDEX_CACHE = 16_000_000n;
const METADATA_CACHE = 32_000_000n;

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

/** What access it was that failed. */
type Access = "open" | "write";

/** What went wrong far away cannot be mended by making the index anew; `undefined` for a folder. */
export function remoteFailureOf(cause: unknown, { folder }: Location, access: Access): Failure | undefined {
	if (!isRemote(folder) || cause instanceof Failure) return undefined;
	const words = messageOf(cause);
	if (DENIED.test(words))
		return new Failure(
			access === "open" ? "ENDPOINT_FAILED" : "READ_ONLY",
			`The index at ${folder} refuses the access. ${HOW_TO_GIVE}${access === "open" ? "" : " Or set copilot-ld.storage.readOnly (--read-only) to search only."}`,
			{ cause },
		);
	return new Failure(
		"ENDPOINT_FAILED",
		`The index at ${folder} does not answer as it should. Check the network and the settings copilot-ld.storage.*. The reason begins: ${words.slice(0, 200)}`,
		{ cause },
	);
}

const HOW_TO_GIVE = `Run "Copilot-LD: Set Storage Credentials"; for a program outside of the editor, set the variable ${SECRET_VARIABLES.storage}.`;

/** What S3, Google and Azure call it, or the status. */
const DENIED =
	/AccessDenied|PermissionDenied|Forbidden|Unauthorized|SignatureDoesNotMatch|InvalidAccessKeyId|status: 40[13]/i;
