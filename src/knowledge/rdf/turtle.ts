import { EventEmitter } from "node:events";
import type { DataFactory } from "@rdfjs/types";
import { Parser } from "n3";
import { memoize } from "../../base/jobs/lazily.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
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
import type { Parse, Source } from "../passages/source.ts";
import { toRdfDocument } from "./rdfDocument.ts";

export const turtle: Parse = (source) => parse(source, "Turtle");
export const trig: Parse = (source) => parse(source, "TriG");
export const nTriples: Parse = (source) => parse(source, "N-Triples");
export const nQuads: Parse = (source) => parse(source, "N-Quads");

/** After this many errors, the rest of a text is not worth reading. */
const MAX_ERRORS = 50;
/** Every open level takes memory. */
const MAX_DEPTH = 50_000;

const DEPTH: Readonly<Record<string, number>> = { "[": 1, "(": 1, "]": -1, ")": -1 };

const TRIPLE_TERMS = "Statements with triple terms (RDF 1.2) are left out.";

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

function parse(source: Source, syntax: TurtleSyntax): ParsedDocument {
	return toRdfDocument(source, readTurtle(source.text, { syntax, base: source.uri }));
}

/** `base`: absolute IRI. Blank node labels are local to the text. */
export function readTurtle(text: string, { syntax, base }: { syntax: TurtleSyntax; base: string }) {
	return new TurtleReader(base, syntax).readAll(text);
}

/** Thrown through the library, which would otherwise tokenize the rest of the text. */
class TurtleError extends Error {
	override readonly name = "TurtleError";
}

/** Keeps statements before an error and continues where a new statement surely begins. */
class TurtleReader {
	readonly #base: string;
	readonly #syntax: TurtleSyntax;
	readonly #quads: Quad[] = [];
	readonly #problems: Problem[] = [];
	readonly #prefixes = new Map<string, string>();
	readonly #factory = createLocatedTerms((termType) => (termType === "Literal" ? this.#quoted : this.#token));
	/** In order of declaration: each may be relative to the one before. */
	#bases: string[] = [];
	/** Lines of the token that the parser reads next, … */
	#token: LineRange | undefined;
	/** … of the last quotation, which the parser has left when it makes the term, … */
	#quoted: LineRange | undefined;
	/** … and the end of the token before. */
	#previousEnd = 1;

	constructor(base: string, syntax: TurtleSyntax) {
		this.#base = base;
		this.#syntax = syntax;
	}

	readAll(text: string) {
		let rest: Rest | undefined = { text, line: 1 };
		while (rest && this.#problems.length < MAX_ERRORS) {
			const errorLine = this.#readUntilError(rest);
			rest = errorLine === undefined ? undefined : nextStatement(rest, errorLine, this.#syntax);
		}
		if (rest)
			this.#problems.push(problemAt(rest.line, "There are more errors; the rest of the file is not read."));
		return { quads: this.#quads, problems: this.#problems };
	}

	/** Returns the line of the first error. */
	#readUntilError({ text, line }: Rest): number | undefined {
		const options = { format: this.#syntax, baseIRI: this.#base, factory: this.#factory };
		const parser = new Parser({ ...options, blankNodePrefix: "_:" });
		const declarations = this.#declarations();
		const offset = line - 1;
		this.#bases = [];
		const listeners = {
			onQuad: (error: Error | null, quad: unknown) => {
				if (error) this.#stopAt(lineOf(error) + offset, error.message.replace(/ on line \d+\.$/, "."));
				if (quad) this.#addQuad(quad as LocatedQuad);
			},
			onPrefix: (prefix: string, { value }: { value: string }) => this.#prefixes.set(prefix, value),
			onToken: this.#createTokenListener(offset),
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
			return this.#problems.at(-1)?.lines.start;
		}
	}

	#stopAt(line: number, message: string): never {
		this.#problems.push(problemAt(line, message));
		throw new TurtleError(message);
	}

	/** On one line, which precedes the line where reading continues. */
	#declarations(): string {
		const bases = this.#bases.map((base) => `@base <${base}> . `);
		const prefixes = Array.from(this.#prefixes, ([prefix, iri]) => `@prefix ${prefix}: <${iri}> . `);
		return [...bases, ...prefixes].join("");
	}

	/** The listener is called for each token before the parser reads it. */
	#createTokenListener(offset: number): (token: Token) => void {
		let previous = "";
		let depth = 0;
		return ({ type, value, line, endLine = line }) => {
			this.#previousEnd = this.#token?.end ?? 1;
			this.#token = { start: line + offset, end: endLine + offset };
			if (type === "literal") this.#quoted = this.#token;
			if (type === "IRI" && /^@?base$/i.test(previous)) this.#bases.push(value);
			previous = type;
			depth += DEPTH[type] ?? 0;
			if (depth > MAX_DEPTH)
				this.#stopAt(line + offset, `Nesting deeper than ${MAX_DEPTH} levels is not read.`);
		};
	}

	#addQuad(located: LocatedQuad): void {
		const quad = toQuad(located, this.#previousEnd);
		if (quad) this.#quads.push(quad);
		else if (this.#problems.every(({ message }) => message !== TRIPLE_TERMS))
			this.#problems.push(problemAt(this.#previousEnd, TRIPLE_TERMS, "warning"));
	}
}

function lineOf(error: Error): number {
	const context = "context" in error ? error.context : undefined;
	return (context as { readonly line?: number } | undefined)?.line ?? 1;
}

/** Terms of one document for n3, in our shape and with their lines. */
function createLocatedTerms(linesFor: (termType: string) => LineRange | undefined): DataFactory {
	const toName = memoize(namedNode);
	let blankNodes = 0;

	function locate(termType: string, term?: Term): LocatedTerm {
		const { start, end } = linesFor(termType) ?? {};
		const value = term?.value ?? "";
		return { termType, id: value, value, term, start, end, isUsed: false };
	}

	const factory = {
		namedNode: (value: string) => locate("NamedNode", toName(value)),
		blankNode: (label = ` ${blankNodes++}`) => locate("BlankNode", { termType: "BlankNode", value: label }),
		literal: (value: string, kind?: LiteralKind) => locate("Literal", toLiteral(value, kind)),
		variable: () => locate("Variable"),
		defaultGraph: () => locate("DefaultGraph"),
		quad: (subject: LocatedTerm, predicate: LocatedTerm, object: LocatedTerm, graph: LocatedTerm) => {
			return { ...locate("Quad"), subject, predicate, object, graph };
		},
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
	const stated = { subject: name, predicate: property, object: object.term };
	return { ...stated, ...(graphName && { graph: graphName }), lines: { start, end: Math.max(start, end) } };
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

interface Rest {
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
