import { samePlace, TAGS } from "../../base/text/noteSyntax.ts";
import type { DocumentState, ParsedDocument } from "../../core/knowledge/document.ts";
import type { TextEdit } from "../../core/knowledge/graph.ts";
import type { ShapeResult, ShapesTask } from "../../graph/shapes/validateShapes.ts";
import type { DocumentTerms, SentTerms } from "../../search/termCounts.ts";

export interface ParserOptions {
	/** Absolute path of the embedding model; without one, documents come without vectors. */
	readonly modelFolder?: string;
}

/** What can be endless for hostile files besides reading them, and what it gives. */
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

/** Result of a task. `refused` means that the user can fix the request. */
export type TaskOutcome<Name extends keyof Tasks> =
	| { readonly kind: "done"; readonly output: Tasks[Name]["output"] }
	| { readonly kind: "refused"; readonly reason: string }
	/** A bug came to light, or the time ran out: the process may not be sound any more. */
	| { readonly kind: "broken"; readonly reason: string };

export type ParserMessage =
	| { readonly kind: "ready" }
	| { readonly kind: "answer"; readonly answer: FileAnswer<SentTerms> }
	| TaskOutcome<keyof Tasks>;

export interface FileRequest {
	readonly uri: string;
	/** Absolute. */
	readonly path: string;
	/** The hash of the content that is indexed: with the same one there is nothing to do. */
	readonly knownHash?: string;
}

export interface FileFacts {
	/** SHA-256 of the bytes, hex; empty for a file that was not read. */
	readonly hash: string;
	/** Bytes; for a file that was not read, its size when it was found. */
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
			/** As in `StoredDocument`. */
			readonly vectors: Float32Array;
			readonly embedder: string | undefined;
			readonly terms: Terms;
	  };

export interface FileRenaming extends Renamed {
	readonly uri: string;
	/** As people see it. */
	readonly path: string;
	/** The text in an editor, if it differs from the disk. */
	readonly text?: string;
}

export interface Renamed {
	readonly iri: string;
	readonly to: string;
}

/** What becomes of a name: a file is also named by the places in it, and a tag by those below it. */
export function renamedIri(value: string, { iri, to }: Renamed): string | undefined {
	if (samePlace(value) === samePlace(iri)) return to;
	const isTag = iri.startsWith(TAGS);
	const isBelow = (isTag || iri.startsWith("file:")) && value.startsWith(`${iri}${isTag ? "/" : "#"}`);
	return isBelow ? to + value.slice(iri.length) : undefined;
}
