import { decodeEntities } from "./entities.ts";
import { createWordTable, fold, type WordTableOptions } from "./wordTable.ts";

export interface Reading<Known> {
	/** Without diacritics, as English is read. */
	readonly folded: readonly Known[];
	/** With diacritics; the same list if the text has none. */
	readonly written: readonly Known[];
}

export function createTextReader<Known>(options: WordTableOptions<Known>) {
	const plain = createWordTable(options);
	/** Many folders have no text that needs it. */
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
