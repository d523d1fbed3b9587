import { RDF, XSD } from "../../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../../core/knowledge/citation.ts";
import type { Problem } from "../../../core/knowledge/document.ts";
import {
	type BlankNode,
	type Literal,
	literal,
	namedNode,
	type Quad,
	type Subject,
	type Term,
} from "../../../core/knowledge/rdf.ts";
import type { RdfContent } from "../rdfDocument.ts";
import { type Place, placeOf } from "./locatedJson.ts";
import { ORIGIN, type Origin } from "./tracedExpand.ts";

/** Absolute IRI without characters that N-Triples and SPARQL forbid. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: N-Triples and SPARQL forbid control characters in an IRI.
const ABSOLUTE_IRI = /^[a-z][a-z0-9+.-]*:[^\u0000-\u0020<>"{}|\\^`#]*(#[^\u0000-\u0020<>"{}|\\^`#]*)?$/i;

function isAbsoluteIri(value: string): boolean {
	return ABSOLUTE_IRI.test(value);
}

interface Expanded {
	readonly [key: string]: unknown;
	readonly [ORIGIN]?: Origin;
}

interface Scope {
	readonly graph: Subject | undefined;
	readonly place: Place;
}

export interface Statements {
	readonly quads: Quad[];
	readonly problems: Map<string, Problem>;
	blankNodes: number;
}

const MAX_PROBLEMS = 50;

export function createStatements(): Statements {
	return { quads: [], problems: new Map(), blankNodes: 0 };
}

/** Follows https://www.w3.org/TR/json-ld11-api/#deserialize-json-ld-to-rdf-algorithm without the node map, which is quadratic in the library. `around`: place of objects without one. */
export function addExpanded(statements: Statements, expanded: readonly unknown[], around: Place): void {
	for (const node of objectsOf(expanded)) addNode(statements, node, { graph: undefined, place: around });
}

/** Each message once, and only as many as users would read. */
export function addProblem({ problems }: Statements, problem: Problem): void {
	if (problems.size < MAX_PROBLEMS && !problems.has(problem.message)) problems.set(problem.message, problem);
}

/** Sorts quads by line. */
export function contentOf({ quads, problems }: Statements): RdfContent {
	const inOrder = [...quads].sort((a, b) => a.lines.start - b.lines.start);
	return { quads: inOrder, problems: [...problems.values()] };
}

/** Returns the node's name if it is valid. */
function addNode(statements: Statements, node: Expanded, around: Scope): Subject | undefined {
	const scope = { graph: around.graph, place: placeOf(node[ORIGIN]?.element) ?? around.place };
	const subject =
		"@id" in node ? toSubject(statements, node["@id"], scope.place.lines) : freshBlankNode(statements);
	for (const [key, value] of Object.entries(node)) {
		if (key.startsWith("@")) addKeyword(statements, { subject, key, value }, scope);
		else addValues(statements, { subject, key, value }, scope);
	}
	return subject;
}

interface Entry {
	readonly subject: Subject | undefined;
	readonly key: string;
	readonly value: unknown;
}

function addKeyword(statements: Statements, { subject, key, value }: Entry, scope: Scope): void {
	switch (key) {
		case "@graph":
			if (subject) addNodes(statements, value, { graph: subject, place: scope.place });
			break;
		case "@included":
			addNodes(statements, value, scope);
			break;
		case "@reverse":
			addReverse(statements, value, subject, scope);
			break;
		case "@type":
			addTypes(statements, value, subject, scope);
			break;
	}
}

function addNodes(statements: Statements, nodes: unknown, scope: Scope): void {
	for (const node of objectsOf(nodes)) addNode(statements, node, scope);
}

function addReverse(statements: Statements, map: unknown, object: Subject | undefined, scope: Scope): void {
	for (const properties of objectsOf([map])) {
		for (const [key, nodes] of Object.entries(properties)) {
			for (const node of objectsOf(nodes)) {
				const subject = addNode(statements, node, scope);
				add(statements, { subject, key, object }, { graph: scope.graph, lines: linesOf(node, scope.place) });
			}
		}
	}
}

function addTypes(statements: Statements, types: unknown, subject: Subject | undefined, scope: Scope): void {
	const { members, lines } = scope.place;
	const where = { graph: scope.graph, lines: members.get("@type") ?? members.get("type") ?? lines };
	for (const type of Array.isArray(types) ? types : []) {
		add(statements, { subject, key: `${RDF}type`, object: toSubject(statements, type, where.lines) }, where);
	}
}

function addValues(statements: Statements, { subject, key, value }: Entry, scope: Scope): void {
	for (const item of objectsOf(value)) {
		const where = { graph: scope.graph, lines: linesOf(item, scope.place) };
		add(statements, { subject, key, object: addObject(statements, item, scope) }, where);
	}
}

/** Adds what the value itself says and returns its term. */
function addObject(statements: Statements, item: Expanded, scope: Scope): Term | undefined {
	if ("@list" in item) return addList(statements, objectsOf(item["@list"]), scope);
	if (!("@value" in item)) return addNode(statements, item, scope);
	const literal = toLiteral(item);
	if (!literal) {
		const message = "A value has an invalid language or datatype; it is left out.";
		const severity = Array.isArray(item["@type"]) ? "error" : "warning";
		addProblem(statements, { severity, message, lines: linesOf(item, scope.place) });
	}
	return literal;
}

function addList(statements: Statements, items: readonly Expanded[], scope: Scope): Subject {
	const nodes = items.map(() => freshBlankNode(statements));
	for (const [index, item] of items.entries()) {
		const subject = nodes[index];
		const rest = nodes[index + 1] ?? namedNode(`${RDF}nil`);
		const where = { graph: scope.graph, lines: linesOf(item, scope.place) };
		add(statements, { subject, key: `${RDF}first`, object: addObject(statements, item, scope) }, where);
		add(statements, { subject, key: `${RDF}rest`, object: rest }, where);
	}
	return nodes[0] ?? namedNode(`${RDF}nil`);
}

function add(
	{ quads }: Statements,
	{ subject, key, object }: { subject: Subject | undefined; key: string; object: Term | undefined },
	{ graph, lines }: { readonly graph: Subject | undefined; readonly lines: LineRange },
): void {
	if (!subject || !object || !isAbsoluteIri(key)) return;
	quads.push({ subject, predicate: namedNode(key), object, ...(graph && { graph }), lines });
}

function toSubject(statements: Statements, id: unknown, lines: LineRange): Subject | undefined {
	if (typeof id !== "string") return undefined;
	if (id.startsWith("_:")) return { termType: "BlankNode", value: JSON.stringify(id.slice(2)) };
	if (isAbsoluteIri(id)) return namedNode(id);
	const message = `"${id.slice(0, 80)}" is not a valid IRI; statements with it are left out.`;
	addProblem(statements, { severity: "warning", message, lines });
	return undefined;
}

function freshBlankNode(statements: Statements): BlankNode {
	return { termType: "BlankNode", value: `${statements.blankNodes++}` };
}

/** Objects have lines of their own, other values those of their key. */
function linesOf(item: Expanded, around: Place): LineRange {
	const { element, key = "" } = item[ORIGIN] ?? {};
	return placeOf(element)?.lines ?? around.members.get(key) ?? around.lines;
}

function objectsOf(value: unknown): Expanded[] {
	const items: unknown[] = Array.isArray(value) ? value : [];
	return items.filter((item): item is Expanded => typeof item === "object" && item !== null);
}

/** Syntax of BCP 47. */
const LANGUAGE = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;

/** `undefined` if the language or datatype is invalid. */
function toLiteral(value: Readonly<Record<string, unknown>>): Literal | undefined {
	const content = value["@value"];
	const datatype = value["@type"];
	const language = value["@language"];
	if (datatype === "@json") return literal(canonicalJson(content), `${RDF}JSON`);
	if (typeof language === "string")
		return LANGUAGE.test(language) ? literal(String(content), undefined, language) : undefined;
	if (datatype !== undefined && !(typeof datatype === "string" && isAbsoluteIri(datatype))) return undefined;
	if (typeof content === "number") return toNumber(content, datatype);
	if (typeof content === "boolean") return literal(`${content}`, datatype ?? `${XSD}boolean`);
	return literal(String(content), datatype);
}

/** See https://www.w3.org/TR/json-ld11-api/#data-round-tripping. */
function toNumber(content: number, datatype = isWhole(content) ? `${XSD}integer` : `${XSD}double`): Literal {
	const isDouble = !isWhole(content) || datatype === `${XSD}double`;
	const canonical = content.toExponential(15).replace(/(\d)0*e\+?/, "$1E");
	return literal(isDouble ? canonical : content.toFixed(0), datatype);
}

function isWhole(content: number): boolean {
	return Number.isInteger(content) && Math.abs(content) < 1e21;
}

/** RFC 8785: sorted keys, no white space. */
function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
