import { type Connection, connect, type Table as LanceTable, Session } from "@lancedb/lancedb";
import type { Table } from "apache-arrow";
import { Failure, messageOf } from "../../base/failure.ts";
import { endsWithin } from "../../base/jobs/untilAborted.ts";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";

export interface Location {
	/** Absolute path of a folder for the index alone, or an address: `s3://…`, `gs://…`, `az://…`, `db://…`. */
	readonly folder: string;
	/** Options of LanceDB and its object stores: `region`, `endpoint`, `access_key_id` and so on. */
	readonly storageOptions?: Readonly<Record<string, string>>;
	readonly memoryBytes?: number;
}

/** Size in bytes of LanceDB's indexes of 1,000,000 passages. With a smaller cache, searches reread the indexes. */
const LEAST_INDEX_CACHE = 300_000_000;
/** Size in bytes. LanceDB's defaults are 1 GB for metadata, and 6 GB for indexes. */
const METADATA_CACHE = 64_000_000n;

/** Whether an index is at an address. A single letter before the colon is a drive of Windows. */
export function isRemote(uri: string): boolean {
	return /^[a-z][a-z0-9+.-]+:\/\//i.test(uri);
}

/** Connects so that commits of other processes are visible at once. The session limits LanceDB's caches. */
export function connectTo(location: Location): Promise<Connection> {
	const { folder, storageOptions = {}, memoryBytes = 0 } = location;
	const bytes = Math.min(Math.max(LEAST_INDEX_CACHE, Math.ceil(memoryBytes)), Number.MAX_SAFE_INTEGER);
	const { api_key: apiKey, region } = storageOptions;
	return connect(folder, {
		readConsistencyInterval: 0,
		// Passed as an option, because LanceDB ignores the separate parameter if there is a session.
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

export async function openIfThere(location: Location, name: string): Promise<LanceTable | undefined> {
	const connection = await connectTo(location);
	return (await connection.tableNames()).includes(name) ? connection.openTable(name) : undefined;
}

/** Converts errors of LanceDB to a `Failure` that says what the user can do. */
export async function readIndex<Result>(step: () => Promise<Result>): Promise<Result> {
	try {
		return await step();
	} catch (cause) {
		throw toUnreadable(cause);
	}
}

export function toUnreadable(cause: unknown): Failure {
	if (cause instanceof Failure) return cause;
	const [reason = ""] = messageOf(cause).split("\n");
	const message = `The index cannot be read (${reason}). Run "Copilot-LD: Rebuild Index".`;
	return new Failure("STORE_UNREADABLE", message, { cause });
}

export function runQuery(query: { toArrow(): Promise<Table> }): Promise<Table> {
	return readIndex(() => query.toArrow());
}

export function quote(value: string): string {
	return `'${value.replaceAll("'", "''")}'`;
}

/** Expects numbers, or literals that are already quoted. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
	return values.length > 0 ? `${column} IN (${values.join(", ")})` : "false";
}

const MOST_TRIES = 5;

const CONFLICT = /Retryable commit conflict|Incompatible transaction/;

/** Writes to a table. If another process committed first, tries again on top of that commit. */
export async function commit<Result>(table: LanceTable, write: () => Promise<Result>): Promise<Result> {
	for (let tries = 1; ; tries++) {
		try {
			return await write();
		} catch (error) {
			if (tries === MOST_TRIES || !CONFLICT.test(messageOf(error))) throw error;
			await table.checkoutLatest();
		}
	}
}

/** Milliseconds for which outdated files are kept for running queries. */
const GRACE_MS = 10_000;

/** Adds new rows to the indexes, and frees space. Resolves to the milliseconds after which more can be freed. */
export async function optimizeTable(table: LanceTable): Promise<number | undefined> {
	try {
		await commit(table, () => table.optimize({ cleanupOlderThan: new Date(Date.now() - GRACE_MS) }));
	} catch (thrown) {
		// LanceDB Cloud optimizes tables itself.
		if (/not supported on LanceDB cloud/i.test(messageOf(thrown))) return undefined;
		throw thrown;
	}
	return (await table.listVersions()).length > 1 ? GRACE_MS : undefined;
}

/** Maximum milliseconds until an address first answers: LanceDB would retry for minutes. */
const ANSWER_MS = 15_000;

const NEEDS: Readonly<Record<string, { readonly option: string; readonly secrets?: string }>> = {
	s3: { option: `"region"`, secrets: "access_key_id=… and secret_access_key=…" },
	gs: { option: `"google_service_account", the path of a readable key file,` },
	az: { option: `"account_name"`, secrets: "account_key=…" },
	db: { option: `"region"`, secrets: "api_key=…" },
};

const LACKING =
	/account name|api_key or oauth_config|resolve region|AWS credentials|TokenRequest|credential error|Invalid Access Key|CredentialsNotLoaded/i;

/** Messages or statuses by which S3, Google and Azure deny access. */
const DENIED =
	/AccessDenied|PermissionDenied|Forbidden|Unauthorized|SignatureDoesNotMatch|InvalidAccessKeyId|status: 40[13]/i;

/** Returns a failure for a remote index, which rebuilding would not fix; `undefined` for a folder. */
export function remoteFailureOf(cause: unknown, { folder }: Location, access: "open" | "write") {
	if (!isRemote(folder) || cause instanceof Failure) return undefined;
	const words = messageOf(cause);
	const lacking = `The index at ${folder} cannot be opened without its credentials. ${howToGive(folder)}`;
	const denied = `The index at ${folder} denied access. ${howToGive(folder)}${access === "open" ? "" : " Or set copilot-LD.storage.options.readOnly (--read-only) to search only."}`;
	const odd = `The index at ${folder} does not answer as expected. Check the network and the settings copilot-LD.storage.*. The reason begins: ${words.slice(0, 200)}`;
	if (LACKING.test(words)) return new Failure("ENDPOINT_FAILED", lacking, { cause });
	if (!DENIED.test(words)) return new Failure("ENDPOINT_FAILED", odd, { cause });
	return new Failure(access === "open" ? "ENDPOINT_FAILED" : "READ_ONLY", denied, { cause });
}

function howToGive(folder: string): string {
	const { option, secrets } = NEEDS[folder.slice(0, folder.indexOf(":")).toLowerCase()] ?? {};
	const setting = `Enter the option ${option} in the setting copilot-LD.storage.options (--storage-option)`;
	if (!secrets) return `${setting}.`;
	return `${setting}, and ${secrets} with "Copilot-LD: Set Storage Credentials"; a program outside of the editor reads these from the variable ${SECRET_VARIABLES.storage}.`;
}

/** Fails with ENDPOINT_FAILED if an address does not answer in time; a folder has no limit. */
export async function answered<Result>({ folder }: Location, asking: Promise<Result>): Promise<Result> {
	if (!isRemote(folder) || (await endsWithin(asking, ANSWER_MS))) return asking;
	const message = `The index at ${folder} did not answer within ${ANSWER_MS / 1000} s. Check the network and the settings copilot-LD.storage.*. ${howToGive(folder)}`;
	throw new Failure("ENDPOINT_FAILED", message);
}
