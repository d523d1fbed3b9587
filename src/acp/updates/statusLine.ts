/** What the CLI says about its own work in the text of its answer. */
export type StatusLine =
	/** It is retrying the same request. */
	| { readonly kind: "retry"; readonly text: string; readonly isCut: boolean }
	/** Says what the user knows already. */
	| { readonly kind: "noise" }
	| { readonly kind: "notice"; readonly text: string }
	/** If nothing follows, it is why the turn ended. */
	| { readonly kind: "error"; readonly text: string };

/**
 * Reads a chunk of the answer that is a status line of the CLI: it comes whole and begins with its level. A model may
 * begin a sentence the same way, so lines with unknown words count only at the beginning of a new chunk of text.
 */
export function readStatusLine(chunk: string, isFresh: boolean): StatusLine | undefined {
	const match = /^(Info|Warning|Error): (.+)$/s.exec(chunk.trimEnd());
	if (!match) return undefined;
	const [, level, text = ""] = match;
	if (level === "Info" && RETRY.test(text)) return { kind: "retry", text, isCut: CUT.test(text) };
	if (!isFresh) return undefined;
	if (level === "Error") return { kind: "error", text };
	if (level === "Info" && NOISE.test(text)) return { kind: "noise" };
	return { kind: "notice", text };
}

const RETRY = /\bRetrying\.\.\.$/;
/** The partial answer then comes again from the start. */
const CUT = /\binterrupted\b/;
/** The path of a new file, and that the user has cancelled. */
const NOISE = /^(?:(?:\/|[A-Za-z]:[\\/]).*|Operation cancelled by user)$/;
