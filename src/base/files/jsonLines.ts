import { constants, type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, isMissing, undefinedIfMissing } from "./file.ts";

const LINE_BREAK = 0x0a;

/** Prevents opening a symbolic link in place of one of our files, because the link could lead out of the folder. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Appends JSON lines in a single `O_APPEND` write, after ending a torn line. If durable, waits for the disk. */
export async function appendLines(
	path: string,
	values: readonly object[],
	options: { readonly durable: boolean; readonly tornMark?: string } = { durable: true },
): Promise<void> {
	const { file, isNew } = await openForAppend(path);
	try {
		const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
		const bytes = Buffer.from((await isTorn(file)) ? `${options.tornMark ?? ""}\n${lines}` : lines);
		const { bytesWritten } = await file.write(bytes);
		if (bytesWritten < bytes.length)
			throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
		if (options.durable) await file.datasync();
	} finally {
		await file.close();
	}
	if (isNew && options.durable) await syncFolder(dirname(path));
}

/** Reads complete lines in at most `most` bytes from a byte offset. A missing file has no lines. */
export async function readLines(path: string, from = 0, most = Number.POSITIVE_INFINITY) {
	const bytes = await readBytes(path, from, most);
	const lines = [];
	let start = 0;
	for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
		if (end > start)
			lines.push({ text: bytes.toString("utf8", start, end), start: from + start, end: from + end + 1 });
		start = end + 1;
	}
	// `end` is the offset to continue at; `rest` is a torn line or a line still being written.
	return { lines, end: from + start, rest: bytes.toString("utf8", start) };
}

/** Overwrites lines with spaces, because other processes read and append meanwhile. Waits for the disk. */
export async function blankLines(path: string, isUnwanted: (text: string) => boolean): Promise<void> {
	const { lines } = await readLines(path);
	const file = await open(path, constants.O_WRONLY | NO_FOLLOW);
	try {
		for (const { text, start, end } of lines)
			if (isUnwanted(text)) await file.write(Buffer.alloc(end - 1 - start, " "), 0, end - 1 - start, start);
		await file.datasync();
	} finally {
		await file.close();
	}
}

async function openForAppend(path: string): Promise<{ file: FileHandle; isNew: boolean }> {
	const flags = constants.O_RDWR | constants.O_APPEND | NO_FOLLOW;
	try {
		return { file: await open(path, flags), isNew: false };
	} catch (thrown) {
		if (!isMissing(thrown)) throw thrown;
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		return { file: await open(path, flags | constants.O_CREAT, 0o600), isNew: true };
	}
}

async function isTorn(file: FileHandle): Promise<boolean> {
	const { size } = await file.stat();
	if (size === 0) return false;
	const last = Buffer.alloc(1);
	await file.read(last, 0, 1, size - 1);
	return last[0] !== LINE_BREAK;
}

async function readBytes(path: string, from: number, most: number): Promise<Buffer> {
	const file = await open(path, constants.O_RDONLY | NO_FOLLOW).catch(undefinedIfMissing);
	if (!file) return Buffer.alloc(0);
	try {
		const end = Math.min((await file.stat()).size, from + most);
		const bytes = Buffer.alloc(Math.max(0, end - from));
		let filled = 0;
		while (filled < bytes.length) {
			const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
			if (bytesRead === 0) break;
			filled += bytesRead;
		}
		return bytes.subarray(0, filled);
	} finally {
		await file.close();
	}
}

/** Flushes a folder, so that the name of a new file persists. Systems that cannot open folders need no flush. */
async function syncFolder(path: string): Promise<void> {
	let folder: FileHandle;
	try {
		folder = await open(path, constants.O_RDONLY);
	} catch (thrown) {
		if (["EISDIR", "EPERM", "EACCES"].includes(codeOf(thrown))) return;
		throw thrown;
	}
	try {
		await folder.sync();
	} catch (thrown) {
		if (!["EINVAL", "EPERM", "ENOTSUP"].includes(codeOf(thrown))) throw thrown;
	} finally {
		await folder.close();
	}
}
