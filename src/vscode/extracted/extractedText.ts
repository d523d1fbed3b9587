import type { ReadPart } from "../../core/knowledge/knowledge.ts";
import { overlap, type Place } from "../../core/knowledge/place.ts";
import type { LineRange } from "../../core/knowledge/source.ts";

/** An extracted text as it is shown, and where its places are in it. */
export interface ExtractedText {
	readonly text: string;
	/** Lines of the text, from 0; `undefined` where nothing of the place is shown. */
	linesOf(place: Place): LineRange | undefined;
}

/** Part by part, each under its name. */
export function renderParts(parts: readonly ReadPart[]): ExtractedText {
	const lines: string[] = [];
	const shown = parts.map(({ lines: place, text }, index) => {
		const name = place.part;
		if (name !== undefined && name !== parts[index - 1]?.lines.part) {
			if (lines.length > 0) lines.push("");
			lines.push(`── ${name} ──`, "");
		}
		const at = lines.length;
		const own = text.split("\n");
		lines.push(...own);
		return { place, at, height: own.length };
	});
	return {
		text: lines.join("\n"),
		linesOf: (place) => {
			const found = shown.find((each) => overlap(each.place, place) > 0);
			if (!found) return undefined;
			const { at, height, place: whole } = found;
			const clamp = (line: number) => at + Math.max(0, Math.min(height - 1, line - whole.start));
			return { start: clamp(place.start), end: clamp(place.end) };
		},
	};
}
