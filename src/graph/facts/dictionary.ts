import { RDF } from "../../base/rdf/vocabulary.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import { createTexts } from "./texts.ts";

/** Numbers for terms, from 1; 0 stands for "no term". A term that nothing refers to any more gives its number back. */
export interface Dictionary {
	/** The number of a term, with so many more references to it. */
	acquire(term: Term, references?: number): number;
	/** One more reference to the term of a number. */
	retain(number: number): void;
	release(number: number, references?: number): void;
	/** The number of a known term; 0 for any other. */
	find(term: Term): number;
	termOf(number: number): Term;
}

export function createDictionary(): Dictionary {
	const texts = createTexts();
	const annotations = createAnnotations();
	return {
		acquire: (term, references) => texts.acquire(keyOf(term, annotations), references),
		retain: texts.retain,
		release: texts.release,
		find: (term) => texts.find(keyOf(term, annotations)),
		termOf: (number) => termOf(texts.textOf(number), annotations),
	};
}

/** Datatypes and languages are few and long: a literal's key holds their number. */
interface Annotations {
	numberOf(annotation: string): number;
	annotationOf(number: number): string;
}

function createAnnotations(): Annotations {
	const numbers = new Map<string, number>();
	const annotations: string[] = [];
	return {
		numberOf: (annotation) => {
			const known = numbers.get(annotation);
			if (known !== undefined) return known;
			numbers.set(annotation, annotations.length);
			return annotations.push(annotation) - 1;
		},
		annotationOf: (number) => annotations[number] ?? "",
	};
}

/** The first character tells the kind. It also makes the key a string of its own, not a slice that keeps a whole file in memory. */
function keyOf(term: Term, annotations: Annotations): string {
	if (term.termType === "NamedNode") return `<${term.value}`;
	if (term.termType === "BlankNode") return `_${term.value}`;
	const annotation = term.language === undefined ? term.datatype : `@${term.language}`;
	return `"${annotations.numberOf(annotation)}"${term.value}`;
}

const LANGUAGE_STRING = `${RDF}langString`;

function termOf(key: string, annotations: Annotations): Term {
	if (key.startsWith("<")) return { termType: "NamedNode", value: key.slice(1) };
	if (key.startsWith("_")) return { termType: "BlankNode", value: key.slice(1) };
	const close = key.indexOf('"', 1);
	const value = key.slice(close + 1);
	const annotation = annotations.annotationOf(Number(key.slice(1, close)));
	if (!annotation.startsWith("@")) return { termType: "Literal", value, datatype: annotation };
	return { termType: "Literal", value, datatype: LANGUAGE_STRING, language: annotation.slice(1) };
}
