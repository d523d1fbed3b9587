import { nameKey } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { isFunctionWord, toSingular } from "./questionWords.ts";

export interface EntityLink {
	readonly node: number;
	/** Certainty that the node is meant, from 0 to 1. Higher for rare names and for whole names. */
	readonly weight: number;
	readonly span: readonly [start: number, end: number];
	readonly isWhole: boolean;
}

const MOST_WORDS_OF_NAME = 12;

/** Maximum number of names with a word if the word alone identifies a name. */
const MOST_SHARING = 5;

/** Weight of one word of a name; the whole name weighs 1. */
const PART_WEIGHT = 0.4;

const MOST_LINKS = 12;

/** The resources that the words name, best first. Prefers longer names. Omits classes and properties. */
export function linkEntities(words: readonly string[], names: NameIndex, most = MOST_LINKS): EntityLink[] {
	const taken = words.map(() => false);
	const whole = linkWholeNames(words, names, taken);
	const parts = linkParts(words, names, taken);
	const best = new Map<number, EntityLink>();
	for (const link of [...whole, ...parts].sort((a, b) => b.weight - a.weight))
		if (!best.has(link.node)) best.set(link.node, link);
	return [...best.values()].slice(0, most);
}

function linkWholeNames(words: readonly string[], names: NameIndex, taken: boolean[]): EntityLink[] {
	const links: EntityLink[] = [];
	for (let length = Math.min(MOST_WORDS_OF_NAME, words.length); length > 0; length--)
		for (let start = 0; start + length <= words.length; start++) {
			const span = [start, start + length] as const;
			const own = words.slice(...span);
			if (taken.slice(...span).includes(true) || own.every(isFunctionWord)) continue;
			const nodes = namedBy(own, names);
			if (nodes.length === 0) continue;
			taken.fill(true, ...span);
			const weight = rarityOf(own, names) / Math.sqrt(nodes.length);
			links.push(...nodes.map((node) => ({ node, weight, span, isWhole: true })));
		}
	return links;
}

function namedBy(words: readonly string[], names: NameIndex): number[] {
	const keys = [words, toSingular(words)].map(nameKey);
	const found = keys.map((key) => names.named(key).filter((node) => names.kindOf(node) === "thing"));
	return found.find((nodes) => nodes.length > 0) ?? [];
}

/** Links words that few names have, as "Brant" for Karen Brant. Weights of several words for one node add up. */
function linkParts(words: readonly string[], names: NameIndex, taken: readonly boolean[]): EntityLink[] {
	const links = new Map<number, EntityLink>();
	for (const [index, word] of words.entries()) {
		if (taken[index] || word.length < 3 || isFunctionWord(word)) continue;
		const nodes = new Set(
			names.withWord(word, MOST_SHARING * 4).filter((node) => names.kindOf(node) === "thing"),
		);
		if (nodes.size > MOST_SHARING) continue;
		const weight = (PART_WEIGHT * rarityOf([word], names)) / Math.sqrt(Math.max(1, nodes.size));
		for (const node of nodes) {
			const known = links.get(node);
			const span = [known?.span[0] ?? index, index + 1] as const;
			const sum = Math.min(1, (known?.weight ?? 0) + weight);
			links.set(node, { node, weight: sum, span, isWhole: false });
		}
	}
	return [...links.values()];
}

function rarityOf(words: readonly string[], names: NameIndex): number {
	const rarest = Math.min(...words.map((word) => names.frequencyOf(word) || 1));
	return Math.log(1 + names.size / rarest) / Math.log(1 + names.size);
}
