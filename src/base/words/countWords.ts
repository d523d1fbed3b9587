export const WORD = /[\p{L}\p{N}]+/gu;

export function countWords(text: string): number {
	return text.match(WORD)?.length ?? 0;
}
