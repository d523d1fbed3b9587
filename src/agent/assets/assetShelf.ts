import { parseJson } from "../../base/values.ts";

interface GivenAsset {
	readonly name: string;
	readonly about: string;
	readonly text: string;
}

export interface Asset extends GivenAsset {
	readonly number: number;
	readonly content: unknown;
}

export interface Assets {
	add(given: GivenAsset): number;
	all(): readonly Asset[];
	/** Throws an error whose words tell a model what to do instead. */
	find(number: number): Asset;
}

/** Results of calls for as long as the program runs, so that a later turn of their session can read them again. */
export type AssetShelf = ReturnType<typeof createAssetShelf>;

interface Kept {
	readonly asset: Asset;
	readonly of: Map<number, Kept>;
}

/** Removes the oldest first, across sessions; the newest always stays. */
export function createAssetShelf(bounds = { characters: 16_000_000, count: 1000 }) {
	const kept = new Set<Kept>();
	const sessions = new Map<string, Assets>();
	let characters = 0;
	const drop = (one: Kept) => {
		kept.delete(one);
		one.of.delete(one.asset.number);
		characters -= one.asset.text.length;
	};
	const open = (): Assets => {
		const own = new Map<number, Kept>();
		let count = 0;
		return {
			add: (given) => {
				const one = { asset: assetOf(++count, given), of: own };
				own.set(count, one);
				kept.add(one);
				characters += given.text.length;
				for (const oldest of kept) {
					if (oldest === one || (kept.size <= bounds.count && characters <= bounds.characters)) break;
					drop(oldest);
				}
				return count;
			},
			all: () => [...own.values()].map(({ asset }) => asset),
			find: (number) => {
				const one = own.get(number);
				if (one) return one.asset;
				throw new Error(wordsFor(number, [...own.keys()], count));
			},
		};
	};
	return {
		of: (session: string | undefined) => {
			const known = session === undefined ? undefined : sessions.get(session);
			if (known) return known;
			const made = open();
			if (session !== undefined) sessions.set(session, made);
			return made;
		},
	};
}

function assetOf(number: number, given: GivenAsset): Asset {
	let content: unknown;
	return {
		number,
		...given,
		// Few are ever looked into.
		get content() {
			content ??= /^\s*[[{]/.test(given.text) ? (parseJson(given.text) ?? given.text) : given.text;
			return content;
		},
	};
}

function wordsFor(number: number, there: readonly number[], count: number): string {
	if (number >= 1 && number <= count)
		return `Result ${number} was dropped to make room for newer ones. Make its call again.`;
	const those = there.length === 0 ? "none yet" : there.slice(-20).join(", ");
	return `There is no result ${number} in this session. There are: ${those}. Copy the target from a note.`;
}
