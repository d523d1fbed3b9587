import { EventEmitter } from "node:events";
import type { DataFactory } from "@rdfjs/types";
import { Parser } from "n3";
import { RDF } from "../../base/rdf/vocabulary.ts";
import type { ParsedDocument, Problem } from "../../core/knowledge/document.ts";
import type { Literal, NamedNode, Quad, Subject, Term } from "../../core/knowledge/rdf.ts";
import type { Parse, Source } from "../passages/format.ts";
import { only } from "../passages/lines.ts";
import { literal, namedNode } from "../resources/terms.ts";
import { nextStatement, type Rest, type TurtleSyntax } from "./nextStatement.ts";
import { toRdfDocument } from "./rdfDocument.ts";

export const turtle: Parse = (source) => parse(source, "Turtle");
export const trig: Parse = (source) => parse(source, "TriG");
export const nTriples: Parse = (source) => parse(source, "N-Triples");
export const nQuads: Parse = (source) => parse(source, "N-Quads");

interface TurtleOptions {
	readonly syntax: TurtleSyntax;
	/** Absolute IRI that relative ones are resolved against. */
	readonly base: string;
}

/** After this many errors, the rest of a text is not worth reading. */
const MAX_ERRORS = 50;

/** Every level that is open takes memory. */
const MAX_DEPTH = 50_000;

const DEPTH: Readonly<Record<string, number>> = { "[": 1, "(": 1, "]": -1, ")": -1 };

const TRIPLE_TERMS = "Statements with triple terms (RDF 1.2) are left out.";

/** As much of a token of the n3 library as is needed to tell where a term stands. */
interface Token {
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
interface LocatedQuad {
	readonly subject: LocatedTerm;
	readonly predicate: LocatedTerm;
	readonly object: LocatedTerm;
	readonly graph: LocatedTerm;
}

type Cursor = ReturnType<typeof createCursor>;

function parse(source: Source, syntax: TurtleSyntax): ParsedDocument {
	return toRdfDocument(source, readTurtle(source.text, { syntax, base: source.uri }));
}

/**
 * Reads the quads of a text of the Turtle family. What stands before an error is kept, and reading goes on after it
 * where a new statement is sure to begin. Blank nodes have labels of this text alone.
 */
export function readTurtle(text: string, { syntax, base }: TurtleOptions) {
	const reading = createReading({ syntax, base });
	let rest: Rest | undefined = { text, line: 1 };
	while (rest && reading.problems.length < MAX_ERRORS) {
		const errorLine = readUntilError(reading, rest);
		rest = errorLine === undefined ? undefined : nextStatement(rest, errorLine, syntax);
	}
	if (rest)
		reading.problems.push(problem(rest.line, "There are more errors; the rest of the file is not read."));
	return { quads: reading.quads, problems: reading.problems };
}

interface Reading {
	readonly options: { readonly format: string; readonly baseIRI: string };
	readonly quads: Quad[];
	readonly problems: Problem[];
	readonly cursor: Cursor;
	readonly factory: ReturnType<typeof createLocatedTerms>;
	readonly prefixes: Map<string, string>;
	/** In the order of their declarations: one may be relative to the one before. */
	bases: string[];
}

function createReading({ syntax, base }: TurtleOptions): Reading {
	const cursor = createCursor();
	return {
		options: { format: syntax, baseIRI: base },
		quads: [],
		problems: [],
		cursor,
		factory: createLocatedTerms(cursor),
		prefixes: new Map(),
		bases: [],
	};
}

/** Thrown through the library, which would else take the rest of the text apart for nothing. */
class TurtleError extends Error {
	override readonly name = "TurtleError";
	readonly line: number;

	constructor(line: number, message: string) {
		super(message);
		this.line = line;
	}
}

/** Reads statements until the end or the first error, whose line it returns. */
function readUntilError(reading: Reading, { text, line }: Rest): number | undefined {
	const { options, factory, prefixes, problems } = reading;
	const parser = new Parser({ ...options, factory, blankNodePrefix: "_:" });
	const declarations = declarationsOf(reading);
	const offset = line - 1;
	reading.bases = [];
	const listeners = {
		onQuad(error: Error | null, quad: unknown) {
			if (error) throw new TurtleError(lineOf(error) + offset, error.message.replace(/ on line \d+\.$/, "."));
			if (quad) addQuad(reading, quad as LocatedQuad);
		},
		onPrefix: (prefix: string, { value }: { value: string }) => prefixes.set(prefix, value),
		onToken: createTokenListener(reading, offset),
	};
	// A stream that we emit on ourselves: the library reads a string either later or into an array of all its tokens.
	const stream = new EventEmitter();
	parser.parse(stream, listeners);
	try {
		stream.emit("data", declarations + text);
		stream.emit("end");
		return undefined;
	} catch (thrown) {
		if (!(thrown instanceof TurtleError)) throw thrown;
		problems.push(problem(thrown.line, thrown.message));
		return thrown.line;
	}
}

/** What was declared so far, on one line: it stands before the line where reading goes on. */
function declarationsOf({ bases, prefixes }: Reading): string {
	const declared = [
		...bases.map((base) => `@base <${base}> . `),
		...[...prefixes].map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> . `),
	];
	return declared.join("");
}

function createTokenListener(reading: Reading, offset: number): (token: Token) => void {
	let previous = "";
	let depth = 0;
	return (token) => {
		reading.cursor.enter(token, offset);
		if (token.type === "IRI" && /^@?base$/i.test(previous)) reading.bases.push(token.value);
		previous = token.type;
		depth += DEPTH[token.type] ?? 0;
		if (depth > MAX_DEPTH) {
			throw new TurtleError(token.line + offset, `Nesting deeper than ${MAX_DEPTH} levels is not read.`);
		}
	};
}

function addQuad({ quads, problems, cursor }: Reading, located: LocatedQuad): void {
	const quad = toQuad(located, cursor.previousEnd());
	if (quad) quads.push(quad);
	else if (problems.every(({ message }) => message !== TRIPLE_TERMS)) {
		problems.push({ ...problem(cursor.previousEnd(), TRIPLE_TERMS), severity: "warning" });
	}
}

/** The library's errors know their line. */
function lineOf(error: Error): number {
	const context = "context" in error ? error.context : undefined;
	return (context as { readonly line?: number } | undefined)?.line ?? 1;
}

function problem(line: number, message: string): Problem {
	return { severity: "error", message, lines: only(line) };
}

function createCursor() {
	let token: { readonly start: number; readonly end: number } | undefined;
	let quoted: typeof token;
	let previousEnd = 1;
	return {
		/** The next token, before the parser reads it. `offset` is added to its lines. */
		enter({ type, line, endLine = line }: Token, offset: number): void {
			previousEnd = token?.end ?? 1;
			token = { start: line + offset, end: endLine + offset };
			if (type === "literal") quoted = token;
		},
		/** The lines of the token; for a literal those of its quotes, which the parser has left when it makes the term. */
		linesFor: (termType: string) => (termType === "Literal" ? quoted : token),
		/** The last line of the token before this one. */
		previousEnd: () => previousEnd,
	};
}

/** Makes the terms of one document for the n3 library, in our shape and with the lines where the cursor is. */
function createLocatedTerms(cursor: Cursor): DataFactory {
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
function toQuad({ subject, predicate, object, graph }: LocatedQuad, previousEnd: number): Quad | undefined {
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
