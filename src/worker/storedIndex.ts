import { access, chmod, constants, mkdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { createIntent, isGone } from "../base/files/file.ts";
import { createLock, type Lock } from "../base/files/lock.ts";
import { rememberLast } from "../base/jobs/lazily.ts";
import type { Recorder } from "../base/traces/recorder.ts";
import type { Folder } from "../core/knowledge/knowledge.ts";
import type { IndexData } from "../core/storedData.ts";
import type { SecretQuery, WorkerOptions } from "../protocol/worker.ts";
import { openStore } from "../store/openStore.ts";
import type { EmbedderId, Reads } from "../store/port/store.ts";
import { isRemote } from "../store/tables/query.ts";
import { type Models, openModels } from "./embedding/models.ts";
import { relocate, relocationOf } from "./files/relocation.ts";
import type { SourceFiles } from "./files/sources.ts";
import { createReadersNote, type Indexer } from "./indexing/indexer.ts";
import { requireLock } from "./indexing/requireLock.ts";

export type OpenIndex = Awaited<ReturnType<typeof openIndex>>;

export interface KnowledgeBaseOptions extends WorkerOptions {
	readonly parserProgram: string;
	readonly embeddingProgram: string;
	readonly sparqlProgram: string;
	readonly secretOf: (query: SecretQuery) => Promise<string | undefined>;
	readonly recorder: Recorder;
	readonly onChange: () => void;
	readonly onError: (thrown: unknown) => void;
}

const SCHEMES = /^(?:s3|gs|az|db):\/\/./;

/** Clearing requires the write lock, and that no indexing run is in progress. */
export function createStoredIndex(
	{ dataFolder, storage }: KnowledgeBaseOptions,
	place: OpenIndex,
	indexer: Indexer,
	onChange: (uris: readonly string[]) => void,
) {
	const { store, lock, readOnly } = place;
	const chosen = storage?.uri;
	const clearing = createIntent(join(dataFolder, "clearing"));
	const erase = async () => {
		const gone = urisIn(store);
		await store.erase();
		await clearing.end();
		onChange(gone);
	};
	return {
		sizes: async () => {
			// An unreadable index can still be cleared.
			await store.refresh().catch(() => undefined);
			const [items, bytes] = [urisIn(store).length, await store.bytesOnDisk()];
			return { index: { items, bytes, ...(chosen && { place: chosen }) } };
		},
		clear: async (_: Parameters<IndexData["clear"]>[0], signal: AbortSignal) => {
			if (indexer.progress()) throw new Failure("BUSY", AT_WORK);
			await indexer.whenFree(async () => {
				signal.throwIfAborted();
				await requireLock(lock, "clear");
				await clearing.begin();
				await erase();
			});
		},
		/** Finishes clearing that a crashed process began, unless another process is writing. */
		resume: async () => {
			if (readOnly !== undefined) return;
			if ((await clearing.begunAt()) !== undefined && (await lock.acquire())) await erase();
		},
	};
}

const AT_WORK = "Files are being indexed. Wait for this to finish or cancel it, and then clear the index.";

function urisIn(store: OpenIndex["store"]): string[] {
	try {
		return [...store.documents().keys()];
	} catch {
		return [];
	}
}

/** A read-only index may come from another computer, so its files are mapped to the open folders. */
export async function openIndex(options: KnowledgeBaseOptions, sources: SourceFiles) {
	const { modelFolder, embeddingProgram, secretOf } = options;
	const { memoryMb } = options.storage ?? {};
	const { lock, readers, readOnly, ...location } = await openStorage(options);
	const models = await openModels({
		modelFolder,
		embeddingProgram,
		settings: options.embedding ?? { provider: "built-in" },
		isChosen: options.embedding !== undefined,
		isReadOnly: readOnly !== undefined,
		keyOf: (address) => secretOf({ kind: "embedding", address }),
	});
	const store = await openStore({
		...location,
		embedder: () => describe(models),
		staleness: models.staleness,
		...(readOnly !== undefined && { readOnly }),
		...(memoryMb !== undefined && { memoryBytes: memoryMb * 2 ** 20 }),
	});
	const place = { store, models, lock, readers, readOnly };
	if (readOnly === undefined) return { ...place, reads: store as Reads, notices: (): string[] => [] };
	const made = await store.folders();
	const relocateTo = rememberLast((folders: readonly Folder[]) => relocationOf(made, folders));
	const relocation = () => relocateTo(sources.folders());
	const notices = () =>
		relocation().absent.map(
			({ name }) =>
				`The index was made from the folder "${name}", which is not open here, so citations of its files cannot be opened. Open a folder with this name.`,
		);
	return { ...place, reads: relocate(store, relocation), notices };
}

/** Asks the model for its dimensions. If the model fails, the index begins without vectors, which follow later. */
async function describe({ first }: Models): Promise<EmbedderId | undefined> {
	if (!first) return undefined;
	const probe = await first.questions(["length"], new AbortController().signal).catch(() => undefined);
	return probe && { id: first.id, dimensions: probe.length };
}

async function openStorage(options: KnowledgeBaseOptions) {
	const { dataFolder, storage = {}, name } = options;
	const { uri = "" } = storage;
	await makePrivate(dataFolder);
	requirePlace(uri);
	const home = indexFolderOf(options);
	const denial = isRemote(uri) ? undefined : await denialOf(home);
	const chosen = `The index at ${uri || home} is opened read-only because of the setting copilot-LD.storage.options.readOnly: it is searched, but not updated from here.`;
	const readOnly = storage.readOnly ? chosen : denial;
	return {
		...(isRemote(uri) ? await openRemote(uri, options) : { folder: join(home, "index") }),
		// An object store has no lock of its own. This lock keeps other programs of the workspace from writing;
		// LanceDB's commits handle programs elsewhere.
		lock: readOnly === undefined ? createLock(home, name) : refuse(readOnly),
		readers: createReadersNote(home),
		readOnly,
	};
}

/** Adds secret options of the object store, which must not be in settings. */
async function openRemote(uri: string, { dataFolder, storage, secretOf }: KnowledgeBaseOptions) {
	const credentials = await secretOf({ kind: "storage", address: uri });
	const storageOptions = { ...storage?.options, ...readCredentials(credentials) };
	return { folder: uri, storageOptions, snapshotFolder: dataFolder };
}

/** Local folder of the index, which is never indexed itself. */
export function indexFolderOf({ dataFolder, storage: { uri = "" } = {} }: WorkerOptions): string {
	return uri === "" || isRemote(uri) ? dataFolder : uri;
}

/** Makes a folder private, because the index contains texts that a policy hides. */
async function makePrivate(folder: string): Promise<void> {
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		await chmod(folder, 0o700);
	} catch {
		// The error is ignored, because opening the folder reports the problem.
	}
}

function requirePlace(uri: string): void {
	if (uri === "" || isAbsolute(uri) || SCHEMES.test(uri)) return;
	throw new Failure(
		"BAD_INPUT",
		`The setting copilot-LD.storage.uri is ${JSON.stringify(uri)}, but must be an absolute path or an address that begins with s3://, gs://, az://, or db://. Correct it, or clear it to store the index in the extension's own folder.`,
	);
}

/** Returns why a folder is not writable; `undefined` if it is writable, or does not exist yet. */
async function denialOf(folder: string): Promise<string | undefined> {
	try {
		await access(folder, constants.W_OK);
		return undefined;
	} catch (thrown) {
		if (isGone(thrown)) return undefined;
		return `The index at ${folder} is opened read-only, because you may not write there: it is searched, but not updated from here.`;
	}
}

function refuse(reason: string): Lock {
	return {
		acquire: async () => {
			throw new Failure("READ_ONLY", reason);
		},
		release: async () => undefined,
		holder: async () => undefined,
	};
}

/** Parses pairs of `name=value`, separated by line breaks, commas or spaces. */
function readCredentials(text = ""): Record<string, string> {
	const pairs = text.matchAll(/([^=\s,]+)=([^\s,]+)/g);
	return Object.fromEntries(Array.from(pairs, ([, name, value]) => [name, value]));
}
