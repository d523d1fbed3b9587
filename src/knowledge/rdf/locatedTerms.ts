import type { DataFactory } from "@rdfjs/types";
import { RDF } from "../../base/rdf/vocabulary.ts";
import type { Literal, NamedNode, Quad, Subject, Term } from "../../core/knowledge/rdf.ts";
import { literal, namedNode } from "../resources/terms.ts";

/** As much of a token of the n3 library as is needed to tell where a term stands. */
export interface Token {
	readonly type: string;
	readonly value: string;
	readonly line: number;
	/** Only where it differs from `line`. */
	readonly endLine?: number;
}

/** A term as the parser holds it while it puts a statement together. */
interface LocatedTerm {
	readonly termType: string;
	/** The parser shows it in its messages. */
	readonly id: string;
	readonly value: string;
	/** Nothing for what has no place in RDF 1.1. */
	readonly term: Term | undefined;
	/** Nothing for terms that no token stands for, such as `rdf:first`. */
	readonly start: number | undefined;
	readonly end: number | undefined;
	/** Whether a statement about it was made: the first one begins at the subject, the others at their predicates. */
	isUsed: boolean;
}

/** A statement as the parser hands it over. */
export interface LocatedQuad {
	readonly subject: LocatedTerm;
	readonly predicate: LocatedTerm;
	readonly object: LocatedTerm;
	readonly graph: LocatedTerm;
}

/** Where the parser is. */
export interface Cursor {
	/** Tells it of the next token, before the parser reads it. `offset` is added to its lines. */
	enter(token: Token, offset: number): void;
	/** The lines of the token, for a literal those of its quotes, which the parser has left when it makes the term. */
	linesFor(termType: string): { readonly start: number; readonly end: number } | undefined;
	/** The last line of the token before this one. */
	previousEnd(): number;
}

export function createCursor(): Cursor {
	let token: { readonly start: number; readonly end: number } | undefined;
	let quoted: typeof token;
	let previousEnd = 1;
	return {
		enter({ type, line, endLine = line }, offset) {
			previousEnd = token?.end ?? 1;
			token = { start: line + offset, end: endLine + offset };
			if (type === "literal") quoted = token;
		},
		linesFor: (termType) => (termType === "Literal" ? quoted : token),
		previousEnd: () => previousEnd,
	};
}

/** Makes the terms of one document for the n3 library, in our shape and with the lines where the cursor is. */
export function createLocatedTerms(cursor: Cursor): DataFactory {
	const names = new Map<string, NamedNode>();
	let blankNodes = 0;

	function locate(termType: string, term?: Term): LocatedTerm {
		const { start, end } = cursor.linesFor(termType) ?? {};
		const value = term?.value ?? "";
		return { termType, id: value, value, term, start, end, isUsed: false };
	}

	function toName(value: string): NamedNode {
		const name = names.get(value) ?? namedNode(value);
		names.set(value, name);
		return name;
	}

	const factory = {
		namedNode: (value: string) => locate("NamedNode", toName(value)),
		blankNode: (label = ` ${blankNodes++}`) => locate("BlankNode", { termType: "BlankNode", value: label }),
		literal: (value: string, kind?: LiteralKind) => locate("Literal", toLiteral(value, kind)),
		variable: () => locate("Variable"),
		defaultGraph: () => locate("DefaultGraph"),
		quad: (subject: LocatedTerm, predicate: LocatedTerm, object: LocatedTerm, graph: LocatedTerm) => ({
			...locate("Quad"),
			subject,
			predicate,
			object,
			graph,
		}),
	};
	// The library passes terms on as they are, and asks for nothing but these fields.
	return factory as unknown as DataFactory;
}

/** The statement in our terms; nothing where it has a term of RDF 1.2. */
export function toQuad(
	{ subject, predicate, object, graph }: LocatedQuad,
	previousEnd: number,
): Quad | undefined {
	const start =
		(subject.isUsed ? undefined : subject.start) ?? predicate.start ?? object.start ?? previousEnd;
	const end = object.termType === "BlankNode" ? previousEnd : (object.end ?? start);
	subject.isUsed = true;
	const [name, property, graphName] = [toSubject(subject), toSubject(predicate), toSubject(graph)];
	if (!name || property?.termType !== "NamedNode" || !object.term) return undefined;
	const lines = { start, end: Math.max(start, end) };
	return {
		subject: name,
		predicate: property,
		object: object.term,
		...(graphName && { graph: graphName }),
		lines,
	};
}

type LiteralKind = string | { readonly language: string } | { readonly value: string };

function toLiteral(value: string, kind: LiteralKind = ""): Literal {
	if (typeof kind === "object" && "value" in kind) return literal(value, kind.value);
	const language = typeof kind === "string" ? kind : kind.language;
	if (language === "") return literal(value);
	return { ...literal(value, `${RDF}langString`), language: language.toLowerCase() };
}

function toSubject({ term }: LocatedTerm): Subject | undefined {
	return term?.termType === "Literal" ? undefined : term;
}
