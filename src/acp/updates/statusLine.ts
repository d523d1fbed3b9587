/** What the CLI says about its own work where its answer belongs. */
export type StatusLine =
	/** It is retrying the same request. */
	| { readonly kind: "retry"; readonly text: string; readonly isCut: boolean }
	/** The person knows this already. */
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
/** The partial answer then comes again from the start. */
const CUT = /\binterrupted\b/;
/** The path of a file that was made, and that the person has pressed cancel. */
const NOISE = /^(?:(?:\/|[A-Za-z]:[\\/]).*|Operation cancelled by user)$/;
