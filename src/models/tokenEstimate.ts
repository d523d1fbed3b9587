import { CHARACTERS_PER_TOKEN } from "../base/text/tokenEstimate.ts";

/** Minimum estimate from which to learn. In longer prompts, tokens besides the texts hardly matter. */
const LEARNT_FROM_TOKENS = 200;
/** Bounds of the factor, because servers may omit cached tokens or count those of another model. */
const [LEAST, MOST] = [0.7, 3];

/** Estimates tokens for a model whose tokens only its server can count. Learns from the server's counts. */
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

/** Estimates tokens by script: Latin has the longest tokens, Chinese about one token per character. */
function raw(text: string): number {
	let tokens = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code < 0x250) tokens += 1 / CHARACTERS_PER_TOKEN;
		else tokens += code < 0x2e80 ? 0.5 : 1;
	}
	return tokens;
}

export const LIKELY_TOKENS = 8192;

/** Divides a window between prompt and answer. The answer gets a quarter, or `answerTokens` if that is less. */
export function shareWindow(contextTokens: number, answerTokens: number) {
	const maxOutputTokens = Math.min(answerTokens, Math.ceil(contextTokens / 4));
	return { maxInputTokens: contextTokens - maxOutputTokens, maxOutputTokens };
}
