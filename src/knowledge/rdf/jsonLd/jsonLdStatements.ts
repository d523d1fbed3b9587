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

/** Matches absolute IRIs without characters that N-Triples and SPARQL forbid. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: N-Triples and SPARQL forbid control characters in an IRI.
const ABSOLUTE_IRI = /^[a-z][a-z0-9+.-]*:[^\u0000-\u0020<>"{}|\\^`#]*(#[^\u0000-\u0020<>"{}|\\^`#]*)?$/i;

interface Expanded {
	readonly [key: string]: unknown;
	readonly [ORIGIN]?: Origin;
}

interface Scope {
	readonly graph: Subject | undefined;
	readonly subject?: Subject | undefined;
	readonly place: Place;
}

const MAX_PROBLEMS = 50;

/** Implements https://www.w3.org/TR/json-ld11-api/#deserialize-json-ld-to-rdf-algorithm without a node map. */
export class JsonLdStatements {
	readonly #quads: Quad[] = [];
	readonly #problems = new Map<string, Problem>();
	#blankNodes = 0;

	/** `around` is the place of objects without a place of their own. */
	add(expanded: unknown, around: Place): void {
		this.#addNodes(expanded, { graph: undefined, place: around });
	}

	/** Reports each message once, up to `MAX_PROBLEMS`. */
	report(problem: Problem): void {
		if (this.#problems.size < MAX_PROBLEMS && !this.#problems.has(problem.message))
			this.#problems.set(problem.message, problem);
	}

	content(): RdfContent {
		const inOrder = [...this.#quads].sort((a, b) => a.lines.start - b.lines.start);
		return { quads: inOrder, problems: [...this.#problems.values()] };
	}

	#addNodes(nodes: unknown, around: Scope): void {
		for (const node of objectsOf(nodes)) this.#addNode(node, around);
	}

	#addNode(node: Expanded, { graph, place: around }: Scope): Subject | undefined {
		const place = placeOf(node[ORIGIN]?.element) ?? around;
		const subject = "@id" in node ? this.#toSubject(node["@id"], place.lines) : this.#freshBlankNode();
		for (const [key, value] of Object.entries(node)) this.#addEntry(key, value, { graph, subject, place });
		return subject;
	}

	#addEntry(key: string, value: unknown, scope: Scope): void {
		const { subject, place } = scope;
		if (key === "@graph") {
			if (subject) this.#addNodes(value, { graph: subject, place });
		} else if (key === "@included") this.#addNodes(value, scope);
		else if (key === "@reverse") this.#addReverse(value, scope);
		else if (key === "@type") this.#addTypes(value, scope);
		else if (!key.startsWith("@"))
			for (const item of objectsOf(value))
				this.#state(key, this.#addObject(item, scope), { ...scope, lines: linesOf(item, place) });
	}

	#addReverse(map: unknown, scope: Scope): void {
		for (const [key, nodes] of objectsOf([map]).flatMap(Object.entries))
			for (const node of objectsOf(nodes)) {
				const subject = this.#addNode(node, scope);
				this.#state(key, scope.subject, { ...scope, subject, lines: linesOf(node, scope.place) });
			}
	}

	#addTypes(types: unknown, scope: Scope): void {
		const { members, lines: all } = scope.place;
		const lines = members.get("@type") ?? members.get("type") ?? all;
		for (const type of Array.isArray(types) ? types : [])
			this.#state(`${RDF}type`, this.#toSubject(type, lines), { ...scope, lines });
	}

	#addObject(item: Expanded, scope: Scope): Term | undefined {
		if ("@list" in item) return this.#addList(objectsOf(item["@list"]), scope);
		if (!("@value" in item)) return this.#addNode(item, scope);
		const literal = toLiteral(item);
		if (!literal) {
			const message = "A value has an invalid language or datatype; it is left out.";
			const severity = Array.isArray(item["@type"]) ? "error" : "warning";
			this.report({ severity, message, lines: linesOf(item, scope.place) });
		}
		return literal;
	}

	#addList(items: readonly Expanded[], scope: Scope): Subject {
		const nodes = items.map(() => this.#freshBlankNode());
		for (const [index, item] of items.entries()) {
			const cell = { ...scope, subject: nodes[index], lines: linesOf(item, scope.place) };
			this.#state(`${RDF}first`, this.#addObject(item, scope), cell);
			this.#state(`${RDF}rest`, nodes[index + 1] ?? namedNode(`${RDF}nil`), cell);
		}
		return nodes[0] ?? namedNode(`${RDF}nil`);
	}

	#state(key: string, object: Term | undefined, scope: Scope & { readonly lines: LineRange }): void {
		const { graph, subject, lines } = scope;
		if (subject && object && ABSOLUTE_IRI.test(key))
			this.#quads.push({ subject, predicate: namedNode(key), object, ...(graph && { graph }), lines });
	}

	#toSubject(id: unknown, lines: LineRange): Subject | undefined {
		if (typeof id !== "string") return undefined;
		if (id.startsWith("_:")) return { termType: "BlankNode", value: JSON.stringify(id.slice(2)) };
		if (ABSOLUTE_IRI.test(id)) return namedNode(id);
		const message = `"${id.slice(0, 80)}" is not a valid IRI; statements with it are left out.`;
		this.report({ severity: "warning", message, lines });
		return undefined;
	}

	#freshBlankNode(): BlankNode {
		return { termType: "BlankNode", value: `${this.#blankNodes++}` };
	}
}

/** Lines of an object; for other values, lines of the key. */
function linesOf(item: Expanded, around: Place): LineRange {
	const { element, key = "" } = item[ORIGIN] ?? {};
	return placeOf(element)?.lines ?? around.members.get(key) ?? around.lines;
}

function objectsOf(value: unknown): Expanded[] {
	const items: unknown[] = Array.isArray(value) ? value : [];
	return items.filter((item): item is Expanded => typeof item === "object" && item !== null);
}

const LANGUAGE = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;

/** Converts a value; `undefined` if the language or datatype is invalid. */
function toLiteral(value: Readonly<Record<string, unknown>>): Literal | undefined {
	const content = value["@value"];
	const datatype = value["@type"];
	const language = value["@language"];
	if (datatype === "@json") return literal(canonicalJson(content), `${RDF}JSON`);
	if (typeof language === "string")
		return LANGUAGE.test(language) ? literal(String(content), undefined, language) : undefined;
	if (datatype !== undefined && !(typeof datatype === "string" && ABSOLUTE_IRI.test(datatype)))
		return undefined;
	if (typeof content === "number") return toNumber(content, datatype);
	if (typeof content === "boolean") return literal(`${content}`, datatype ?? `${XSD}boolean`);
	return literal(String(content), datatype);
}

/** Formats a number as in https://www.w3.org/TR/json-ld11-api/#data-round-tripping. */
function toNumber(content: number, datatype = isWhole(content) ? `${XSD}integer` : `${XSD}double`): Literal {
	const isDouble = !isWhole(content) || datatype === `${XSD}double`;
	const canonical = content.toExponential(15).replace(/(\d)0*e\+?/, "$1E");
	return literal(isDouble ? canonical : content.toFixed(0), datatype);
}

function isWhole(content: number): boolean {
	return Number.isInteger(content) && Math.abs(content) < 1e21;
}

/** Serializes JSON according to RFC 8785: sorted keys, no white space. */
function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
