import { basename } from "node:path";
import { memoize } from "../../base/jobs/lazily.ts";
import { lastSegment, RDF } from "../../base/rdf/vocabulary.ts";
import { type LineRange, placesAmong } from "../../core/knowledge/citation.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { DocumentRecord, Resource } from "../../core/knowledge/document.ts";
import { idOf, isSubject, literal, type Quad, type Term } from "../../core/knowledge/rdf.ts";
import { nameWords } from "../../graph/facts/labels.ts";
import { propertyOf, withoutLinks } from "../../knowledge/markdown/markdownFacts.ts";
import { keyIri } from "../../knowledge/records/records.ts";
import { resourcesOf } from "../../knowledge/resources/resources.ts";
import { verbalize } from "../../knowledge/resources/verbalize.ts";
import type { DocumentContent, StoredPassage } from "../../store/port/store.ts";
import type { Membership } from "./policies.ts";
import { isInLines, isNamed, isWithin, splitStatements } from "./splitStatements.ts";

export interface DocumentView extends DocumentContent {
	readonly passages: ReadonlyMap<string, StoredPassage>;
	readonly hiddenLines: readonly LineRange[];
}

export interface WholeDocument extends DocumentContent {
	readonly record: DocumentRecord;
	readonly readPassages: () => Promise<readonly StoredPassage[]>;
}

/** Keys whose value names a class in any spelling, as in `type: person`. */
const TYPE_KEYS: readonly string[] = ["type", "@type"].flatMap((key) => [propertyOf(key), keyIri(key)]);

/** Formats in which a value may contain statements about a named resource. */
const NESTING_FORMATS: readonly string[] = ["html", "jsonld", "rdfxml"];

const ALL_LINES: LineRange = { start: 1, end: Number.POSITIVE_INFINITY };

export const NOTHING_SHOWN: DocumentView = {
	resources: [],
	quads: [],
	passages: new Map(),
	hiddenLines: [ALL_LINES],
};

/** Returns the visible part of a document; `undefined` if all of it is visible. */
export async function viewDocument(
	document: WholeDocument,
	rules: readonly DenyRule[],
	membership: Membership,
): Promise<DocumentView | undefined> {
	const statementRules = rules.map((rule) => toStatementRule(rule, document, membership));
	const { format } = document.record;
	const canNest = NESTING_FORMATS.includes(format);
	const { visible, denied, hiddenIds } = splitStatements(document.quads, statementRules, { canNest });
	if (denied.length === 0 && !isBroken(document.record)) return undefined;
	const hidden = document.resources.filter(({ id }) => hiddenIds.has(id));
	const isUnclear = isBroken(document.record) || isAboutOne(hidden, document);
	const hiddenLines = isUnclear ? [ALL_LINES] : joined([...denied, ...hidden].map(({ lines }) => lines));
	const repeats = createRepeats(document.quads, denied, format === "html");
	const isShown = (quad: Quad) => !(isUnclear || (isInLines(quad.lines, hiddenLines) && repeats(quad)));
	const quads = visible.filter(isShown);
	const ranges = new Map(document.resources.map(({ id, lines }) => [id, lines]));
	const content = { resources: resourcesOf(quads, ranges), quads, hiddenLines };
	return { ...content, passages: showPassages(document.record, await document.readPassages(), content) };
}

/** Whether a document is about a hidden resource, which is the document itself or is named in its title. */
function isAboutOne(hidden: readonly Resource[], { record, quads }: WholeDocument): boolean {
	const title = spell(literal(record.title));
	return hidden.some(({ id, label }) => {
		if (id === record.uri) return true;
		const isDescribed = quads.some(({ subject }) => idOf(subject) === id);
		return isDescribed && contains(title, spell(literal(label)));
	});
}

/** Whether a part of the document could not be read or was omitted, so that its content is unknown. */
export function isBroken({ problems }: DocumentRecord): boolean {
	return problems.length > 0;
}

function joined(ranges: readonly LineRange[]): LineRange[] {
	const sorted = ranges.toSorted((a, b) => a.start - b.start);
	return placesAmong(sorted, 1).map(({ lines }) => lines);
}

function toStatementRule(rule: DenyRule, { quads, record }: WholeDocument, membership: Membership) {
	const [types, named] = [membership.types(rule), membership.properties(rule)];
	const isMarkdown = record.format === "markdown";
	// A rule may use the key in the front matter (`tags`) or the property that the key means (`keywords`).
	const properties = isMarkdown ? named?.flatMap((name) => [name, propertyOf(name)]) : named;
	const typed = types && quads.filter((quad) => isTypeOf(quad, types));
	const own = new Set(typed?.map(({ subject }) => idOf(subject)));
	const speaksOf = (id: string) => !types || own.has(id) || membership.has(rule, id);
	return { ...(properties && { properties }), speaksOf };
}

function isTypeOf({ predicate, object }: Quad, types: readonly string[]): boolean {
	if (TYPE_KEYS.includes(predicate.value)) return isNamed(object.value, types);
	return predicate.value === `${RDF}type` && isSubject(object) && isNamed(object.value, types);
}

/**
 * Verbalizes resources again, from visible statements only. Omits running text on hidden lines. Other text
 * gets the file name as its title, because its heading may be hidden.
 */
function showPassages(
	record: DocumentRecord,
	passages: readonly StoredPassage[],
	{ resources, quads, hiddenLines }: Omit<DocumentView, "passages">,
): Map<string, StoredPassage> {
	const telling = record.format === "markdown" ? withoutLinks(quads) : quads;
	const told = Map.groupBy(verbalize(resources, telling), ({ resource }) => resource);
	const shown = new Map<string, StoredPassage>();
	for (const passage of passages) {
		const isText = passage.resource === undefined;
		const now = isText ? textOf(passage, record, hiddenLines) : told.get(passage.resource)?.shift();
		if (now) shown.set(passage.id, { ...now, id: passage.id, uri: passage.uri });
	}
	return shown;
}

function textOf(passage: StoredPassage, { uri }: DocumentRecord, hiddenLines: readonly LineRange[]) {
	if (isInLines(passage.lines, hiddenLines)) return undefined;
	return { ...passage, title: decodeURIComponent(basename(uri)) };
}

/** A value with fewer characters must match whole words. */
const SHORT = 4;

/**
 * Returns a test whether a statement repeats a denied value. A statement repeats a value if a text or another
 * IRI on the same lines contains the value, or if the statement links the same two resources. On a page, the
 * text around the value's element also repeats the value, even if that text differs from the value
 * (`content`). Readers emit inner elements before outer elements, but lists after their owner.
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

function endsOf({ subject, object }: Quad): string {
	return [subject.value, object.value].sort().join("\n");
}

/** Normalizes a term. An IRI is reduced to its path; a short text must match the last segment of the path. */
function spell(term: Term) {
	const path = term.value.replace(/^[a-z][a-z\d+.-]*:(\/\/[^/]*)?/i, "").split(/[/#:?]/);
	const parts = isSubject(term) ? path.map(lastSegment) : [term.value];
	const text = parts.join(" ").normalize("NFKD").toLowerCase();
	const [, ...day] = /^-?(\d{4,})-\d\d-(\d\d)/.exec(text) ?? [];
	return {
		compact: text.replace(/[^\p{L}\p{N}\p{So}]+/gu, ""),
		words: ` ${nameWords(parts.at(-1) ?? "").join(" ")} `,
		numbers: text.match(/\d+/g)?.map(Number) ?? [],
		/** Year and day of a date, so that `21 August 1970` matches `1970-08-21`. */
		day: day.map(Number),
	};
}

type Spelling = ReturnType<typeof spell>;

function contains(said: Spelling, { compact, words, day }: Spelling): boolean {
	if (compact.length < SHORT && words.trim() !== "") return said.words.includes(words);
	if (day.length > 0 && day.every((part) => said.numbers.includes(part))) return true;
	return compact !== "" && said.compact.includes(compact);
}
