import { samePlace, TAGS } from "../../base/text/noteSyntax.ts";
import type { DocumentState, ParsedDocument } from "../../core/knowledge/document.ts";
import type { TextEdit } from "../../core/knowledge/graph.ts";
import type { ShapeResult, ShapesTask } from "../../graph/shapes/validateShapes.ts";
import type { DocumentTerms, SentTerms } from "../../search/termCounts.ts";

export interface ParserOptions {
	/** Absolute path of the embedding model; if omitted, documents get no vectors. */
	readonly modelFolder?: string;
}

/** Tasks besides reading that hostile files can make endless. */
export interface Tasks {
	readonly rename: { readonly input: FileRenaming; readonly output: readonly TextEdit[] };
	readonly shapes: { readonly input: ShapesTask; readonly output: readonly ShapeResult[] };
}

export type ParserRequest = FileRequest | AnyTask;

export interface TaskRequest<Name extends keyof Tasks> {
	readonly task: Name;
	readonly input: Tasks[Name]["input"];
}

export type AnyTask = { readonly [Name in keyof Tasks]: TaskRequest<Name> }[keyof Tasks];

/** `refused` means that the user can fix the request. */
export type TaskOutcome<Name extends keyof Tasks> =
	| { readonly kind: "done"; readonly output: Tasks[Name]["output"] }
	| { readonly kind: "refused"; readonly reason: string }
	/** An unexpected error or a timeout: the process may be in an invalid state. */
	| { readonly kind: "broken"; readonly reason: string };

export type ParserMessage =
	| { readonly kind: "ready" }
	| { readonly kind: "answer"; readonly answer: FileAnswer<SentTerms> }
	| TaskOutcome<keyof Tasks>;

export interface FileRequest {
	readonly uri: string;
	/** Absolute path. */
	readonly path: string;
	/** Hash of the indexed content. A file with this hash is answered with `unchanged`. */
	readonly knownHash?: string;
}

export interface FileFacts {
	/** SHA-256 of the bytes in hex; empty if the file was not read. */
	readonly hash: string;
	/** Size in bytes; if the file was not read, its size when it was found. */
	readonly size: number;
	readonly modifiedMs: number;
}

export type FileAnswer<Terms = DocumentTerms> =
	| { readonly kind: "gone" }
	| { readonly kind: "unchanged" }
	| { readonly kind: "leftOut"; readonly state: DocumentState; readonly facts?: FileFacts }
	| {
			readonly kind: "parsed";
			readonly facts?: FileFacts;
			readonly format: string;
			readonly document: ParsedDocument;
			/** One vector per passage, concatenated, as in `StoredDocument`. */
			readonly vectors: Float32Array;
			readonly embedder: string | undefined;
			readonly terms: Terms;
	  };

export interface FileRenaming extends Renamed {
	readonly uri: string;
	readonly path: string;
	/** The text in an editor, if the editor has unsaved changes. */
	readonly text?: string;
}

export interface Renamed {
	readonly iri: string;
	readonly to: string;
}

/**
 * Returns the new value of a name; `undefined` if the name does not change. A renamed file also renames places in
 * the file, and a renamed tag the tags below it.
 */
export function renamedIri(value: string, { iri, to }: Renamed): string | undefined {
	if (samePlace(value) === samePlace(iri)) return to;
	const isTag = iri.startsWith(TAGS);
	const isBelow = (isTag || iri.startsWith("file:")) && value.startsWith(`${iri}${isTag ? "/" : "#"}`);
	return isBelow ? to + value.slice(iri.length) : undefined;
}
