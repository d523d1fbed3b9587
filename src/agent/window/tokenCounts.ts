import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
export type Count = (text: string) => Promise<number>;

/** The oldest counts are forgotten when their texts are longer than this together. */
const KEPT_CHARACTERS = 4_000_000;

/** Counts that were made, kept from turn to turn: most of a prompt is the same as last time. */
export function createTokenCounts(keptCharacters = KEPT_CHARACTERS) {
	const counts = createBoundedMap<string, Promise<number>>(keptCharacters, (_, key) => key.length);
	const keep = (key: string, counted: Promise<number>) => {
		counts.set(key, counted);
		// A count that failed or was cancelled is made again by the next who asks.
		counted.catch(() => counts.delete(key));
		return counted;
	};
	return {
		of:
			(model: string, count: Count): Count =>
			async (text) => {
				if (text === "") return 0;
				const key = `${model}\n${text}`;
				const known = counts.get(key);
				// Another turn may have asked first, and been cancelled meanwhile.
				return known === undefined ? keep(key, count(text)) : known.catch(() => keep(key, count(text)));
			},
	};
}

/** Maximum number of counts: a text that is not cut to size by then is omitted. */
const ATTEMPTS = 4;

/** The note at the end of a cut text. The remaining lines are counted from 1. */
export type CutNote = (lines: { readonly shown: number; readonly total: number }) => string;

export const plainNote: CutNote = ({ shown, total }) =>
	`\n(cut: ${shown} of ${total} lines; the rest did not fit in the model's window)`;

export async function cutTo(text: string, tokens: number, count: Count, note = plainNote): Promise<string> {
	let cost = await count(text);
	let length = text.length;
	if (cost <= tokens) return text;
	const total = text.split("\n").length;
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		length = Math.floor(length * Math.min(0.9, (0.95 * tokens) / Math.max(1, cost)));
		const lineEnd = text.lastIndexOf("\n", length);
		const beginning = text.slice(0, lineEnd > length / 2 ? lineEnd : length);
		const cut = beginning + note({ shown: beginning === "" ? 0 : beginning.split("\n").length, total });
		cost = await count(cut);
		if (cost <= tokens) return cut;
	}
	return "";
}

export function clipped(text: string, length: number): string {
	return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
