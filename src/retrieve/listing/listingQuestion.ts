/** The words of a question that counts or lists, after those that say so. */
export interface ListingQuestion {
	/** As `nameWords` gives them. */
	readonly words: readonly string[];
	/** Whether the first words must name a class in the plural: "which" alone may ask for one thing. */
	readonly needsPlural: boolean;
	/** Whether it asks for their number alone. */
	readonly isCount: boolean;
	/** Whether only the data tells who does what to whom, and nothing is linked by what no word says: so in other languages. */
	readonly isByData?: boolean;
}

/** How such a question begins; what begins otherwise asks for something else. */
const OPENINGS: readonly {
	readonly words: RegExp;
	readonly needsPlural: boolean;
	readonly isCount?: true;
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
	{ words: /^who (?:are|were) (?:the |our )?/, needsPlural: true },
	{ words: /^all (?:of )?(?:the |our )?/, needsPlural: true },
	{ words: /^(?:which|what) (?:(?:are|were) the )?/, needsPlural: true },
];

/** `undefined` for a question that neither counts nor lists. */
export function listingQuestionIn(words: readonly string[]): ListingQuestion | undefined {
	const text = words.join(" ");
	for (const { words: opening, needsPlural, isCount = false } of OPENINGS) {
		const [begin] = opening.exec(text) ?? [];
		if (begin === undefined) continue;
		return { words: text.slice(begin.length).split(" ").filter(Boolean), needsPlural, isCount };
	}
	return undefined;
}
