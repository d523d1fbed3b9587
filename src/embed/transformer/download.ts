import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../base/failure.ts";
import { codeOf, sizeOf } from "../../base/files/file.ts";
import { createLock } from "../../base/files/lock.ts";
import { networkReasonOf } from "../../base/http/endpointWords.ts";
import type { OfferedFile, OfferedModel } from "./offeredModels.ts";

interface Download {
	/** Absolute path of the folder with all models. */
	readonly folder: string;
	readonly report: (done: number, all: number) => void;
}

/** Downloads or resumes; the model's folder appears when complete. Rejects with a `Failure` or the signal's reason. */
export async function downloadModel(model: OfferedModel, { folder, report }: Download, signal: AbortSignal) {
	const whole = join(folder, model.name);
	const partial = `${whole}.partial`;
	await mkdir(partial, { recursive: true });
	const lock = createLock(folder);
	if (!(await lock.acquire()))
		throw new Failure("BUSY", "Another window is downloading a model. Wait until it has finished.");
	try {
		const all = sizeOfFiles(model);
		let before = 0;
		for (const file of model.files) {
			const address = model.address + file.path;
			const hear = (done: number) => report(before + done, all);
			await obtain(file, { address, path: join(partial, file.path), report: hear }, signal);
			before += file.size;
		}
		await rm(whole, { recursive: true, force: true });
		await rename(partial, whole);
	} finally {
		await lock.release();
	}
	return whole;
}

/** Bytes; sizes of small files are only upper limits. */
export function sizeOfFiles({ files }: OfferedModel): number {
	return files.reduce((sum, { size }) => sum + size, 0);
}

interface Fetching {
	readonly address: string;
	readonly path: string;
	readonly report: (done: number) => void;
}

async function obtain(file: OfferedFile, wanted: Fetching, signal: AbortSignal): Promise<void> {
	const { address, path } = wanted;
	await mkdir(dirname(path), { recursive: true });
	if ((await sizeOf(path)) > 0 && (await hashOf(path)) === file.hash) return;
	try {
		await fetchUpTo(file.size, wanted, signal);
	} catch (thrown) {
		signal.throwIfAborted();
		throw thrown instanceof Failure ? thrown : failureOf(thrown, address);
	}
	if ((await hashOf(path)) === file.hash) return;
	await rm(path);
	throw byHand(address, "What came is not the file that was offered: its checksum differs.");
}

/** Resumes a partial file if the server can. `most` is the maximum size in bytes. */
async function fetchUpTo(most: number, wanted: Fetching, signal: AbortSignal): Promise<void> {
	const { address, path, report } = wanted;
	const there = await sizeOf(path);
	const headers: Record<string, string> = there > 0 && there < most ? { range: `bytes=${there}-` } : {};
	const response = await fetch(address, { signal, headers });
	if (response.status === 416) {
		// The file is complete, but its checksum differs: starts again.
		await rm(path);
		return fetchUpTo(most, wanted, signal);
	}
	if (!response.ok || !response.body) throw byHand(address, `The server answered ${response.status}.`);
	if (/^text\/html\b/.test(response.headers.get("content-type") ?? ""))
		throw byHand(address, "A web page came in its place, perhaps to sign in to the network.");
	let done = response.status === 206 ? there : 0;
	const counted = async function* (pieces: AsyncIterable<Uint8Array>) {
		for await (const piece of pieces) {
			done += piece.length;
			if (done > most) throw byHand(address, "What came is larger than the file that was offered.");
			report(done);
			yield piece;
		}
	};
	const into = createWriteStream(path, { flags: response.status === 206 ? "a" : "w" });
	await pipeline(Readable.fromWeb(response.body), counted, into, { signal });
}

async function hashOf(path: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path), hash);
	return hash.digest("hex");
}

function failureOf(thrown: unknown, address: string): Failure {
	if (codeOf(thrown) === "ENOSPC")
		return new Failure("STORE_UNREADABLE", "The disk is full. Free up space, and download the model again.", {
			cause: thrown,
		});
	return byHand(address, `The server cannot be reached (${networkReasonOf(thrown)}).`, thrown);
}

function byHand(address: string, what: string, cause?: unknown): Failure {
	return new Failure(
		"ENDPOINT_FAILED",
		`${what} Try again later, or fetch ${address} and the files beside it by hand, and choose their folder.`,
		{ cause },
	);
}
