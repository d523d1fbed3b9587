import { EventEmitter } from "node:events";
import type { DataFactory } from "@rdfjs/types";
import { Parser } from "n3";
import { memoize } from "../../base/jobs/lazily.ts";
import { type ParsedDocument, type Problem, problemAt } from "../../core/knowledge/document.ts";
import {
	isSubject,
	type Literal,
	literal,
	namedNode,
	type Quad,
	type Subject,
	type Term,
} from "../../core/knowledge/rdf.ts";
import type { Parse, Source } from "../passages/format.ts";
import { toRdfDocument } from "./rdfDocument.ts";

export const turtle: Parse = (source) => parse(source, "Turtle");
export const trig: Parse = (source) => parse(source, "TriG");
export const nTriples: Parse = (source) => parse(source, "N-Triples");
export const nQuads: Parse = (source) => parse(source, "N-Quads");

interface TurtleOptions {
	readonly syntax: TurtleSyntax;
	/** Absolute IRI. */
	readonly base: string;
}

/** After this many errors, the rest of a text is not worth reading. */
const MAX_ERRORS = 50;

/** Every open level takes memory. */
const MAX_DEPTH = 50_000;

const DEPTH: Readonly<Record<string, number>> = { "[": 1, "(": 1, "]": -1, ")": -1 };

const TRIPLE_TERMS = "Statements with triple terms (RDF 1.2) are left out.";

/** Fields of n3's tokens that locate terms. */
interface Token {
	readonly type: string;
	readonly value: string;
	readonly line: number;
	/** Only if it differs from `line`. */
	readonly endLine?: number;
}

interface LocatedTerm {
	readonly termType: string;
	/** n3 shows it in messages. */
	readonly id: string;
	readonly value: string;
	/** `undefined` for terms beyond RDF 1.1. */
	readonly term: Term | undefined;
	/** `undefined` for terms without a token, such as `rdf:first`. */
	readonly start: number | undefined;
	readonly end: number | undefined;
	/** Whether the subject has a statement: the first one begins at the subject, others at their predicates. */
	isUsed: boolean;
}

type LocatedQuad = Readonly<Record<"subject" | "predicate" | "object" | "graph", LocatedTerm>>;

type Cursor = ReturnType<typeof createCursor>;

function parse(source: Source, syntax: TurtleSyntax): ParsedDocument {
	return toRdfDocument(source, readTurtle(source.text, { syntax, base: source.uri }));
}

/** Keeps statements before an error and continues where a new statement surely begins. Blank node labels are local to the text. */
export function readTurtle(text: string, { syntax, base }: TurtleOptions) {
	const reading = createReading({ syntax, base });
	let rest: Rest | undefined = { text, line: 1 };
	while (rest && reading.problems.length < MAX_ERRORS) {
		const errorLine = readUntilError(reading, rest);
		rest = errorLine === undefined ? undefined : nextStatement(rest, errorLine, syntax);
	}
	if (rest)
		reading.problems.push(problemAt(rest.line, "There are more errors; the rest of the file is not read."));
	return { quads: reading.quads, problems: reading.problems };
}

type Reading = ReturnType<typeof createReading>;

function createReading({ syntax, base }: TurtleOptions) {
	const cursor = createCursor();
	/** In order of declaration: each may be relative to the one before. */
	const bases: string[] = [];
	return {
		options: { format: syntax, baseIRI: base },
		quads: [] as Quad[],
		problems: [] as Problem[],
		cursor,
		factory: createLocatedTerms(cursor),
		prefixes: new Map<string, string>(),
		bases,
	};
}

/** Thrown through the library, which would otherwise tokenize the rest of the text. */
class TurtleError extends Error {
	override readonly name = "TurtleError";
	readonly line: number;

	constructor(line: number, message: string) {
		super(message);
		this.line = line;
	}
}

/** Returns the line of the first error. */
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
	// A stream of our own: the library reads strings later, or into an array of all tokens.
	const stream = new EventEmitter();
	parser.parse(stream, listeners);
	try {
		stream.emit("data", declarations + text);
		stream.emit("end");
		return undefined;
	} catch (thrown) {
		if (!(thrown instanceof TurtleError)) throw thrown;
		problems.push(problemAt(thrown.line, thrown.message));
		return thrown.line;
	}
}

/** On one line, which precedes the line where reading continues. */
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
		problems.push(problemAt(cursor.previousEnd(), TRIPLE_TERMS, "warning"));
	}
}

function lineOf(error: Error): number {
	const context = "context" in error ? error.context : undefined;
	return (context as { readonly line?: number } | undefined)?.line ?? 1;
}

function createCursor() {
	let token: { readonly start: number; readonly end: number } | undefined;
	let quoted: typeof token;
	let previousEnd = 1;
	return {
		/** Called for each token before the parser reads it; `offset` is added to its lines. */
		enter({ type, line, endLine = line }: Token, offset: number): void {
			previousEnd = token?.end ?? 1;
			token = { start: line + offset, end: endLine + offset };
			if (type === "literal") quoted = token;
		},
		/** For literals, the lines of the quotes: the parser has left them when it makes the term. */
		linesFor: (termType: string) => (termType === "Literal" ? quoted : token),
		previousEnd: () => previousEnd,
	};
}

/** Terms of one document for n3, in our shape and with the cursor's lines. */
function createLocatedTerms(cursor: Cursor): DataFactory {
	const toName = memoize(namedNode);
	let blankNodes = 0;

	function locate(termType: string, term?: Term): LocatedTerm {
		const { start, end } = cursor.linesFor(termType) ?? {};
		const value = term?.value ?? "";
		return { termType, id: value, value, term, start, end, isUsed: false };
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
	// The library passes terms through and reads only these fields.
	return factory as unknown as DataFactory;
}

/** `undefined` for terms of RDF 1.2. */
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
	return literal(value, undefined, typeof kind === "string" ? kind : kind.language);
}

function toSubject({ term }: LocatedTerm): Subject | undefined {
	return term && isSubject(term) ? term : undefined;
}

type TurtleSyntax = "Turtle" | "TriG" | "N-Triples" | "N-Quads";

export interface Rest {
	readonly text: string;
	readonly line: number;
}

const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/y;

/** Beginning of a statement or declaration at the start of a line. */
const BEGINNING = /^(?:@?prefix\b|@?base\b|<|_:|\[|\(|[\p{L}\p{N}._-]*:)/iu;

/** Line that ends a statement: a dot, and maybe a comment. */
const ENDING = /\.\s*(?:#.*)?$/;

/** Where to continue after an error: in N-Triples and N-Quads on the next line, in Turtle between two statements; nowhere in TriG, because the graph would be unknown. */
function nextStatement({ text, line }: Rest, errorLine: number, syntax: TurtleSyntax): Rest | undefined {
	if (syntax === "TriG") return undefined;
	const isOver = (previous: string, current: string) =>
		syntax !== "Turtle" || (ENDING.test(previous) && BEGINNING.test(current));
	let previous = "";
	let offset = 0;
	for (let number = line; offset < text.length; number++) {
		LINE.lastIndex = offset;
		const [current = ""] = LINE.exec(text) ?? [];
		if (number > errorLine && isOver(previous, current)) return { text: text.slice(offset), line: number };
		if (!/^\s*(#|$)/.test(current)) previous = current.trimEnd();
		offset += current.length;
	}
	return undefined;
}
