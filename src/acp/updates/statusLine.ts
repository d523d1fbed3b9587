/** What the CLI says about its work in the place of the answer. */
export type StatusLine =
	/** It tries the same request again. */
	| { readonly kind: "retry"; readonly text: string; readonly isCut: boolean }
	/** What the person knows already. */
	| { readonly kind: "noise" }
	| { readonly kind: "notice"; readonly text: string }
	/** If nothing follows, it is why the turn ended. */
	| { readonly kind: "error"; readonly text: string };

/**
 * Reads a chunk of the answer that is a status line of the CLI: it comes whole and begins with its level. A model
 * may begin a sentence the same way, so lines of unknown words count only where a new chunk of text begins.
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
/** The partial answer comes again from its beginning then. */
const CUT = /\binterrupted\b/;
/** The path of a file that was made, and that the person has pressed cancel. */
const NOISE = /^(?:(?:\/|[A-Za-z]:[\\/]).*|Operation cancelled by user)$/;
