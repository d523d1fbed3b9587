import type { FileAnswer } from "./readDocument.ts";

/** What the parser's thread is started with. */
export interface ThreadOptions {
	/** Absolute path of the embedding model; without one, documents come without vectors. */
	readonly modelFolder?: string;
}

/** What the parser's thread says. */
export type ThreadMessage =
	| { readonly kind: "ready" }
	| { readonly kind: "answer"; readonly answer: FileAnswer }
	/** A bug came to light: the thread may not be sound any more. */
	| { readonly kind: "broken"; readonly reason: string };
