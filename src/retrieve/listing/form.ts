import { nameWords } from "../../graph/facts/labels.ts";
import { limitsIn } from "./limits.ts";
import { type ScaleWord, scaleOf } from "./scales.ts";
import type { Form } from "./task.ts";

/** How such a question begins; what begins otherwise asks for something else. */
const OPENINGS: readonly {
	readonly words: RegExp;
	readonly needsPlural: boolean;
	readonly isCount?: true;
	readonly isOpen?: true;
	/** Whether it asks for the first or the last of something. */
	readonly needsOrder?: true;
}[] = [
	{
		words: /^(?:(?:and|so|please|tell me|can you tell me) )*how many (?:different |distinct )?/,
		needsPlural: false,
		isCount: true,
	},
	{
		words: /^(?:what (?:is|s) the |the )?(?:total )?(?:number|count) of (?:all )?(?:the )?/,
		needsPlural: false,
		isCount: true,
	},
	{ words: /^count (?:all )?(?:the )?(?:of )?/, needsPlural: false, isCount: true },
	{
		words:
			/^(?:please )?(?:list|enumerate|name|show|give)(?: me)? (?:a list of |the list of )?(?:all|every|each)(?: of)? (?:the |our )?/,
		needsPlural: false,
	},
	{ words: /^(?:please )?(?:list|enumerate)(?: me)? (?:the |our )?/, needsPlural: false },
	{ words: /^(?:what|who) (?:are|were) all (?:of )?(?:the |our )?/, needsPlural: false },
	{ words: /^(?:are|were) there (?:any )?/, needsPlural: true },
	{
		words: /^(?:which|what|who) (?:(?:is|was|are|were) )?(?:the |our )?/,
		needsPlural: false,
		needsOrder: true,
	},
	{ words: /^who (?:are|were) (?:the |our )?/, needsPlural: true },
	{ words: /^all (?:of )?(?:the |our )?/, needsPlural: true },
	{ words: /^(?:which|what) (?:(?:are|were) the )?/, needsPlural: true },
	{ words: /^(?:who|what) /, needsPlural: false, isOpen: true },
];

/** The forms that an English question may have, the likeliest first; none if it asks for no list, number or extreme. */
export function formsOf(question: string): Form[] {
	const { limits, rest } = limitsIn(question);
	const text = nameWords(rest).join(" ");
	return OPENINGS.flatMap(({ words: opening, needsOrder, ...asked }) => {
		const [begin] = opening.exec(text) ?? [];
		if (begin === undefined) return [];
		const words = text.slice(begin.length).split(" ").filter(Boolean);
		const found = needsOrder ? ordered(words) : { words };
		return found ? [{ isCount: false, isOpen: false, ...asked, ...found, limits }] : [];
	});
}

/** Words before another word of order that only make it stronger. */
const MORE = new Set(["most", "least", "am"]);

/** The words without the one that says of what end the things are. */
export function ordered(
	words: readonly string[],
): { readonly words: string[]; readonly order: ScaleWord } | undefined {
	for (const [index, word] of words.entries()) {
		const next = MORE.has(word) ? scaleOf(words[index + 1] ?? "") : undefined;
		if (next) {
			const isLeast = next.isLeast !== (word === "least");
			return { words: withoutOrder(words, index, 2), order: { ...next, isLeast } };
		}
		const order = isExtreme(word) ? scaleOf(word) : undefined;
		if (order) return { words: withoutOrder(words, index, 1), order };
	}
	return undefined;
}

function withoutOrder(words: readonly string[], index: number, count: number): string[] {
	return words.toSpliced(index, count).filter((word, at) => word !== "the" || at > 0);
}

/** "Expensive" alone compares with nothing. */
function isExtreme(word: string): boolean {
	return (
		/(?:est|st(?:e[nrs]?)?|imum|max|min|te[nrs]?)$/.test(word) || /^(?:first|last|recent|most)$/.test(word)
	);
}
