import { boundedText } from "../../base/text/visibleText.ts";
import { parseJson } from "../../base/values.ts";

interface GivenAsset {
	readonly name: string;
	readonly input?: object;
	readonly text: string;
}

export interface Asset {
	readonly number: number;
	readonly name: string;
	readonly about: string;
	readonly text: string;
	readonly content: unknown;
}

const ABOUT = 120;

export interface Assets {
	add(given: GivenAsset): number;
	all(): readonly Asset[];
	/** Throws an error that tells the model what to do instead. */
	find(number: number): Asset;
}

export type AssetShelf = ReturnType<typeof createAssetShelf>;

interface Kept {
	readonly asset: Asset;
	readonly of: Map<number, Kept>;
}

/** Evicts the oldest results of all sessions first, but never the newest result. */
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
			if (session === undefined) return open();
			const assets = sessions.get(session) ?? open();
			sessions.set(session, assets);
			return assets;
		},
	};
}

function assetOf(number: number, { name, input, text }: GivenAsset): Asset {
	const about = input ? boundedText(JSON.stringify(input), ABOUT) : "";
	let content: unknown;
	return {
		number,
		name,
		about,
		text,
		// Parsed on demand, because few results are ever read again.
		get content() {
			content ??= /^\s*[[{]/.test(text) ? (parseJson(text) ?? text) : text;
			return content;
		},
	};
}

export function withAssetName(text: string, number: number): string {
	return `${text}\n(this result is asset://${number})`;
}

function wordsFor(number: number, there: readonly number[], count: number): string {
	if (number >= 1 && number <= count)
		return `Result ${number} was dropped to make room for newer ones. Make its call again.`;
	const those = there.length === 0 ? "none yet" : there.slice(-20).join(", ");
	return `There is no result ${number} in this session. There are: ${those}. Copy the target from a note.`;
}
