import { lastSegment } from "../../base/rdf/iriNames.ts";
import { RDF } from "../../base/rdf/vocabulary.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { nameWords } from "../../graph/facts/nameWords.ts";
import { memoize } from "../../knowledge/passages/memoize.ts";
import { idOf, isSubject } from "../../knowledge/resources/terms.ts";
import { isWithin } from "./splitStatements.ts";

/** Texts with fewer characters count only as whole words. */
const SHORT = 4;

/**
 * Returns whether a statement repeats a denied value: a text or the IRI of another thing contains it on the same lines,
 * or the same two things are linked. On a page, a text may also be around the value and say what is shown for it
 * (`content`): readers give inner elements first, but lists at the end of their owner.
 */
export function createRepeats(quads: readonly Quad[], denied: readonly Quad[], isPage: boolean) {
	const about = new Set(denied.map(({ subject }) => idOf(subject)));
	const places = new Map(quads.map((quad, at) => [quad, at]));
	const ends = new Set(denied.map(endsOf));
	const values = denied.map((quad) => ({ quad, ...quad, ...spell(quad.object) }));
	const near = memoize((place: string) => {
		const [start = 0, end = 0] = place.split("-").map(Number);
		return values.filter(({ lines }) => lines.start <= end && start <= lines.end);
	});
	return (quad: Quad): boolean => {
		const { subject, object, lines } = quad;
		const isText = !isSubject(object);
		const around = near(`${lines.start}-${lines.end}`);
		const isAround = ({ quad: inner, predicate }: (typeof values)[number]) =>
			predicate.value === `${RDF}rest` ||
			(isWithin(inner.lines, lines) && (places.get(inner) ?? 0) < (places.get(quad) ?? 0));
		if (ends.has(endsOf(quad)) || (isPage && isText && around.some(isAround))) return true;
		const mayRepeat = (value: Quad) =>
			!isSubject(value.object) || (isText && idOf(value.subject) === idOf(subject));
		const said = [subject, object].filter((term) => !isSubject(term) || !about.has(idOf(term))).map(spell);
		return around.some((value) => mayRepeat(value) && said.some((own) => contains(own, value)));
	};
}

/** The same for both directions of a link. */
function endsOf({ subject, object }: Quad): string {
	return [subject.value, object.value].sort().join("\n");
}

/** The path of an IRI counts; short texts are looked for only in the last segment. */
function spell(term: Term) {
	const path = term.value.replace(/^[a-z][a-z\d+.-]*:(\/\/[^/]*)?/i, "").split(/[/#:?]/);
	const parts = isSubject(term) ? path.map(lastSegment) : [term.value];
	const text = parts.join(" ").normalize("NFKD").toLowerCase();
	const [, ...day] = /^-?(\d{4,})-\d\d-(\d\d)/.exec(text) ?? [];
	return {
		compact: text.replace(/[^\p{L}\p{N}\p{So}]+/gu, ""),
		words: ` ${nameWords(parts.at(-1) ?? "").join(" ")} `,
		numbers: text.match(/\d+/g)?.map(Number) ?? [],
		/** A date also has its year and its day: `21 August 1970` has those of `1970-08-21`. */
		day: day.map(Number),
	};
}

type Spelling = ReturnType<typeof spell>;

function contains(said: Spelling, { compact, words, day }: Spelling): boolean {
	if (compact.length < SHORT && words.trim() !== "") return said.words.includes(words);
	if (day.length > 0 && day.every((part) => said.numbers.includes(part))) return true;
	return compact !== "" && said.compact.includes(compact);
}
