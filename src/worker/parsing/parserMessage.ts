import type { SentTerms } from "../../search/termCounts.ts";
import type { FileAnswer } from "./readDocument.ts";

/** What the parser's process is started with. */
export interface ParserOptions {
	/** Absolute path of the embedding model; without one, documents come without vectors. */
	readonly modelFolder?: string;
}

/** What the parser's process says. */
export type ParserMessage =
	| { readonly kind: "ready" }
	| { readonly kind: "answer"; readonly answer: FileAnswer<SentTerms> }
	/** A bug came to light: the process may not be sound any more. */
	| { readonly kind: "broken"; readonly reason: string };
