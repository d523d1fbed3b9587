import type { Listing } from "../../../src/core/knowledge/knowledge.ts";
import type { Term } from "../../../src/core/knowledge/rdf.ts";

/** Kinds of questions in the report. */
export type Kind =
	| "count"
	| "linked"
	| "value"
	| "two steps"
	| "both"
	| "either"
	| "negation"
	| "limit"
	| "extreme"
	| "comparison"
	| "no answer"
	| "own";

/** A question with its true answers from the data, as IRIs or texts; none if it must stay unanswered. */
export interface AskedQuestion {
	readonly text: string;
	readonly kind: Kind;
	readonly truth: readonly Term[];
}

export interface Judgement extends AskedQuestion {
	readonly vocabulary: string;
	/** "Silent" if the question is rightly unanswered. */
	readonly verdict: "right" | "wrong" | "unanswered" | "silent";
	/** The answer. */
	readonly said: string;
}

/** Maximum number of things shown of a set. */
const MOST_SHOWN = 5;

export function judgeListing(
	question: AskedQuestion,
	listing: Listing | undefined,
): Pick<Judgement, "verdict" | "said"> {
	const { truth } = question;
	const verdict = truth.length === 0 ? "silent" : "unanswered";
	if (!listing) return { verdict, said: "" };
	const isRight = truth.length > 0 && isSame(listing, truth);
	return { verdict: isRight ? "right" : "wrong", said: shownOf(listing) };
}

/** Whether a listing is true. For comparisons, only the first thing counts; long listings show only the first things. */
function isSame({ kind, items, total }: Listing, truth: readonly Term[]): boolean {
	const [number, ...others] = truth;
	if (kind === "count" && others.length === 0 && number?.value === String(total)) return true;
	const known = new Set(truth.map(({ value }) => keyOf(value)));
	const hasBlank = truth.some(({ termType }) => termType === "BlankNode");
	const shown = kind === "comparison" ? items.slice(0, total) : items;
	return (
		total === known.size &&
		shown.every(
			({ iri, label }) =>
				known.has(keyOf(iri ?? label)) || known.has(keyOf(label)) || (iri === undefined && hasBlank),
		)
	);
}

function keyOf(value: string): string {
	return value.trim().replace(/\s+/g, " ");
}

function shownOf({ kind, total, what, items }: Listing): string {
	return `${kind} of ${total} (${keyOf(what)}): ${some(items.map(({ label }) => label))}`;
}

export function truthShown(truth: readonly Term[]): string {
	return `${truth.length}: ${some(truth.map(({ value }) => decodeURIComponent(value.split("/").at(-1) ?? "")))}`;
}

function some(names: readonly string[]): string {
	return names.slice(0, MOST_SHOWN).map(keyOf).join("; ") + (names.length > MOST_SHOWN ? "; …" : "");
}
