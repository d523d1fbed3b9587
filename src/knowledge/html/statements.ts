import type * as RDF from "@rdfjs/types";
import { RDF as RDF_NAMESPACE } from "../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Problem, problemAt } from "../../core/knowledge/document.ts";
import {
	type BlankNode,
	idOf,
	literal,
	type NamedNode,
	type Quad,
	type Subject,
	type Term,
} from "../../core/knowledge/rdf.ts";
import type { Element } from "../readable/walkHtml.ts";

export type Statements = ReturnType<typeof createStatements>;

export type Triple = readonly [RDF.Quad_Subject, RDF.Quad_Predicate, RDF.Quad_Object];

/** Number of statements allowed even for the shortest page. */
const SPARE_STATEMENTS = 1000;
const SPARE_CHARACTERS = 1_000_000;
const MAX_STATEMENTS = 1_000_000;
/** Nested elements may repeat a text in several values. */
const VALUES_PER_CHARACTER = 4;
/** Maximum length of an IRI in characters. Longer IRIs contain data, such as images. */
const MAX_IRI = 4096;

/** Collects the statements of a page. The limits exclude only markup that multiplies statements or texts. */
export function createStatements({ length }: string) {
	const limits = {
		statements: Math.min(MAX_STATEMENTS, length + SPARE_STATEMENTS),
		characters: VALUES_PER_CHARACTER * length + SPARE_CHARACTERS,
	};
	const quads: Quad[] = [];
	const ranges = new Map<string, LineRange>();
	const problems: Problem[] = [];
	const labels = new Map<string, string>();
	let charactersLeft = limits.characters;
	return {
		limits,
		quads,
		/** Lines of the first element of each resource, final only after the end of the page. */
		ranges,
		problems,
		/** `scope` separates the blank nodes of different readers. */
		add(scope: string, triple: Triple, element: Element): void {
			if (charactersLeft <= 0) return;
			if (triple.some((term) => term.termType === "NamedNode" && term.value.length > MAX_IRI)) return;
			const [first, { value: iri }, object] = triple;
			const [subject, predicate] = [toSubject(scope, first), toNamedNode(iri)];
			quads.push({ subject, predicate, object: toTerm(scope, object), lines: element });
			charactersLeft -= quads.length < limits.statements ? object.value.length : charactersLeft;
			if (charactersLeft > 0) return;
			const message = `The page makes more statements than its text can support: only the first ${quads.length} are kept.`;
			problems.push(problemAt(element.start, message));
		},
		declare(scope: string, subject: RDF.Term, element: Element): void {
			const id = idOf(toSubject(scope, subject));
			if (!ranges.has(id)) ranges.set(id, element);
		},
	};

	function toTerm(scope: string, term: RDF.Term): Term {
		if (term.termType !== "Literal") return toSubject(scope, term);
		// An empty `lang` attribute removes the language.
		const isPlain = term.datatype.value === `${RDF_NAMESPACE}langString`;
		return literal(term.value, isPlain ? undefined : term.datatype.value, term.language);
	}

	function toSubject(scope: string, { termType, value }: RDF.Term): Subject {
		if (termType === "BlankNode") return toBlankNode(scope, value);
		return value.startsWith("_:") ? toBlankNode(scope, value) : toNamedNode(value);
	}

	/** Labels follow the order of the page, because the readers' counters continue across pages. */
	function toBlankNode(scope: string, value: string): BlankNode {
		const key = `${scope} ${value}`;
		const label = labels.get(key) ?? `${scope}${labels.size}`;
		labels.set(key, label);
		return { termType: "BlankNode", value: label };
	}
}

/** Escapes characters that are forbidden in IRIs, as browsers do. */
function toNamedNode(value: string): NamedNode {
	return { termType: "NamedNode", value: value.replace(/[\s\p{Cc}<>"{}|\\^`]/gu, encodeURIComponent) };
}
