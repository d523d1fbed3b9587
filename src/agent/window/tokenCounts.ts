import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
export type Count = (text: string) => Promise<number>;

/** Maximum number of characters of all cached texts; the oldest counts are evicted first. */
const KEPT_CHARACTERS = 4_000_000;

/** Caches token counts across turns, because most of a prompt stays the same. */
export function createTokenCounts(keptCharacters = KEPT_CHARACTERS) {
	const counts = createBoundedMap<string, Promise<number>>(keptCharacters, (_, key) => key.length);
	const keep = (key: string, counted: Promise<number>) => {
		counts.set(key, counted);
		// A failed or canceled count is removed, so that the next caller counts again.
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
				// If the cached count fails, count again: the turn that started it may have been canceled.
				return known === undefined ? keep(key, count(text)) : known.catch(() => keep(key, count(text)));
			},
	};
}

/** Maximum number of attempts to cut a text to size; after them, the text is omitted. */
const ATTEMPTS = 4;

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
