import { createAnalyzer, isMark } from "../../search/analyzer.ts";
import type { PassageRow } from "../port/passageRow.ts";

/** What LanceDB's full-text index has of a passage: our own terms, as memory has them, and what surely is its language. */
export interface TermText {
	/** Each as often as it occurs, separated by spaces; the mark of the language is one of them. */
	readonly terms: string;
	/** Empty where it is not sure. */
	readonly language: string;
}

/** Of passages whose terms were not counted by a parser as well. */
export function createTermTexts(): (row: Pick<PassageRow, "passage" | "terms">) => TermText {
	const analyzer = createAnalyzer();
	return ({ passage, terms: counted }) => {
		const terms = counted ? listed(counted) : analyzer.markedTermsOf(`${passage.title}\n${passage.text}`);
		return { terms: terms.join(" "), language: terms.findLast(isMark)?.slice(1) ?? "" };
	};
}

function listed({ vocabulary, numbers, counts }: NonNullable<PassageRow["terms"]>): string[] {
	const terms: string[] = [];
	for (const [place, number] of numbers.entries())
		for (let count = counts[place] ?? 0; count > 0; count--) terms.push(vocabulary[number] ?? "");
	return terms;
}
