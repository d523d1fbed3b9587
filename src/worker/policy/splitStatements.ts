import { KEYS, OWL, RDF } from "../../base/rdf/vocabulary.ts";
import { pushTo } from "../../base/values.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { idOf, isSubject, type NamedNode, type Quad, type Subject } from "../../core/knowledge/rdf.ts";
import { FRONT_MATTER_KEYS } from "../../knowledge/markdown/markdownFacts.ts";

export interface StatementRule {
	/** As in `DenyRule`. If omitted, whole resources are hidden. */
	readonly properties?: readonly string[];
	readonly speaksOf: (id: string) => boolean;
}

/** Whether a name equals the IRI, its last segment, or one of its front matter keys, ignoring case. */
export function isNamed(iri: string, names: readonly string[]): boolean {
	const whole = plain(iri);
	const segment = lastSegment(whole);
	const all = [whole, segment, decoded(segment), ...keysIn(iri)];
	return names.some((name) => all.includes(plain(name)));
}

function keysIn(iri: string): string[] {
	const [start, keys = ""] = iri.split(FRONT_MATTER_KEYS);
	// A foreign IRI may begin like a key IRI, and contain percent signs that are not escapes.
	return start === "" ? decoded(keys).split(".") : [];
}

function decoded(segment: string): string {
	const decode = (escapes: string) => Buffer.from(escapes.replaceAll("%", ""), "hex").toString();
	return plain(segment.replace(/(?:%[\dA-F]{2})+/gi, decode));
}

function plain(name: string): string {
	return name
		.normalize("NFC")
		.toLowerCase()
		.replace(/^http:/, "https:");
}

/**
 * Denies statements that a rule names, statements to or from a hidden resource, and statements about parts of
 * a denied value. Parts are blank nodes, objects in a record and, if `canNest`, named resources on the lines
 * of the value.
 */
export function splitStatements(
	quads: readonly Quad[],
	rules: readonly StatementRule[],
	{ canNest = false } = {},
) {
	const whole = rules.filter(({ properties }) => !properties);
	const isHidden = (id: string) => whole.some(({ speaksOf }) => speaksOf(id));
	const about = aboutEach(quads);
	const denied = new Set<Quad>();
	const hiddenIds = new Set<string>();
	const waiting = namedBy(rules, quads);
	const hiddenWith = createHiddenWith(quads, new Set(waiting));
	const nestedIn = canNest ? createNested(quads) : () => [];
	const hide = (id: string) => {
		if (hiddenIds.has(id)) return;
		hiddenIds.add(id);
		for (const quad of about.get(id) ?? []) waiting.push(quad);
	};
	for (const id of [...about.keys()].filter(isHidden)) hide(id);
	for (let quad = waiting.pop(); quad; quad = waiting.pop()) {
		if (denied.has(quad)) continue;
		denied.add(quad);
		for (const id of hiddenWith(quad)) hide(id);
		for (const part of nestedIn(quad)) waiting.push(part);
	}
	return { visible: quads.filter((quad) => !denied.has(quad)), denied: [...denied], hiddenIds };
}

function aboutEach(quads: readonly Quad[]): Map<string, Quad[]> {
	const about = new Map<string, Quad[]>();
	for (const quad of quads) {
		const { subject, object, graph } = quad;
		for (const term of [subject, object, graph]) if (term && isSubject(term)) pushTo(about, idOf(term), quad);
	}
	return about;
}

function createHiddenWith(quads: readonly Quad[], named: ReadonlySet<Quad>) {
	const isValue = createValues(quads, named);
	return (quad: Quad): string[] => {
		const parts = isPartLink(quad) || isValue(quad) ? [idOf(quad.object)] : [];
		return REIFYING.includes(quad.predicate.value) ? [...parts, idOf(quad.subject)] : parts;
	};
}

function namedBy(rules: readonly StatementRule[], quads: readonly Quad[]): Quad[] {
	const links = new Map(quads.filter(isRecordLink).map((quad) => [quad.object.value, quad]));
	const isReified = createReified(quads);
	return quads.filter((quad) => rules.some((rule) => tells(rule, quad, links) || isReified(rule, quad)));
}

function createNested(quads: readonly Quad[]) {
	const stated = Map.groupBy(quads, ({ subject }) => subject.value);
	return ({ subject, object, lines }: Quad): Quad[] => {
		// In a reverse link (`@reverse`), the subject is nested.
		const ends = lines.start < lines.end ? [subject, object] : [object];
		const parts = isSubject(object) ? ends.flatMap(({ value }) => stated.get(value) ?? []) : [];
		return parts.filter((part) => isWithin(part.lines, lines));
	};
}

/** Predicates of RDF reification and OWL annotations. */
const REIFIED_SUBJECT = [`${RDF}subject`, `${OWL}annotatedSource`];
const REIFIED_PREDICATE = [`${RDF}predicate`, `${OWL}annotatedProperty`];
const REIFYING = [...REIFIED_SUBJECT, ...REIFIED_PREDICATE, `${RDF}object`, `${OWL}annotatedTarget`];

function createReified(quads: readonly Quad[]) {
	const subjects = new Map(
		quads
			.filter(({ predicate }) => REIFIED_SUBJECT.includes(predicate.value))
			.map(({ subject, object }) => [subject.value, object]),
	);
	return ({ properties, speaksOf }: StatementRule, { subject, predicate, object }: Quad): boolean => {
		if (!properties || !REIFIED_PREDICATE.includes(predicate.value)) return false;
		const about = subjects.get(subject.value);
		return isNamed(object.value, properties) && (!about || !isSubject(about) || speaksOf(idOf(about)));
	};
}

/** Whether the object is only a value of the named statement: without class, name or other links to the object. */
function createValues(quads: readonly Quad[], named: ReadonlySet<Quad>) {
	const things = new Set(quads.filter(isNaming).map(({ subject }) => idOf(subject)));
	const toNodes = quads.filter(({ object }) => isSubject(object));
	const leading = Map.groupBy(toNodes, ({ object }) => object.value);
	return (quad: Quad): quad is LinkToPart =>
		named.has(quad) &&
		quad.object.termType === "NamedNode" &&
		!things.has(idOf(quad.object)) &&
		(leading.get(quad.object.value) ?? []).every(({ predicate }) => predicate.value === quad.predicate.value);
}

const NAMES = ["label", "name", "title", "prefLabel"];

function isNaming({ predicate }: Quad): boolean {
	return predicate.value === `${RDF}type` || NAMES.includes(lastSegment(predicate.value));
}

type RecordLink = Quad & { readonly object: NamedNode };

/** Whether a statement leads from a record to an object in the record, whose IRI begins with the record's IRI. */
function isRecordLink(quad: Quad): quad is RecordLink {
	const { subject, predicate, object } = quad;
	const isBelow = ["#/", "/"].some((step) => object.value.startsWith(`${subject.value}${step}`));
	return object.termType === "NamedNode" && predicate.value.startsWith(KEYS) && isBelow;
}

type LinkToPart = Quad & { readonly object: Subject };

function isPartLink(quad: Quad): quad is LinkToPart {
	return quad.object.termType === "BlankNode" || isRecordLink(quad);
}

/** Whether a rule names a statement. In a record, the rule may use the path of keys, separated by dots. */
function tells({ properties, speaksOf }: StatementRule, quad: Quad, links: ReadonlyMap<string, RecordLink>) {
	if (!properties) return false;
	const way = [quad];
	for (let link = links.get(quad.subject.value); link; link = links.get(link.subject.value))
		way.unshift(link);
	const path = way.map(({ predicate }) => decoded(lastSegment(predicate.value))).join(".");
	const isTold = isNamed(quad.predicate.value, properties) || properties.some((name) => plain(name) === path);
	return isTold && way.some(({ subject }) => speaksOf(idOf(subject)));
}

export function isInLines({ start, end }: LineRange, ranges: readonly LineRange[]): boolean {
	return ranges.some((range) => range.start <= end && range.end >= start);
}

export function isWithin(inner: LineRange, outer: LineRange): boolean {
	return outer.start <= inner.start && inner.end <= outer.end;
}

function lastSegment(iri: string): string {
	return /[^/#:]*(?=[/#]*$)/.exec(iri)?.[0] ?? iri;
}
