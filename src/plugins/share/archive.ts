import { Inflate, zipSync } from "fflate";
import { isFailure, messageOf } from "../../base/failure.ts";
import { checkFileNames } from "./fileNames.ts";
import { type PlainEntry, refused, zipEntries } from "./zipEntries.ts";

export type SharedFiles = ReadonlyMap<string, Uint8Array>;

/** Bytes of all files together, and how many there may be. */
const MAX_BYTES = 10_000_000;
const MAX_FILES = 300;

/** The oldest time that an archive can say. */
const NO_TIME = new Date(1980, 0, 1);

/** The same files give the same archive, so that its hash names them. */
export function packPlugin(files: SharedFiles): Uint8Array {
	checkFileNames([...files.keys()]);
	const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
	return zipSync(Object.fromEntries(sorted), { mtime: NO_TIME, level: 9 });
}

/** The files of an archive, without an outer folder that contains all of them. Throws a `Failure` that says what is wrong. */
export function unpackPlugin(bytes: Uint8Array): SharedFiles {
	const entries = zipEntries(bytes).filter(({ isFolder }) => !isFolder);
	if (entries.length > MAX_FILES) throw refused(`it has more than ${MAX_FILES} files`);
	if (entries.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
		throw refused(`it unpacks to more than ${MAX_BYTES / 1_000_000} MB`);
	checkFileNames(entries.map(({ name }) => name));
	return withoutOuterFolder(new Map(entries.map((entry) => [entry.name, unpacked(entry)])));
}

/** Packed bytes per step: they unpack to at most a thousand times as many. */
const PIECE = 1024;

/** Stops if there is more data than the archive states. */
function unpacked({ name, size, packed, isDeflated }: PlainEntry): Uint8Array {
	const whole = new Uint8Array(size);
	let filled = 0;
	const add = (piece: Uint8Array) => {
		if (filled + piece.length > size) throw refused(`“${name}” in it is larger than stated`);
		whole.set(piece, filled);
		filled += piece.length;
	};
	if (isDeflated) inflate(packed, add);
	else add(packed);
	if (filled !== size) throw refused(`“${name}” in it is damaged`);
	return whole;
}

function inflate(packed: Uint8Array, add: (piece: Uint8Array) => void): void {
	const inflating = new Inflate(add);
	try {
		for (let at = 0; at < packed.length; at += PIECE)
			inflating.push(packed.subarray(at, at + PIECE), at + PIECE >= packed.length);
	} catch (thrown) {
		if (isFailure(thrown)) throw thrown;
		throw refused(`it is damaged (${messageOf(thrown)})`);
	}
}

/** Many archives have one folder that is called as they are. */
function withoutOuterFolder(files: SharedFiles): SharedFiles {
	const outer = new Set([...files.keys()].map((name) => name.slice(0, name.indexOf("/") + 1)));
	const [folder = ""] = outer;
	if (outer.size !== 1 || folder === "") return files;
	return new Map([...files].map(([name, bytes]) => [name.slice(folder.length), bytes]));
}
