interface GivenAsset {
	/** The tool. */
	readonly name: string;
	/** What it was called with, in short; empty for a part of what is there already. */
	readonly about: string;
	readonly text: string;
}

/** What a call of a tool gave, as it is kept. */
export interface Asset extends GivenAsset {
	/** Of its session, from 1. */
	readonly number: number;
	/** The same as a tree, where the text is JSON; the text itself otherwise. */
	readonly content: unknown;
}

export interface Assets {
	/** Returns its number. */
	add(given: GivenAsset): number;
	/** Those that are still there, oldest first. */
	all(): readonly Asset[];
	/** Throws an error whose words tell a model what to do instead. */
	find(number: number): Asset;
}

/** Results of calls for as long as the program runs, so that a later turn of their session can read them again. */
export interface AssetShelf {
	/** Those of a session; if there is none they belong to the caller alone. */
	of(session: string | undefined): Assets;
}

interface ShelfBounds {
	/** Characters of all texts. */
	readonly characters: number;
	readonly count: number;
}

const BOUNDS: ShelfBounds = { characters: 16_000_000, count: 1000 };

interface Kept {
	readonly asset: Asset;
	readonly of: Map<number, Kept>;
}

/** The oldest go first, whosesoever they are; the newest always stays. */
export function createAssetShelf(bounds = BOUNDS): AssetShelf {
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
		of: (session) => {
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
			content ??= contentOf(given.text);
			return content;
		},
	};
}

function contentOf(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return text;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function wordsFor(number: number, there: readonly number[], count: number): string {
	if (number >= 1 && number <= count)
		return `Result ${number} was dropped to make room for newer ones. Make its call again.`;
	const those = there.length === 0 ? "none yet" : there.slice(-20).join(", ");
	return `There is no result ${number} in this session. There are: ${those}. Copy the target from a note.`;
}
