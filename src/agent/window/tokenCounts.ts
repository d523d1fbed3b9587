export type Count = (text: string) => Promise<number>;

/** Counts that were made, kept from turn to turn: most of a prompt is the same as last time. */
export interface TokenCounts {
	of(model: string, count: Count): Count;
}

/** The oldest counts are forgotten when their texts are longer than this together. */
const KEPT_CHARACTERS = 4_000_000;

export function createTokenCounts(keptCharacters = KEPT_CHARACTERS): TokenCounts {
	const counts = new Map<string, Promise<number>>();
	let characters = 0;
	const forget = (key: string) => {
		if (counts.delete(key)) characters -= key.length;
	};
	const keep = (key: string, counted: Promise<number>) => {
		counts.set(key, counted);
		characters += key.length;
		for (const oldest of counts.keys()) {
			if (characters <= keptCharacters || oldest === key) break;
			forget(oldest);
		}
		// A count that failed or was cancelled is made again by the next who asks.
		counted.catch(() => forget(key));
		return counted;
	};
	return {
		of: (model, count) => async (text) => {
			if (text === "") return 0;
			const key = `${model}\n${text}`;
			const known = counts.get(key);
			// Another turn may have asked first, and been cancelled meanwhile.
			return known === undefined ? keep(key, count(text)) : known.catch(() => keep(key, count(text)));
		},
	};
}
