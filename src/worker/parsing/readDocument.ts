import { createHash } from "node:crypto";
import { isGone } from "../../base/files/fileError.ts";
import { readRegularFile } from "../../base/files/regularFile.ts";
import type { DocumentState, ParsedDocument } from "../../core/knowledge/document.ts";
import { formatFor } from "../../knowledge/formats.ts";
import { parseDocument } from "../../knowledge/parseDocument.ts";
import type { DocumentTerms, SentTerms } from "../../search/termCounts.ts";
import { reasonOf } from "../files/fileError.ts";
import { MAX_BYTES } from "../files/refusal.ts";
import type { PassageReader } from "./passageReader.ts";
import { withinLimits } from "./withinLimits.ts";

/** A file to read. */
export interface FileRequest {
	readonly uri: string;
	/** Absolute. */
	readonly path: string;
	/** The hash of the content that is indexed: with the same one there is nothing to do. */
	readonly knownHash?: string;
}

/** The file as it was read. */
export interface FileFacts {
	/** SHA-256 of the bytes, hex; empty for a file that was not read. */
	readonly hash: string;
	/** Bytes; of a file that was not read, those that it had when it was found. */
	readonly size: number;
	readonly modifiedMs: number;
}

/** What became of a file. */
export type FileAnswer<Terms = DocumentTerms> =
	| { readonly kind: "gone" }
	| { readonly kind: "unchanged" }
	| { readonly kind: "leftOut"; readonly state: DocumentState; readonly facts?: FileFacts }
	| {
			readonly kind: "parsed";
			readonly facts?: FileFacts;
			readonly format: string;
			readonly document: ParsedDocument;
			/** As in `StoredDocument`. */
			readonly vectors: Float32Array;
			readonly embedder: string | undefined;
			readonly terms: Terms;
	  };

/** Reads, parses and embeds one file. Never rejects for what the file is or does meanwhile. */
export async function readDocument(
	request: FileRequest,
	reader: PassageReader,
): Promise<FileAnswer<SentTerms>> {
	const reading = read(request);
	if (reading.kind !== "read") return reading;
	const { bytes, facts } = reading;
	if (facts && facts.hash === request.knownHash) return { kind: "unchanged" };
	const outcome = await parseDocument(request.uri, bytes);
	if ("skipped" in outcome) {
		return { kind: "leftOut", state: { kind: "skipped", reason: outcome.skipped }, ...(facts && { facts }) };
	}
	const { format } = outcome;
	const document = withinLimits(outcome.document);
	return {
		kind: "parsed",
		...(facts && { facts }),
		format,
		document,
		...reader.read(document.passages),
	};
}

type Reading =
	| { readonly kind: "read"; readonly bytes: Uint8Array; readonly facts?: FileFacts }
	| Extract<FileAnswer, { kind: "gone" | "leftOut" }>;

function read({ uri, path }: FileRequest): Reading {
	// The name alone will make the parser skip it: a film need not be read for that.
	if (!formatFor(uri)) return { kind: "read", bytes: new Uint8Array() };
	try {
		const { bytes, modifiedMs } = readRegularFile(path, MAX_BYTES);
		const hash = createHash("sha256").update(bytes).digest("hex");
		return { kind: "read", bytes, facts: { hash, size: bytes.length, modifiedMs } };
	} catch (thrown) {
		if (isGone(thrown)) return { kind: "gone" };
		return { kind: "leftOut", state: { kind: "failed", reason: reasonOf(thrown) } };
	}
}
