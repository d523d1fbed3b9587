import { access, constants } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { isGone } from "../base/files/fileError.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";
import { isRemote, type Location } from "../store/tables/location.ts";
import { createLock, type Lock } from "./indexing/lock.ts";
import { createReadersNote, type ReadersNote } from "./indexing/readersNote.ts";

/** Where the index is, and the right to write into it. */
export interface Storage {
	readonly location: Location;
	/** Absolute path of the folder on this machine for what is kept of an index far away. */
	readonly snapshotFolder?: string;
	readonly lock: Lock;
	readonly readers: ReadersNote;
	/** Why nothing may be written. */
	readonly readOnly?: string;
}

export interface StorageOptions {
	/** Absolute path of the folder that holds the index where the settings name no other place. */
	readonly dataFolder: string;
	readonly settings: StorageSettings;
	/** What this process works for, as others shall read it. */
	readonly name?: string;
	/** Options of the object store that must not stand in settings; `undefined` for none. */
	readonly credentials: (uri: string) => Promise<string | undefined>;
}

const SCHEMES = /^(?:s3|gs|az|db):\/\/./;

/** Throws where the setting names no place. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
	const { dataFolder, settings, name } = options;
	const { uri = "" } = settings;
	if (!isRemote(uri)) return openFolder(uri === "" ? dataFolder : requireAbsolute(uri), options);
	if (!SCHEMES.test(uri)) throw badPlace(uri);
	const storageOptions = { ...settings.options, ...readCredentials(await options.credentials(uri)) };
	const readOnly = settings.readOnly ? chosenReadOnly(uri) : undefined;
	return {
		location: { folder: uri, storageOptions },
		snapshotFolder: dataFolder,
		// An object store has no lock: of the programs of this workspace one writes, and LanceDB's commits keep others from doing harm.
		lock: readOnly === undefined ? createLock(dataFolder, name) : refuse(readOnly),
		readers: createReadersNote(dataFolder),
		...(readOnly !== undefined && { readOnly }),
	};
}

/** The folder on this machine that is no knowledge, wherever it lies: the index is in it. */
export function indexFolderOf({
	dataFolder,
	settings: { uri = "" },
}: Pick<StorageOptions, "dataFolder" | "settings">): string {
	return uri === "" || isRemote(uri) ? dataFolder : uri;
}

async function openFolder(folder: string, { settings, name }: StorageOptions): Promise<Storage> {
	const readOnly = settings.readOnly ? chosenReadOnly(folder) : await denialOf(folder);
	return {
		location: { folder: join(folder, "index") },
		lock: readOnly === undefined ? createLock(folder, name) : refuse(readOnly),
		readers: createReadersNote(folder),
		...(readOnly !== undefined && { readOnly }),
	};
}

function requireAbsolute(path: string): string {
	if (!isAbsolute(path)) throw badPlace(path);
	return path;
}

function badPlace(uri: string): Failure {
	return new Failure(
		"BAD_INPUT",
		`The setting copilot-ld.storage.uri is ${JSON.stringify(uri)}, but must be an absolute path or an address that begins with s3://, gs://, az://, or db://. Correct it, or clear it to store the index in the extension's own folder.`,
	);
}

function chosenReadOnly(place: string): string {
	return `The index at ${place} is opened read-only because of the setting copilot-ld.storage.readOnly: it is searched, but not updated from here.`;
}

/** A folder that is not there yet can be made. */
async function denialOf(folder: string): Promise<string | undefined> {
	try {
		await access(folder, constants.W_OK);
		return undefined;
	} catch (thrown) {
		if (isGone(thrown)) return undefined;
		return `The index at ${folder} is opened read-only, because you may not write there: it is searched, but not updated from here.`;
	}
}

/** A lock that nobody gets, for the reason that is given. */
function refuse(reason: string): Lock {
	return {
		acquire: async () => {
			throw new Failure("READ_ONLY", reason);
		},
		release: async () => undefined,
		holder: async () => undefined,
	};
}

/** `name=value`, separated by line breaks, commas or spaces. */
function readCredentials(text = ""): Record<string, string> {
	const pairs = text.split(/[\s,]+/).flatMap((pair) => {
		const [, name, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
		return name && value ? [[name, value] as const] : [];
	});
	return Object.fromEntries(pairs);
}
