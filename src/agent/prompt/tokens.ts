/** What a message costs beside its words. */
export const MESSAGE_TOKENS = 4;

/**
 * Tokens of a text, estimated high: counting with the model is a round trip for every piece.
 * Words of Latin script take about one token for four characters; digits, signs and other scripts more.
 */
export function estimateTokens(text: string): number {
	const dense = text.match(/[^A-Za-z\s]/g)?.length ?? 0;
	return Math.ceil((text.length - dense) / 4 + dense / 1.6);
}
