import { createAnalyzer, isMark } from "../../search/analyzer.ts";
import type { PassageRow } from "../port/passageRow.ts";

/** What LanceDB's full-text index has of a passage: our own terms, as memory has them, and what surely is its language. */
export interface TermText {
	/** Each as often as it occurs, separated by spaces; the mark of the language is one of them. */
	readonly terms: string;
	/** Empty where it is not sure. */
	readonly language: string;
}

type Counted = NonNullable<PassageRow["terms"]>;

/** Of passages whose terms were not counted by a parser as well. */
export function createTermTexts(): (row: Pick<PassageRow, "passage" | "terms">) => TermText {
	const analyzer = createAnalyzer();
	return ({ passage, terms: counted }) => {
		const terms = counted ? termsIn(counted) : analyzer.markedTermsOf(`${passage.title}\n${passage.text}`);
		return {
			language: terms.findLast(isMark)?.slice(1) ?? "",
			get terms() {
				return (counted ? repeated(terms, counted) : terms).join(" ");
			},
		};
	};
}

function termsIn({ vocabulary, numbers }: Counted): string[] {
	return Array.from(numbers, (number) => vocabulary[number] ?? "");
}

function repeated(terms: readonly string[], { counts }: Counted): string[] {
	return terms.flatMap((term, place) => Array<string>(counts[place] ?? 0).fill(term));
}
