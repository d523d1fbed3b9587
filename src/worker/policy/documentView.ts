import { basename } from "node:path";
import { RDF } from "../../base/rdf/vocabulary.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { DocumentRecord, Passage, Resource } from "../../core/knowledge/document.ts";
import type { Quad } from "../../core/knowledge/rdf.ts";
import type { LineRange } from "../../core/knowledge/source.ts";
import { propertyOf, withoutLinks } from "../../knowledge/markdown/markdownFacts.ts";
import { span } from "../../knowledge/passages/lines.ts";
import { resourcesOf } from "../../knowledge/resources/resources.ts";
import { idOf, isSubject } from "../../knowledge/resources/terms.ts";
import { verbalize } from "../../knowledge/resources/verbalize.ts";
import type { DocumentContent, StoredPassage } from "../../store/port/store.ts";
import type { Membership } from "./membership.ts";
import { createRepeats } from "./repeats.ts";
import { isInLines, isNamed, type StatementRule, splitStatements } from "./splitStatements.ts";

/** What is shown of a document of which a part is hidden. */
export interface DocumentView extends DocumentContent {
	/** By their ids; what is not among them is hidden. */
	readonly passages: ReadonlyMap<string, StoredPassage>;
	readonly hiddenLines: readonly LineRange[];
}

/** A document as it is stored. */
export interface WholeDocument extends DocumentContent {
	readonly record: DocumentRecord;
	/** Asked for where a part is hidden. */
	readonly readPassages: () => Promise<readonly StoredPassage[]>;
}

/** Keys whose value is no class by its spelling: `type: person`. */
const TYPES_OF_FRONT_MATTER: readonly string[] = ["type", "@type"].map(propertyOf);

/** Formats in which a value may contain what is stated about a named resource. */
const NESTING_FORMATS: readonly string[] = ["html", "jsonld", "rdfxml"];

const ALL_LINES: LineRange = { start: 1, end: Number.POSITIVE_INFINITY };

/** Of a document nothing of which is shown. */
export const NOTHING_SHOWN: DocumentView = {
	resources: [],
	quads: [],
	passages: new Map(),
	hiddenLines: [ALL_LINES],
};

/** `undefined` where all of the document is shown. */
export async function viewDocument(
	document: WholeDocument,
	rules: readonly DenyRule[],
	membership: Membership,
): Promise<DocumentView | undefined> {
	const statementRules = rules.map((rule) => toStatementRule(rule, document, membership));
	const { format } = document.record;
	const canNest = NESTING_FORMATS.includes(format);
	const { visible, denied, hiddenIds } = splitStatements(document.quads, statementRules, { canNest });
	const isUnclear = isBroken(document.record);
	if (denied.length === 0 && !isUnclear) return undefined;
	const hidden = document.resources.filter(({ id }) => hiddenIds.has(id));
	const hiddenLines = isUnclear ? [ALL_LINES] : joined([...denied, ...hidden].map(({ lines }) => lines));
	const repeats = createRepeats(document.quads, denied, format === "html");
	const isShown = (quad: Quad) => !(isUnclear || (isInLines(quad.lines, hiddenLines) && repeats(quad)));
	const quads = visible.filter(isShown);
	const ranges = new Map(document.resources.map(({ id, lines }) => [id, lines]));
	const content = { resources: resourcesOf(quads, ranges), quads, hiddenLines };
	return { ...content, passages: showPassages(document.record, await document.readPassages(), content) };
}

/** Whether a part of it could not be read: nobody knows what that says. */
export function isBroken({ problems }: DocumentRecord): boolean {
	return problems.some(({ severity }) => severity === "error");
}

/** Lines that touch are one range. */
function joined(ranges: readonly LineRange[]): LineRange[] {
	const all: LineRange[] = [];
	for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
		const last = all.at(-1);
		if (!last || range.start > last.end + 1) all.push(range);
		else all[all.length - 1] = span(last, range);
	}
	return all;
}

function toStatementRule(
	rule: DenyRule,
	{ quads, record }: WholeDocument,
	membership: Membership,
): StatementRule {
	const { types } = rule;
	const isMarkdown = record.format === "markdown";
	// A front matter says `tags` and means `keywords`: a rule may use either.
	const properties = isMarkdown
		? rule.properties?.flatMap((name) => [name, propertyOf(name)])
		: rule.properties;
	const own = new Set(
		types && quads.filter((quad) => isTypeOf(quad, types)).map(({ subject }) => idOf(subject)),
	);
	return {
		...(properties && { properties }),
		speaksOf: (id) => !types || own.has(id) || membership.has(rule, id),
	};
}

function isTypeOf({ predicate, object }: Quad, types: readonly string[]): boolean {
	if (TYPES_OF_FRONT_MATTER.includes(predicate.value)) return isNamed(object.value, types);
	return predicate.value === `${RDF}type` && isSubject(object) && isNamed(object.value, types);
}

interface VisibleContent {
	readonly resources: readonly Resource[];
	readonly quads: readonly Quad[];
	readonly hiddenLines: readonly LineRange[];
}

/**
 * What verbalizes a resource is told anew from the visible statements alone. A running text that stands on a hidden
 * line is hidden, and the headings above the others may be hidden, so that they are called by their file.
 */
function showPassages(
	record: DocumentRecord,
	passages: readonly StoredPassage[],
	{ resources, quads, hiddenLines }: VisibleContent,
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

function textOf(
	passage: StoredPassage,
	{ uri }: DocumentRecord,
	hiddenLines: readonly LineRange[],
): Passage | undefined {
	if (isInLines(passage.lines, hiddenLines)) return undefined;
	return { ...passage, title: decodeURIComponent(basename(uri)) };
}
