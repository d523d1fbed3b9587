import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../failure.ts";
import { readRegularFile } from "./file.ts";

/** Limits that folders written by hand do not exceed. */
const MAX_FILES = 300;
const MAX_FILE = 2_000_000;
const MAX_BYTES = 10_000_000;
const MAX_DEPTH = 8;

type FoundFile = ReturnType<typeof fileAt>;

/** Bytes of a small folder's files by relative path with slashes. Throws a `Failure` for a link or a large folder. */
export function readFolder(folder: string): Map<string, Uint8Array> {
	return read(folder, filesIn(folder));
}

export function executablesAmong(folder: string, names: Iterable<string>): ReadonlySet<string> {
	return new Set([...names].filter((name) => (lstatSync(join(folder, name)).mode & 0o100) !== 0));
}

export interface FolderDigest {
	readonly digest: string;
	/** Metadata of all files; an equal state means an equal digest. Empty if changes could go unnoticed. */
	readonly state: string;
}

export type FolderLook = NonNullable<ReturnType<typeof lookAtFolder>>;

/** Digest of a folder's names and bytes; `undefined` if the folder is unreadable. Omits `files` if nothing changed. */
export function lookAtFolder(folder: string, before?: FolderDigest) {
	try {
		const found = filesIn(folder);
		const state = stateOf(found);
		if (state !== "" && before?.state === state) return { folder: before };
		const files = read(folder, found);
		return { folder: { digest: digestFiles(files), state }, files };
	} catch {
		return undefined;
	}
}

/** File systems have coarse clocks: two changes within this time can have the same time stamp. */
const TICK_MS = 50;

function stateOf(found: readonly FoundFile[]): string {
	const settled = Date.now() - TICK_MS;
	if (found.some(({ changedMs }) => changedMs > settled)) return "";
	return JSON.stringify(found.map(({ name, state }) => [name, state]));
}

function digestFiles(files: ReadonlyMap<string, Uint8Array>): string {
	const hash = createHash("sha256");
	for (const [name, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
		hash.update(JSON.stringify([name, bytes.length])).update(bytes);
	return hash.digest("hex");
}

function read(folder: string, found: readonly FoundFile[]): Map<string, Uint8Array> {
	return new Map(found.map(({ name }) => [name, readRegularFile(join(folder, name), MAX_FILE).bytes]));
}

function filesIn(folder: string): FoundFile[] {
	const found: FoundFile[] = [];
	const folders = [""];
	for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
		const { inner, files } = listed(folder, at);
		folders.push(...inner);
		found.push(...files.map((name) => fileAt(folder, name)));
		if (found.length + folders.length > MAX_FILES || at.split("/").length > MAX_DEPTH) throw tooMuch(folder);
	}
	if (found.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) throw tooMuch(folder);
	return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Relative paths of the subfolders, each with a trailing slash, and of the files in one folder. */
function listed(folder: string, at: string): { readonly inner: string[]; readonly files: string[] } {
	// The history of a Git clone is not part of the folder.
	const found = readdirSync(join(folder, at), { withFileTypes: true }).filter(({ name }) => name !== ".git");
	const { inner = [], files = [] } = Object.groupBy(found, (one) => (one.isDirectory() ? "inner" : "files"));
	return { inner: inner.map(({ name }) => `${at}${name}/`), files: files.map(({ name }) => at + name) };
}

/** `name` is the relative path with slashes; `state` changes with every change of the file. */
function fileAt(folder: string, name: string) {
	const stats = lstatSync(join(folder, name), { bigint: true });
	if (!stats.isFile())
		throw new Failure("BAD_INPUT", `“${name}” in ${folder} is a link, or is not a file. Remove it first.`);
	const { ino, size, mtimeNs, ctimeNs } = stats;
	const state = [ino, size, mtimeNs, ctimeNs].join();
	return { name, state, changedMs: Number(ctimeNs / 1_000_000n), size: Number(size) };
}

function tooMuch(folder: string): Failure {
	const message = `${folder} is too large for a plugin. Reduce it to ${MAX_FILES} files with ${MAX_BYTES / 1_000_000} MB in total.`;
	return new Failure("BAD_INPUT", message);
}
