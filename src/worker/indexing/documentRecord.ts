import { basename } from "node:path";
import type { DocumentRecord, DocumentState } from "../../core/knowledge/document.ts";
import type { StoredDocument } from "../../store/port/store.ts";
import type { FoundFile } from "../files/discover.ts";
import type { FileAnswer, FileFacts } from "../parsing/readDocument.ts";

export function toStoredDocument(
	file: FoundFile,
	answer: Extract<FileAnswer, { kind: "parsed" | "leftOut" }>,
): StoredDocument {
	if (answer.kind === "leftOut") return leftOut(file, answer.state, answer.facts);
	const { document, format, vectors, embedder, terms, facts } = answer;
	const { title, passages, resources, quads, problems, extracted } = document;
	const record: DocumentRecord = {
		uri: file.uri,
		format,
		...(facts ?? factsOf(file)),
		state: { kind: "indexed" },
		title,
		passages: passages.length,
		resources: resources.length,
		quads: quads.length,
		problems,
		...(extracted && { parts: extracted.parts }),
	};
	const text = extracted && { text: extracted.text };
	return { record, passages, vectors, embedder, terms, resources, quads, ...text };
}

/** A file that says nothing, and why. */
function leftOut(file: FoundFile, state: DocumentState, facts?: FileFacts): StoredDocument {
	const record: DocumentRecord = {
		uri: file.uri,
		format: "unknown",
		...(facts ?? factsOf(file)),
		state,
		title: basename(file.path),
		passages: 0,
		resources: 0,
		quads: 0,
		problems: [],
	};
	return { record, passages: [], vectors: new Float32Array(), embedder: undefined, resources: [], quads: [] };
}

/** Whether a record still says all about a file that was found, as far as can be told without reading it. */
export function isUpToDate(
	record: DocumentRecord | undefined,
	{ size, modifiedMs, refused }: FoundFile,
): boolean {
	if (!record || record.size !== size) return false;
	if (refused) return isSameState(record.state, refused);
	// What could not be opened may be open now: permissions leave no date.
	if (record.state.kind === "failed" && record.hash === "") return false;
	return record.modifiedMs === modifiedMs;
}

/** Whether writing the second over the first would change nothing but a date. */
export function isSameRecord(before: DocumentRecord | undefined, after: DocumentRecord): boolean {
	return (
		before !== undefined &&
		before.hash === after.hash &&
		before.size === after.size &&
		isSameState(before.state, after.state)
	);
}

function isSameState(before: DocumentState, after: DocumentState): boolean {
	return before.kind === after.kind && reasonOf(before) === reasonOf(after);
}

function reasonOf(state: DocumentState): string {
	return state.kind === "indexed" ? "" : state.reason;
}

function factsOf({ size, modifiedMs }: FoundFile): FileFacts {
	return { hash: "", size, modifiedMs };
}
