/** What a model is taken to read and write in one request where its server does not say. */
export const LIKELY_TOKENS = 8192;
/** Kept free for the answer: a quarter of the window, and no more than an answer needs. */
const ANSWER_TOKENS = 4096;

/** How a window is shared between the prompt and the answer. */
export function shareWindow(contextTokens: number): { maxInputTokens: number; maxOutputTokens: number } {
	const maxOutputTokens = Math.min(ANSWER_TOKENS, Math.ceil(contextTokens / 4));
	return { maxInputTokens: contextTokens - maxOutputTokens, maxOutputTokens };
}
