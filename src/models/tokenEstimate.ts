import { CHARACTERS_PER_TOKEN } from "../base/text/tokenEstimate.ts";

/** A prompt is more than its texts; from this length on, that no longer matters. */
const LEARNT_FROM_TOKENS = 200;
/** What a server counts without its prompt cache, or with another model's tokens, teaches nothing beyond these. */
const [LEAST, MOST] = [0.7, 3];

/** Estimates tokens for a model whose server alone can count them, corrected by what the server counted. */
export function createTokenEstimate() {
	let factor = 1;
	return {
		of: (text: string) => Math.ceil(raw(text) * factor),
		learn: (texts: readonly string[], tokens: number) => {
			const estimated = texts.reduce((sum, text) => sum + raw(text), 0);
			if (estimated < LEARNT_FROM_TOKENS || tokens <= 0) return;
			factor = Math.min(MOST, Math.max(LEAST, tokens / estimated));
		},
	};
}

/** Scripts other than Latin have shorter tokens; a Chinese character is about one. */
function raw(text: string): number {
	let tokens = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code < 0x250) tokens += 1 / CHARACTERS_PER_TOKEN;
		else tokens += code < 0x2e80 ? 0.5 : 1;
	}
	return tokens;
}

/** Assumed token limit of a model for one request, if its server does not say. */
export const LIKELY_TOKENS = 8192;

/** How a window is shared between the prompt and the answer, which gets a quarter and no more than its limit. */
export function shareWindow(contextTokens: number, answerTokens: number) {
	const maxOutputTokens = Math.min(answerTokens, Math.ceil(contextTokens / 4));
	return { maxInputTokens: contextTokens - maxOutputTokens, maxOutputTokens };
}
