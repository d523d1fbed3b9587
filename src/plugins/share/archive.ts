import { type ZippableFile, zipSync } from "fflate";
import { Failure } from "../../base/failure.ts";
import { codeOf } from "../../base/files/file.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { inflateEntry, readZipDirectory, type ZipEntry } from "../../base/zip/zipDirectory.ts";

export type SharedFiles = ReadonlyMap<string, Uint8Array>;

/** Maximum bytes of all files together. */
const MAX_BYTES = 10_000_000;
const MAX_FILES = 300;

/** Modification time of all files: the oldest time that a ZIP archive can contain. */
const NO_TIME = new Date(1980, 0, 1);

/** The system id for archives that store Unix file modes. */
const UNIX = 3;
const [PROGRAM, OTHER] = [0o100755 * 0x10000, 0o100644 * 0x10000];

/** Packs a plugin. Equal files give equal archives, so a hash of an archive identifies the files. */
export function packPlugin(files: SharedFiles, executable: ReadonlySet<string> = new Set()): Uint8Array {
	checkFileNames([...files.keys()]);
	const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
	const entries = sorted.map(([name, bytes]): [string, ZippableFile] => {
		return [name, [bytes, { os: UNIX, attrs: executable.has(name) ? PROGRAM : OTHER }]];
	});
	return zipSync(Object.fromEntries(entries), { mtime: NO_TIME, level: 9 });
}

/** Names of the archive's executable files, without the outer folder. */
export function executablesIn(bytes: Uint8Array): ReadonlySet<string> {
	return new Set(filesIn(bytes).flatMap(({ isExecutable, inner }) => (isExecutable ? [inner] : [])));
}

/** The files of an archive; `inner` is the name without an outer folder that contains all of them. */
function filesIn(bytes: Uint8Array) {
	const entries = zipEntries(bytes).filter(({ isFolder }) => !isFolder);
	// Many archives have one top folder with the archive's name.
	const [folder = "", ...others] = new Set(entries.map(({ name }) => name.slice(0, name.indexOf("/") + 1)));
	const length = others.length > 0 ? 0 : folder.length;
	return entries.map((entry) => ({ ...entry, inner: entry.name.slice(length) }));
}

/** Unpacks an archive without its outer folder. Throws a `Failure` that describes any problem. */
export function unpackPlugin(bytes: Uint8Array): SharedFiles {
	const entries = filesIn(bytes);
	if (entries.length > MAX_FILES) throw refused(`it has more than ${MAX_FILES} files`);
	if (entries.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
		throw refused(`it unpacks to more than ${MAX_BYTES / 1_000_000} MB`);
	checkFileNames(entries.map(({ name }) => name));
	return new Map(entries.map((entry) => [entry.inner, unpacked(entry)]));
}

function unpacked({ name, size, packed, isDeflated }: PlainEntry): Uint8Array {
	try {
		const whole = isDeflated ? inflateEntry(packed, size) : packed;
		if (whole.length === size) return whole;
	} catch (thrown) {
		if (codeOf(thrown) === "ERR_BUFFER_TOO_LARGE") throw refused(`“${name}” in it is larger than stated`);
	}
	throw refused(`“${name}” in it is damaged`);
}

type PlainEntry = ReturnType<typeof checked>;

const MAX_ENTRIES = 1000;
const FILE_TYPE = 0xf000;
const FILE = 0x8000;
const FOLDER = 0x4000;
const EXECUTABLE = 0o100;
const STORED = 0;
const DEFLATED = 8;

/** The checked entries of an archive. Throws a `Failure` unless all are plain files and folders. */
function zipEntries(bytes: Uint8Array): PlainEntry[] {
	const list = () => readZipDirectory(bytes);
	const { count, isLast, isWide, entries } = orRefuse(list, INCOMPLETE);
	// With trailing data or a second directory, other programs might read other files.
	if (!isLast) throw refused(INCOMPLETE);
	if (isWide) throw refused("it is larger than a plugin may be");
	if (count > MAX_ENTRIES) throw refused(`it has more than ${MAX_ENTRIES} files`);
	const plain = orRefuse(() => [...entries()], "its list is damaged").map(checked);
	// Overlapping files could unpack to far more than the archive contains.
	const packed = plain.reduce((sum, entry) => sum + entry.packed.length, 0);
	if (packed > bytes.length) throw refused("its files overlap");
	return plain;
}

const INCOMPLETE = "it is not a ZIP archive, or is incomplete";

function orRefuse<Value>(read: () => Value, why: string): Value {
	try {
		return read();
	} catch {
		throw refused(why);
	}
}

function checked({ size, packed, packedSize, method, ...entry }: ZipEntry) {
	const text = new TextDecoder("utf-8", { fatal: true });
	const name = orRefuse(() => text.decode(entry.name), "a name in it is not text");
	if (entry.isWide) throw refused("it is larger than a plugin may be");
	if (entry.isEncrypted) throw refused("it is encrypted");
	if (method !== STORED && method !== DEFLATED) throw refused("it uses an unsupported compression");
	const isFolder = name.endsWith("/");
	const type = entry.unixMode & FILE_TYPE;
	if (type !== 0 && type !== (isFolder ? FOLDER : FILE))
		throw refused("it contains a link, or something that is not a file");
	if (!entry.isThere || packed.length !== packedSize) throw refused("its list is damaged");
	const isExecutable = (entry.unixMode & EXECUTABLE) !== 0;
	return { name, size, isFolder, packed, isDeflated: method === DEFLATED, isExecutable };
}

function refused(why: string): Failure {
	return new Failure("BAD_INPUT", `The archive cannot be added: ${why}.`);
}

const MAX_LENGTH = 200;
const MAX_DEPTH = 8;

/** Device names on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\..*)?$/i;

/** Names that are forbidden on some system or refer to another file there. */
const UNSAFE = /[\\:*?"<>|\p{C}]|^\.{1,2}$|[. ]$|^ /u;

/** Names that make a folder a Git repository. Git and editors may run programs that its settings name. */
const REPOSITORY = /(?:^|\/)(?:\.git|git~\d)(?:\/|$)|(?:^|\/)HEAD$/i;

/** Throws a `Failure` unless the names are separate files within one folder on every system. */
export function checkFileNames(names: readonly string[]): void {
	const seen = new Map<string, string>();
	for (const name of names) {
		if (isUnsafe(name)) throw refusedName(`“${shown(name)}” is not a file name within the plugin`);
		if (REPOSITORY.test(name)) throw refusedName(`“${shown(name)}” is a part of a Git repository`);
		const key = name.normalize("NFC").toLowerCase();
		const other = seen.get(key);
		if (other !== undefined)
			throw refusedName(`“${shown(other)}” and “${shown(name)}” are the same file on some systems`);
		seen.set(key, name);
	}
	const both = [...seen.keys()].flatMap(foldersOf).find((folder) => seen.has(folder));
	if (both !== undefined) throw refusedName(`“${shown(both)}” is both a file and a folder`);
}

function isUnsafe(name: string): boolean {
	const parts = name.split("/");
	if (name.length > MAX_LENGTH || parts.length > MAX_DEPTH) return true;
	return parts.some((part) => part === "" || UNSAFE.test(part) || DEVICE.test(part));
}

function foldersOf(name: string): string[] {
	const parts = name.split("/").slice(0, -1);
	return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function refusedName(why: string): Failure {
	return new Failure("BAD_INPUT", `The plugin was refused: ${why}.`);
}

function shown(name: string): string {
	return visibleText(name.slice(0, MAX_LENGTH));
}
