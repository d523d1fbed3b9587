import { grammarOf } from "../../answer/question/question.ts";
import type { Words } from "../../answer/question/words.ts";
import type { FoundSection } from "../../answer/reading.ts";
import { isProse } from "../../answer/units.ts";
import type { SectionForm } from "../../core/knowledge/sectionForm.ts";
import { nameWords } from "../../graph/facts/labels.ts";
import { linkEntities } from "../entities/linkEntities.ts";
import { isFunctionWord, isSaidBy } from "../entities/questionWords.ts";
import { germanFormsOf } from "./germanQuestion.ts";
import { extremesIn, formsOf, ordered } from "./limits.ts";
import { spansOf, tableOf } from "./members.ts";
import type { Form, ListingPorts, Span } from "./task.ts";
import { isPlural, type Naming, vocabularyOf } from "./vocabulary.ts";
import type { ScaleWord } from "./words/scales.ts";
import { addingIn } from "./words/totals.ts";
import { plainlyAsked } from "./words/wording.ts";

const CHOOSING =
	/^(?:\p{L}{2,5} )?(?:which|whom?|what (?:is|was|are|were) the|was (?:ist|war|sind|waren) (?:der|die|das)|welche[rsmn]?|we[rmn])(?!\p{L})/iu;

const OF_ONE: readonly SectionForm[] = ["table", "lines", "record"];

/** Returns a test of whether a section can answer: a question for the highest takings needs a word like "highest". */
export function canTellOf(asked: string, { graph, names }: Omit<ListingPorts, "cite">) {
	const query = plainlyAsked(asked);
	const { words, asking } = grammarOf(query, "");
	const vocabulary = vocabularyOf(graph, names);
	const order = CHOOSING.test(query.trim()) ? ordered(nameWords(query))?.order : undefined;
	const all = [...formsOf(query), ...germanFormsOf(query, vocabulary, () => () => false)];
	// Rows may answer the second part of a question: "…, and by whom?"
	const isTwofold = asking.second.test(query);
	const forms = all.filter(({ isBare }) => !isBare && !isTwofold);
	const named = linkEntities(nameWords(query), names).map(({ node }) => node);
	const ofRows = forms.flatMap((form) => {
		const span = rowsIn(form, named, { graph, vocabulary });
		return span ? [{ ...form, rest: form.words.toSpliced(span[0], span[1] - span[0]) }] : [];
	});
	const ofMany = ofRows.filter((form) => !form.order && (form.isCount || form.needsPlural || form.isByData));
	const asksNumber = ofRows.some(({ isCount }) => isCount);
	const isSum = addingIn(nameWords(asked)).length > 0;
	// A list states no number, and a section about one thing states neither a total nor a mean.
	const isOnlyPart = ({ form }: FoundSection, said: readonly string[], isRunning: boolean) =>
		(asksNumber && form === "list") ||
		(isSum && !isRunning && OF_ONE.includes(form) && addingIn(said).length === 0);
	const tellsMany = ({ form }: FoundSection, said: readonly string[], isRunning: boolean) =>
		(isRunning || !OF_ONE.includes(form)) &&
		// Without restricting words, the question is about all rows.
		ofMany.some(({ rest }) => !isTelling(rest) || isSaidBy(rest, said));
	const isOneOfMany =
		asking.definition.test(query) || forms.some(asksForMany) ? rowsAlike(query, words) : () => false;
	return (section: FoundSection, _index: number, all: readonly FoundSection[]): boolean =>
		tells(section) && !isOneOfMany(section, all);

	function tells(section: FoundSection): boolean {
		const { title, text } = section;
		const isRunning = isProse(section);
		const said = nameWords(`${title}\n${text}`);
		if (ofMany.length > 0 && !tellsMany(section, said, isRunning)) return false;
		if (isOnlyPart(section, said, isRunning)) return false;
		// Prose may paraphrase the superlative: "led the team in sacks".
		if (!order || (ofRows.length === 0 && isRunning)) return true;
		return extremesIn(said).some((other) => isSame(other, order));
	}
}

function asksForMany(form: Form): boolean {
	const isMany = (span: Span) => {
		const own = form.words.slice(...span);
		return isPlural(own) && !own.some(isFunctionWord);
	};
	return (form.isCount || form.needsPlural) === true && !form.order && spansOf(form).some(isMany);
}

/**
 * Returns a test of whether a section is only a part of the answer, since another section of the same table has a row
 * that matches the question just as well: "How many countries are in Africa?"
 */
function rowsAlike(question: string, { telling }: Words) {
	const asked = telling(question);
	const toldBy = (row: string) => asked.intersection(telling(row));
	return (section: FoundSection, all: readonly FoundSection[]): boolean => {
		if (section.form !== "table") return false;
		const [told] = rowsOf(section)
			.map(toldBy)
			.sort((a, b) => b.size - a.size);
		const others = all.filter(
			({ form, uri, lines }) =>
				form === "table" && uri === section.uri && lines.start !== section.lines.start,
		);
		return told !== undefined && others.flatMap(rowsOf).some((row) => told.isSubsetOf(toldBy(row)));
	};
}

function rowsOf({ text }: FoundSection): string[] {
	return text.split("\n").filter((row) => row.trim() !== "");
}

function isSame(one: ScaleWord, { scale, isLeast }: ScaleWord): boolean {
	return one.scale === scale && one.isLeast === isLeast;
}

function isTelling(words: readonly string[]): boolean {
	return words.some((word) => !isFunctionWord(word));
}

/** The words that ask for rows of a table or members of a class, and not for a value of a named thing. */
function rowsIn(form: Form, named: readonly number[], { graph, vocabulary }: Naming): Span | undefined {
	return spansOf(form).find((span) => {
		const own = form.words.slice(...span);
		const classes = vocabulary.classesNamed(own);
		if (classes.length > 0) return true;
		return vocabulary.propertiesNamed(own).some((predicate) => {
			const [cell] = graph.walk({ predicate });
			if (!cell || tableOf(cell.subject, graph, vocabulary) === undefined) return false;
			return !named.some((subject) => graph.walk({ subject, predicate }).next().done === false);
		});
	});
}
