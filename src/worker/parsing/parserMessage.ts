import type { TextEdit } from "../../core/knowledge/things.ts";
import type { ShapeResult, ShapesTask } from "../../graph/shapes/shapesTask.ts";
import type { SentTerms } from "../../search/termCounts.ts";
import type { FileAnswer, FileRequest } from "./readDocument.ts";
import type { FileRenaming } from "./renameInFile.ts";

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

/** What became of a task. What a person can mend in their wish is `refused`. */
export type TaskOutcome<Name extends keyof Tasks> =
	| { readonly kind: "done"; readonly output: Tasks[Name]["output"] }
	| { readonly kind: "refused"; readonly reason: string }
	| BrokenMessage;

/** A bug came to light, or the time ran out: the process may not be sound any more. */
interface BrokenMessage {
	readonly kind: "broken";
	readonly reason: string;
}

export type ParserMessage =
	| { readonly kind: "ready" }
	| { readonly kind: "answer"; readonly answer: FileAnswer<SentTerms> }
	| TaskOutcome<keyof Tasks>;
