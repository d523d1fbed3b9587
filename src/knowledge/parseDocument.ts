import { messageOf } from "../base/failure.ts";
import { numeral } from "../base/text/plural.ts";
import type { ParsedDocument } from "../core/knowledge/document.ts";
import { type Format, formatFor } from "./formats.ts";
import { decodeText } from "./passages/decodeText.ts";
import { type FileOutcome, fileEndings, fileName, type SourceFile } from "./passages/format.ts";
import { countLines, only } from "./passages/lines.ts";
import { documentOfText } from "./passages/passages.ts";
import { textPieces } from "./passages/textPieces.ts";

/** A line takes more memory than its text: more are a list of numbers or a bomb. */
const MAX_LINES = 2_000_000;

/** Bytes that decide whether content is binary. */
const HEAD_BYTES = 8192;

export type ParseOutcome =
	| { readonly format: string; readonly document: ParsedDocument }
	| { readonly skipped: string };

/** Never rejects for a file's content. The caller limits its size. */
export async function parseDocument(uri: string, bytes: Uint8Array): Promise<ParseOutcome> {
	const format = formatFor(uri);
	if (!format) return { skipped: reasonFor(uri) };
	try {
		const outcome = await readAs(format, { uri, bytes });
		return "skipped" in outcome ? outcome : { format: format.id, document: outcome };
	} catch (thrown) {
		// A library gave up on hostile content: report it, and keep the other files.
		return { format: format.id, document: unreadable(uri, messageOf(thrown)) };
	}
}

async function readAs(format: Format, { uri, bytes }: SourceFile): Promise<FileOutcome> {
	if ("read" in format) return bytes.length === 0 ? { skipped: "it is empty" } : format.read({ uri, bytes });
	const isInPieces = "parsePieces" in format;
	const text = decodeText(isInPieces ? bytes.subarray(0, HEAD_BYTES) : bytes);
	if (text === undefined) return { skipped: "its content is binary" };
	if (text.length >= MAX_LINES && countLines(text) > MAX_LINES)
		return { skipped: `it has more than ${numeral(MAX_LINES)} lines` };
	return isInPieces ? format.parsePieces(uri, textPieces(bytes)) : format.parse({ uri, text });
}

function reasonFor(uri: string): string {
	const [whole, ...endings] = fileEndings(uri);
	const ending = endings.at(-1);
	return ending ? `no reader for .${ending} files` : `no reader for files named ${whole ?? ""}`.trim();
}

function unreadable(uri: string, reason: string): ParsedDocument {
	const message = `This file cannot be read: ${reason}`;
	return documentOfText(fileName(uri), [], [{ severity: "error", message, lines: only(1) }]);
}
