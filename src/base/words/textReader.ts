import { decodeEntities } from "./entities.ts";
import { createWordTable, fold, type WordTableOptions } from "./wordTable.ts";

export interface Reading<Known> {
	/** Words without diacritics, as for English. */
	readonly folded: readonly Known[];
	/** Words with diacritics; the same list as `folded` if the text has none. */
	readonly written: readonly Known[];
}

export function createTextReader<Known>(options: WordTableOptions<Known>) {
	const plain = createWordTable(options);
	/** Created lazily, because many folders have no text with diacritics. */
	let marked: typeof plain | undefined;
	return {
		read: (raw: string): Reading<Known> => {
			const text = decodeEntities(raw);
			const words = plain.read(text);
			if (words) return { folded: words, written: words };
			const [without, composed] = [fold(text), text.normalize("NFKC")];
			const folded = plain.readFolded(without);
			if (composed === without) return { folded, written: folded };
			marked ??= createWordTable({ ...options, keepsMarks: true });
			return { folded, written: marked.readFolded(composed) };
		},
	};
}
