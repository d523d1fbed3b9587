import type { Question } from "./question/question.ts";
import type { Words } from "./question/words.ts";
import { type Fit, fitsOf, type Glossary, isVocabulary, type Thing } from "./things.ts";

export interface Step {
	readonly thing: Thing;
	readonly fit: Fit;
}

/** The resources whose whole names are in the question. */
export function namedIn({ words: asked, beside }: Question, things: readonly Thing[]): Thing[] {
	const all = asked.union(beside);
	const named = things.filter(
		(thing) => !isVocabulary(thing) && thing.words.size > 0 && thing.words.isSubsetOf(all),
	);
	return named.filter(
		({ words }) => !named.some((other) => words.size < other.words.size && words.isSubsetOf(other.words)),
	);
}

/** Properties to follow, starting at a resource that the question names. Each value leads to the next resource. */
export interface Chain {
	readonly steps: readonly Step[];
	/** Words of the question that the chain does not explain. */
	readonly open: ReadonlySet<string>;
	/** Number of words, except names, that are neither in the first record nor in the path of its file. */
	readonly strange: number;
}

const MOST_STEPS = 3;

/** Chains along properties that the question asks for, fewest unexplained words first. */
export function chainsOf(question: Question, things: readonly Thing[], glossary: Glossary, language: Words) {
	const known = things.filter((thing) => !isVocabulary(thing));
	const whole = namedIn(question, things);
	const names = new Set(whole.flatMap(({ words }) => [...words]));
	const open = question.words.difference(names);
	const chains = whole.flatMap((thing) =>
		follow({ thing, open, steps: [], strange: open.difference(wordsAround(thing, language)).size }),
	);
	return chains
		.filter((chain) => isMeant(chain, question.focus))
		.sort(
			(a, b) =>
				a.open.size - b.open.size ||
				a.strange - b.strange ||
				a.steps.length - b.steps.length ||
				shareOf(b) - shareOf(a),
		);

	function follow({ thing, open, steps, strange }: Chain & { readonly thing: Thing }): Chain[] {
		if (steps.length === MOST_STEPS) return [];
		return fitsOf(thing, { words: open, kinds: question.kinds }, glossary).flatMap((fit) => {
			const before = { steps: [...steps, { thing, fit }], open: open.difference(fit.used), strange };
			return [before, ...valuesOf(fit, known).flatMap((next) => follow({ ...before, thing: next }))];
		});
	}
}

function wordsAround({ section: { path, text } }: Thing, { telling }: Words): ReadonlySet<string> {
	return telling(`${path} ${text}`);
}

/** Whether a chain explains at least half of the words, including the name of a property. */
function isMeant({ steps, open, strange }: Chain, focus: Question["focus"]): boolean {
	const [first] = steps;
	// Many resources have a name such as `8.0`.
	const isNumber = first !== undefined && !/\p{L}/u.test(first.thing.label);
	if (isNumber && open.size > 0 && strange > 0) return false;
	const isFound = focus.size === 0 || steps.some(({ fit }) => !fit.used.isDisjointFrom(focus));
	return isFound && steps.reduce((sum, { fit }) => sum + fit.used.size, 0) >= open.size;
}

function shareOf({ steps }: Chain): number {
	return steps.reduce((sum, { fit }) => sum + fit.share, 0) / steps.length;
}

function valuesOf({ property }: Fit, things: readonly Thing[]): Thing[] {
	const values = property.value.split("; ").map(fold);
	return things.filter(({ label }) => values.includes(fold(label)));
}

function fold(name: string): string {
	return name.toLowerCase().normalize("NFKC");
}
