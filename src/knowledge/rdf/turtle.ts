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

/** Maximum number of errors. Text after that many errors is not worth reading. */
const MAX_ERRORS = 50;
/** Maximum depth, because every open level takes memory. */
const MAX_DEPTH = 50_000;

const DEPTH: Readonly<Record<string, number>> = { "[": 1, "(": 1, "]": -1, ")": -1 };

const TRIPLE_TERMS = "Statements with triple terms (RDF 1.2) are left out.";

interface Token {
	readonly type: string;
	readonly value: string;
	readonly line: number;
	/** Absent if equal to `line`. */
	readonly endLine?: number;
}

interface LocatedTerm {
	readonly termType: string;
	/** Text that n3 shows in messages. */
	readonly id: string;
	readonly value: string;
	/** `undefined` for terms beyond RDF 1.1. */
	readonly term: Term | undefined;
	/** `undefined` for terms without a token, such as `rdf:first`. */
	readonly start: number | undefined;
	readonly end: number | undefined;
	/** Whether the subject has a statement: the first statement begins at the subject, all others at the predicate. */
	isUsed: boolean;
}

type LocatedQuad = Readonly<Record<"subject" | "predicate" | "object" | "graph", LocatedTerm>>;

function parse(source: Source, syntax: TurtleSyntax): ParsedDocument {
	return toRdfDocument(source, readTurtle(source.text, { syntax, base: source.uri }));
}

/** Reads Turtle and similar syntaxes. `base` is an absolute IRI. Blank-node labels are local to the text. */
export function readTurtle(text: string, { syntax, base }: { syntax: TurtleSyntax; base: string }) {
	return new TurtleReader(base, syntax).readAll(text);
}

/** Thrown through the library, to stop tokenizing. */
class TurtleError extends Error {
	override readonly name = "TurtleError";
}

/** Keeps the statements before an error. Continues at a line that clearly begins a statement. */
class TurtleReader {
	readonly #base: string;
	readonly #syntax: TurtleSyntax;
	readonly #quads: Quad[] = [];
	readonly #problems: Problem[] = [];
	readonly #prefixes = new Map<string, string>();
	readonly #factory = createLocatedTerms((termType) => (termType === "Literal" ? this.#quoted : this.#token));
	/** Base IRIs in order of declaration. Each IRI may be relative to the previous IRI. */
	#bases: string[] = [];
	/** Lines of the next token. */
	#token: LineRange | undefined;
	/** Lines of the last quoted literal: the parser creates its term only after the next token. */
	#quoted: LineRange | undefined;
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

	/** Reads statements. Returns the line of the first error. */
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
		// With an event emitter, the library reads at once. A string would be read later or tokenized as a whole.
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

	/** Declarations on a single line, so that line numbers stay correct in the text after the declarations. */
	#declarations(): string {
		const bases = this.#bases.map((base) => `@base <${base}> . `);
		const prefixes = Array.from(this.#prefixes, ([prefix, iri]) => `@prefix ${prefix}: <${iri}> . `);
		return [...bases, ...prefixes].join("");
	}

	/** Creates a listener that runs for each token before the parser reads the token. */
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

/** Creates n3's terms for one document. Each term contains our term and its lines. */
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
	// The library reads only these fields, and passes terms through otherwise.
	return factory as unknown as DataFactory;
}

/** Converts a statement; `undefined` for terms of RDF 1.2. */
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

/** Matches the beginning of a statement or declaration at the start of a line. */
const BEGINNING = /^(?:@?prefix\b|@?base\b|<|_:|\[|\(|[\p{L}\p{N}._-]*:)/iu;

/** Matches a line that ends a statement: a full stop, possibly before a comment. */
const ENDING = /\.\s*(?:#.*)?$/;

/**
 * Text to continue with after an error: the next line in N-Triples and N-Quads, the next clear statement in Turtle.
 * No text in TriG, because the graph would be unknown.
 */
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
