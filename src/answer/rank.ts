import { coverBy, coverOf, type Telling } from "./cover.ts";
import { worthOf } from "./decide.ts";
import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import type { FoundSection, ReadSection } from "./sections.ts";
import type { Part } from "./sentences.ts";
import { type BestPart, signsOf } from "./signs.ts";
import { unitsOf } from "./units.ts";

export interface Ranked extends ReadSection {
	readonly best: Part;
	readonly score: number;
	readonly isNear: boolean;
}

/** What counts beside the words in the choice of a part. */
const KIND = 0.3;

/** All sections that can answer, best first. */
export function rankSections(
	question: Question,
	sections: readonly ReadSection[],
	telling: Telling,
): Ranked[] {
	return sections.flatMap((section) => rank(question, section, telling)).sort((a, b) => b.score - a.score);
}

function rank(question: Question, read: ReadSection, telling: Telling): Ranked[] {
	const covered = coverBy(read, question, telling);
	const best = bestPart(question, read, telling);
	const signs = signsOf(question, read, { best, covered, telling });
	if (question.needsKind && signs.kind === 0) return [];
	return [{ ...read, best, score: worthOf(signs), isNear: signs.near > 0 }];
}

function bestPart(question: Question, read: ReadSection, telling: Telling): BestPart {
	const { section } = read;
	const isHeaded = question.defines !== undefined && isHeadedBy(question, section, telling.language);
	const parts = unitsOf(section).map(({ from, to }): BestPart => {
		const text = section.text.slice(from, to);
		return {
			from,
			to,
			value: coverOf(question, { ...read, part: telling.language.telling(text) }, telling),
			isKind: question.expects?.(text) ?? true,
			isHeaded,
			defines: question.defines?.(text) === true || (section.isBeginning === true && from === 0),
		};
	});
	const worth = ({ value, isKind, defines }: BestPart) => value + (isKind ? KIND : 0) + (defines ? 1 : 0);
	return parts.reduce((best, part) => (worth(part) > worth(best) ? part : best));
}

/** Whether a text is under a heading that is what a question asks for, but for one word. */
function isHeadedBy({ words }: Question, { form, title }: FoundSection, { telling }: Words): boolean {
	const heading = telling(title.split(" › ").at(-1) ?? "");
	return form !== "record" && form !== "code" && words.isSubsetOf(heading) && heading.size <= words.size + 1;
}
