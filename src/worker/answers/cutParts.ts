import type { ReadPart, ReadResult } from "../../core/knowledge/knowledge.ts";

/** The first parts, within a limit in characters. The last is cut after a line, so that its lines are exactly those shown. */
export function cutParts(
	parts: readonly ReadPart[],
	maxCharacters: number,
): Pick<ReadResult, "parts" | "totalCharacters" | "truncated"> {
	const totalCharacters = parts.reduce((sum, { text }) => sum + text.length, 0);
	if (totalCharacters <= maxCharacters) return { parts, totalCharacters, truncated: false };
	const shown: ReadPart[] = [];
	let left = maxCharacters;
	for (const part of parts) {
		if (left <= 0) break;
		const cut = cutPart(part, left);
		shown.push(cut);
		left -= cut.text.length;
		if (cut !== part) break;
	}
	return { parts: shown, totalCharacters, truncated: true };
}

function cutPart(part: ReadPart, maxCharacters: number): ReadPart {
	if (part.text.length <= maxCharacters) return part;
	const lastLine = part.text.lastIndexOf("\n", maxCharacters);
	const text = part.text.slice(0, lastLine > 0 ? lastLine : maxCharacters);
	const { start, end } = part.lines;
	const height = text.split("\n").length;
	return { ...part, text, lines: { start, end: Math.min(end, start + height - 1) } };
}
