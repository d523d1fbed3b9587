import type { FoundSection } from "../../answer/reading.ts";
import { isProse } from "../../answer/units.ts";
import type { SectionForm } from "../../core/knowledge/section.ts";
import { nameWords } from "../../graph/facts/labels.ts";
import { linkEntities } from "../entities/linkEntities.ts";
import { germanFormsOf } from "./germanQuestion.ts";
import { extremesIn, formsOf, ordered } from "./limits.ts";
import { spansOf, tableOf } from "./members.ts";
import type { ScaleWord } from "./scales.ts";
import type { Form, ListingPorts, Task } from "./task.ts";
import { vocabularyOf } from "./vocabulary.ts";

type Facts = Pick<ListingPorts, "graph" | "names">;

const CHOOSING = /^(?:\p{L}{2,5} )?(?:which|whom?|welche[rsmn]?|we[rmn])(?!\p{L})/iu;

/** Forms that say something of one thing. */
const OF_ONE: readonly SectionForm[] = ["table", "lines", "record"];

/** "Which week had the highest takings?" is answered by what says "highest", and not by some of the weeks. */
export function canTellOf(query: string, { graph, names }: Facts) {
	const vocabulary = vocabularyOf(graph, names);
	const order = CHOOSING.test(query.trim()) ? ordered(nameWords(query))?.order : undefined;
	const forms = [...formsOf(query), ...germanFormsOf(query, vocabulary, () => () => false)];
	const named = linkEntities(nameWords(query), names).map(({ node }) => node);
	const ofRows = forms.filter((form) => isOfRows(form, named, { graph, vocabulary }));
	const asksMany = ofRows.some((form) => !form.order && (form.isCount || form.needsPlural || form.isByData));
	const asksNumber = ofRows.some(({ isCount }) => isCount);
	return (section: FoundSection): boolean => {
		const { title, text, form } = section;
		const isRunning = isProse(section);
		if (asksMany && !isRunning && OF_ONE.includes(form)) return false;
		if (asksNumber && form === "list") return false;
		// Prose may say it in other words: "led the team in sacks".
		if (!order || (ofRows.length === 0 && isRunning)) return true;
		return extremesIn(nameWords(`${title}\n${text}`)).some((other) => isSame(other, order));
	};
}

function isSame(one: ScaleWord, { scale, isLeast }: ScaleWord): boolean {
	return one.scale === scale && one.isLeast === isLeast;
}

/** Whether a form asks for rows of a table, or for things that are described alike, and not for what is said of one. */
function isOfRows(
	form: Form,
	named: readonly number[],
	{ graph, vocabulary }: Pick<Task, "graph" | "vocabulary">,
): boolean {
	return spansOf(form).some((span) => {
		const own = form.words.slice(...span);
		const classes = vocabulary.classesNamed(own, form.words);
		if (classes.length > 0) return true;
		return vocabulary.propertiesNamed(own).some((predicate) => {
			const [cell] = graph.walk({ predicate });
			if (!cell || tableOf(cell.subject, graph, vocabulary) === undefined) return false;
			return !named.some((subject) => graph.walk({ subject, predicate }).next().done === false);
		});
	});
}
